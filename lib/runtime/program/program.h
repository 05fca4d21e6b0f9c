// SPDX-License-Identifier: MIT
/* program.h: from kernel sources to kernels. */
#ifndef CLPRIM_LIB_PROGRAM_H
#define CLPRIM_LIB_PROGRAM_H

#include <clprim/runtime.h>

#include "program_cache.h"
#include "source.h"
#include "trace.h"

enum { CLPRIM__MAX_KERNELS = 7 };

/* The parts of a program, in this order: a caller's text (prelude.h), the prelude (generated text that defines type and
 * operator), then the source, with the files that it includes. `options` is a list of -D, separated by spaces. All
 * pointers are borrowed for the duration of the call. */
typedef struct clprim__program_request {
    const clprim__source *source; /* the file that timelines and messages name */
    const char *callers;          /* NULL: no caller's text */
    const char *prelude;          /* may be NULL */
    const char *options;
    const char *callers_options; /* options for the caller's text; may be NULL */
    const char *parameters;      /* definitions of PARAMETERS, PASSED and ARGUMENTS: parameters.h; NULL: kernels have
                                  * none of them */
    bool has_arguments;          /* ARGUMENTS is not empty */
    /* 0: the compiler decides. Otherwise, how many of NVIDIA's 65536 registers a work-item may use. Kernels are then
     * compiled with -DMAX_REGISTERS and do not require a group size, because with a required size NVIDIA's compiler
     * would ignore the limit. */
    unsigned max_registers;
    const char *const *kernels; /* for CLPRIM_DUMP: the kernels that are needed, without a reserved prefix */
    size_t num_kernels;
} clprim__program_request;

/* All programs of one runtime. Each is built once, however many threads need it. Thread-safe. */
typedef struct clprim__programs clprim__programs;

/* timeline: records builds; may be NULL, and must outlive the programs' last use. */
clprim_status clprim__programs_create(clprim__programs **out, cl_context context, const clprim_device_info *info,
                                      clprim__trace *timeline);
void clprim__programs_destroy(clprim__programs *self);
clprim_program_stats clprim__programs_stats(clprim__programs *self);
/* The implementation of clprim_runtime_cache_problem. */
size_t clprim__programs_cache_problem(const clprim__programs *self, char *out, size_t capacity);

/* The disk cache, for other things that are kept in it; NULL if it is disabled. */
clprim__disk_cache *clprim__programs_disk(const clprim__programs *self);

/* From now on, take a note on disk while a program is compiled (risk.h). A program whose compilation ended an earlier
 * process is not compiled. For drivers that nobody has tested. */
void clprim__programs_take_notes(clprim__programs *self);

/* Create kernels of one program. Each is its own object, so arguments are not shared. The program is built with
 * -DGROUP_SIZE=*group_size. That size is halved until the device accepts all kernels with it, because some devices
 * allow a kernel fewer work-items than they report in general. The program comes from memory, from the disk cache, or
 * from the compiler. On failure, nothing is written.
 * Errors: CLPRIM_BUILD_FAILED (the log is in last_error), CLPRIM_KERNEL_SOURCE_MISSING, CLPRIM_OUT_OF_MEMORY, OpenCL's;
 * CLPRIM_UNSUPPORTED if not even one work-item is possible, or if compiling the program ended an earlier process. */
clprim_status clprim__kernels_create(cl_kernel *out, size_t *group_size, clprim__programs *self,
                                     const clprim__program_request *request, const char *const *names, size_t count);

#endif
