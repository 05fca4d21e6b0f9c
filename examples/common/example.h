// SPDX-License-Identifier: MIT
/* example.h: what the examples need around clPRIM: errors, options, the device, and real data on it. */
#ifndef CLPRIM_EXAMPLES_EXAMPLE_H
#define CLPRIM_EXAMPLES_EXAMPLE_H

#include <clprim/clprim.h>
#include <clprim/scan.h>
#include <stdbool.h>
#include <stddef.h>

#include "format.h"

#include "image.h"
#include "report.h"

/* For clPRIM's functions, the examples' own, and OpenCL's: tell what went wrong, then go where things are released.
 * Needs `clprim_status status` and a label `done`. */
#define EXAMPLE_TRY(call)                                                                                              \
    do {                                                                                                               \
        status = (clprim_status)(call);                                                                                \
        if (status != CLPRIM_SUCCESS) {                                                                                \
            example_tell(status, #call, __FILE__, __LINE__);                                                           \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* Print what failed, once in a program: callers that pass the status on print nothing more. */
void example_tell(clprim_status status, const char *call, const char *file, int line);

/* Print a sentence of one's own instead; returns CLPRIM_INVALID_ARGUMENT. */
clprim_status example_fail(const char *format, ...) EXAMPLE_PRINTF(1, 2);

enum {
    EXAMPLE_TAKES_N = 1,
    EXAMPLE_TAKES_TYPE = 2,
    EXAMPLE_LISTS_DEVICES = 4,
    EXAMPLE_TAKES_FILE = 8,
    EXAMPLE_TAKES_NO_FILE = 16,
    EXAMPLE_TAKES_WHY = 32
};

/* A program of the examples while it runs. */
typedef struct example {
    const char *image; /* the photograph: the one in examples/data where the command line gives none */
    const char *file;  /* with EXAMPLE_TAKES_FILE, instead of a photograph: NULL where the command line gives none */
    size_t n;          /* 0: the example's own choice */
    clprim_type type;  /* I32 where the command line says nothing else */
    bool check;        /* small and quick: results are judged, times are not */
    bool why;          /* rows end with the reason why a step is as fast as it is */
    clprim_runtime *runtime;
    const clprim_device_info *device;
    cl_command_queue queue;
    report_roof roof; /* how fast the device copies */
} example;

/* Read the command line (--check, --help, an image or file, and of --n COUNT, --type NAME and --why what `features` says),
 * make a runtime on the best device, measure its copy speed, print both. `usage`: the lines for --help on what is not
 * common to all examples. False: the program is over, with *exit_code. */
bool example_begin(example *out, int argc, char **argv, unsigned features, const char *usage, int *exit_code);

void example_end(example *self);

/* Read the photograph as grey levels and print its size. */
clprim_status example_photograph(image *out, const char *path);

/* The pixels, less `centre`, over and over until there are n elements of a type: U8, I32 or F32. free() it. */
clprim_status example_repeat(void **out, clprim_type type, const image *photo, int centre, size_t n);

/* How many elements to work on: --n, else so many for a check, on a GPU, on any other device; at most so many that
 * several arrays of them, `size` bytes each, fit into the device's memory. */
size_t example_count(const example *self, size_t size, size_t for_check, size_t on_gpu, size_t elsewhere);

/* Real data: the photograph's pixels relative to their mean (so that sums stay small), repeated. */
typedef struct example_data {
    clprim_type type;
    size_t n;
    size_t bytes;
    void *host;    /* the elements in the host's memory */
    cl_mem device; /* and in the device's */
} example_data;

/* Read the photograph, make n elements of a type (I32 or F32) of it, and print what they are. On failure, too, *out is
 * to be cleared. */
clprim_status example_data_load(example_data *out, const example *program, clprim_type type, size_t n);
void example_data_clear(example_data *self);

/* A buffer on the device with a copy of `data`; NULL: not filled. */
clprim_status example_upload(cl_mem *out, const example *program, const void *data, size_t bytes);

/* Is `result` what the CPU computes? Bit for bit; float sums as near as the rounding of their additions allows. */
clprim_status example_check_reduce(bool *right, const clprim_reduce_desc *desc, const void *in, size_t n,
                                   const void *result);

/* The same for a scan without segments, with all of its n results. */
clprim_status example_check_scan(bool *right, const clprim_scan_desc *desc, const void *in, size_t n,
                                 const void *results);

/* Are `kept`, so many elements of `size` bytes, those of in[0 .. n) whose keep[i] is not 0, in their order? */
clprim_status example_check_select(bool *right, size_t size, const uint8_t *keep, const void *in, size_t n,
                                   const void *kept, size_t selected);

/* What the row of AUTO says: which of the variants its plan has taken. Static, good for one cell. */
const char *example_taken(const clprim_variant_info *variants, size_t count, int id);

/* How the row of a variant ends: where it is from, or with --why, why it is as fast as it is. */
const char *example_remark(const example *self, const char *operation, const clprim_variant_info *variant);

/* Release a buffer; NULL is allowed. */
void example_release(cl_mem buffer);

#endif
