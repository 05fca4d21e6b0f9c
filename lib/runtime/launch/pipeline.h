/* pipeline.h: parts of an array on their way to the device, through kernels, and back, several parts at once.
 *
 *     clprim__pipeline p = {.num_parts = n, .num_lanes = 2, .is_split = true, .user = self,
 *                           .up = up, .launch = launch, .down = down};
 *     status = clprim__pipeline_run(&p);
 *
 * There are three stages. Each takes the parts in their order, 0, 1, 2 ..., and the stages work at the same time: while
 * part 2 goes up, kernels work on part 1, and part 0 comes down. */
#ifndef CLPRIM_LIB_PIPELINE_H
#define CLPRIM_LIB_PIPELINE_H

#include <clprim/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef clprim_status (*clprim__stage)(void *user, size_t part);

typedef struct clprim__pipeline {
    size_t num_parts;
    /* How many sets of buffers there are: part p uses set p % num_lanes. A part goes up when the part that had its set
     * before, p - num_lanes, has come down. */
    size_t num_lanes;
    /* What goes up and what comes down have different buffers. A part then goes up when the kernels of part
     * p - num_lanes are done, and its kernels begin when that part has come down. Two lanes keep all stages busy;
     * otherwise it takes three. */
    bool is_split;
    void *user;
    /* Each returns when its work on the part is complete. Memory that it writes is seen by the later stages of that part
     * and by the stages that wait for it. down is called in the thread that called clprim__pipeline_run, the others in
     * threads of their own, or in that thread too if the system has no more. */
    clprim__stage up, launch, down;
} clprim__pipeline;

/* All parts through all stages. The first failure ends it: no stage begins another part, and its status is returned and
 * its sentence set, in the calling thread. No stage runs any more when this returns. */
clprim_status clprim__pipeline_run(const clprim__pipeline *self);

#endif
