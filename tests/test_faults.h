/* test_faults.h: the operations that are to survive every fault. */
#ifndef CLPRIM_TEST_FAULTS_SUBJECTS_H
#define CLPRIM_TEST_FAULTS_SUBJECTS_H

#include <clprim/clprim.h>
#include <stdbool.h>
#include <stddef.h>

enum { FAULTS_AT = 16 /* offset in elements of what an operation reads and writes */, FAULTS_SEGMENTS = 10 };

/* What an operation reads and writes, in buffers or on the host. All of them are `n` elements behind the offset, of up
 * to 8 bytes; of keys and values 4. */
typedef struct faults_arrays {
    size_t n;
    struct {
        cl_mem keys, values, offsets;
        cl_mem keys_out, values_out, number;
    } device;
    struct {
        void *keys, *values, *offsets;
        void *keys_out, *values_out; /* of sorts, which on the host sort in place, they hold keys and values */
        size_t *number;
    } host;
} faults_arrays;

typedef struct faults_subject {
    const char *name;
    const char *stem;
    size_t n;
    bool is_costly;    /* to compile: only with CLPRIM_TEST_FULL */
    bool keeps_output; /* the header says so: when it fails the output is as it was */
    bool sorts;
    bool is_ordered; /* the keys */
    clprim_status (*create)(void **out, clprim_runtime *runtime);
    void (*destroy)(void *plan);
    clprim_status (*scratch_size)(size_t *out, const void *plan, size_t n); /* NULL: the stem takes none */
    clprim_status (*set_scratch)(void *plan, cl_mem scratch);
    clprim_status (*enqueue)(void *plan, cl_command_queue queue, const faults_arrays *a, cl_uint num_waits,
                             const cl_event *waits, cl_event *done);
    clprim_status (*host)(clprim_runtime *runtime, const faults_arrays *a);
} faults_subject;

extern const faults_subject faults_subjects[];
extern const size_t faults_num_subjects;

#endif
