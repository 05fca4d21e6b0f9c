// SPDX-License-Identifier: MIT
/* pipeline.h: send the pieces of an array to the device, run kernels on them, and copy results back, all three at once.
 *
 *     clprim__pipeline p = {.num_pieces = n, .num_lanes = 2, .is_split = true, .user = self,
 *                           .up = up, .launch = launch, .down = down};
 *     status = clprim__pipeline_run(&p);
 *
 * There are three stages. Each takes the pieces in order 0, 1, 2 ..., and the stages work at the same time: while piece 2
 * goes up to the device, kernels work on piece 1, and piece 0 comes down to the host. */
#ifndef CLPRIM_LIB_PIPELINE_H
#define CLPRIM_LIB_PIPELINE_H

#include <clprim/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef clprim_status (*clprim__stage)(void *user, size_t piece);

typedef struct clprim__pipeline {
    size_t num_pieces;
    /* The number of sets of buffers (lanes). Piece p uses lane p % num_lanes. It goes up when piece p - num_lanes, which
     * used the same lane, has come down. */
    size_t num_lanes;
    /* Inputs and outputs have separate buffers. Piece p then goes up when the kernels of piece p - num_lanes are done,
     * and its kernels begin when piece p - num_lanes has come down. With separate buffers, two lanes keep all stages
     * busy; without, it takes three. */
    bool is_split;
    void *user;
    /* Each function returns when its work on the piece is complete. Memory that it writes is visible to later stages of
     * the same piece, and to stages that wait for it. down is called in the thread that called clprim__pipeline_run. The
     * others are called in separate threads, or in the calling thread if no more threads can be created. */
    clprim__stage up, launch, down;
} clprim__pipeline;

/* Send all pieces through all stages. After the first failure, no stage begins another piece. The status of that failure
 * is returned, and its error sentence is set in the calling thread. When this returns, no stage is running any more. */
clprim_status clprim__pipeline_run(const clprim__pipeline *self);

#endif
