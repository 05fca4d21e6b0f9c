/* program.h: from kernel sources to kernels. */
#ifndef CLPRIM_LIB_PROGRAM_H
#define CLPRIM_LIB_PROGRAM_H

#include <clprim/runtime.h>

#include "program_cache.h"
#include "source.h"
#include "trace.h"

enum { CLPRIM__MAX_KERNELS = 7 };

/* What a program is made of, in this order: a caller's text (prelude.h), the prelude (generated text that defines type
 * and operator), then the source, with what it includes. `options` is a list of -D, separated by spaces. Everything is
 * borrowed for the call. */
typedef struct clprim__program_request {
    const clprim__source *source; /* the one that timelines and messages name */
    const char *callers;          /* NULL: no caller's text */
    const char *prelude;          /* may be NULL */
    const char *options;
    const char *callers_options; /* those of the caller's text; may be NULL */
    const char *parameters;      /* PARAMETERS, PASSED, ARGUMENTS: parameters.h; NULL: kernels take none */
    bool has_arguments;          /* ARGUMENTS are not empty */
    /* 0: the compiler's choice. Else what a work-item may take of NVIDIA's 65536 registers; kernels are then told by
     * -DMAX_REGISTERS not to require a group size, with which NVIDIA's compiler would ignore it. */
    unsigned max_registers;
    const char *const *kernels; /* for CLPRIM_DUMP: the functions that are wanted, without a reserved prefix */
    size_t num_kernels;
} clprim__program_request;

/* All programs of one runtime, each built once however many threads ask. Thread-safe. */
typedef struct clprim__programs clprim__programs;

/* timeline: where builds are recorded; may be NULL, and must outlive the programs' last use. */
clprim_status clprim__programs_create(clprim__programs **out, cl_context context, const clprim_device_info *info,
                                      clprim__trace *timeline);
void clprim__programs_destroy(clprim__programs *self);
clprim_program_stats clprim__programs_stats(clprim__programs *self);
/* As clprim_runtime_cache_problem. */
size_t clprim__programs_cache_problem(const clprim__programs *self, char *out, size_t capacity);

/* The cache on disk, for what else is kept there; NULL where it is off. */
clprim__disk_cache *clprim__programs_disk(const clprim__programs *self);

/* From now on what is compiled is noted while it is (risk.h), and not compiled where that ended an earlier process. For
 * drivers that nobody has tested. */
void clprim__programs_take_notes(clprim__programs *self);

/* Kernels of one program, each an object of its own (arguments are not shared), built with -DGROUP_SIZE=*group_size,
 * which is halved until the device accepts all of them with it: some devices allow a kernel fewer work-items than they
 * say they do in general. The program comes from memory, from the cache on disk, or from the compiler. On failure nothing
 * is written.
 * Errors: CLPRIM_BUILD_FAILED (the log in last_error), CLPRIM_KERNEL_SOURCE_MISSING, CLPRIM_OUT_OF_MEMORY, OpenCL's;
 * CLPRIM_UNSUPPORTED where not even one work-item is possible, or compiling it ended an earlier process. */
clprim_status clprim__kernels_create(cl_kernel *out, size_t *group_size, clprim__programs *self,
                                     const clprim__program_request *request, const char *const *names, size_t count);

#endif
