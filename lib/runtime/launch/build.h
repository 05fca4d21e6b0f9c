// SPDX-License-Identifier: MIT
/* build.h: compile the kernels of a plan, from its variant's source and the text that is generated from a
 * description. */
#ifndef CLPRIM_LIB_BUILD_H
#define CLPRIM_LIB_BUILD_H

#include "launch.h"
#include "parameters.h"
#include "prelude.h"
#include "program.h"

enum { CLPRIM__MAX_BUILT = 9 };

/* Numbers that kernels and the host share are in one list of X(NAME, number). It is expanded to enumerators
 * CLPRIM__NAME for the host, and to options for kernels. */
#define CLPRIM__SHARED_ENUMERATOR(name, number) CLPRIM__##name = (number),
#define CLPRIM__SHARED_OPTION(name, number)     " -D" #name "=" #number
#define CLPRIM__SHARED_DEFINITION(name, number) "#define " #name " " #number "\n"

/* The numbers for kernels/common, which all programs get. Words have 64 bits. */
#define CLPRIM__COMMON_SHARED(X)                                                                                       \
    X(COLLECT_HEADER, 16) /* words of collect.cl before the groups' words: the counter has its own cache line */
enum { CLPRIM__COMMON_SHARED(CLPRIM__SHARED_ENUMERATOR) CLPRIM__PACKET_BYTES = 16, CLPRIM__LAST_EPOCH = (1 << 30) - 1 };

/* CLPRIM_LOOK_BACK_LOOKS, unless it is tuned. Not measured yet. */
enum { CLPRIM__LOOKS = 32 };

/* CLPRIM_LOOK_BACK_BYTES, or SIZE_MAX; and the last epoch that fits into a word beside its data bits. */
size_t clprim__look_back_bytes(size_t value_size, size_t tiles);
cl_uint clprim__look_back_last_epoch(const clprim_device_info *info);

/* What to compile. All pointers are borrowed for the duration of the call. */
typedef struct clprim__build {
    const clprim__source *source;
    const char *const *names;       /* names of kernels, indexed by purpose, at most CLPRIM__MAX_BUILT; NULL: there is
                                     * none for that purpose */
    size_t count;                   /* number of names */
    const clprim__prelude *prelude; /* NULL: none */
    const clprim__text *options;    /* some drivers do not accept empty options */
    clprim__counts counts;          /* the plan's, if its kernels support them */
    clprim__initial initial;        /* the plan's, if its kernels support it */
    unsigned max_registers;         /* see clprim__program_request */
} clprim__build;

/* Compile the kernels; out[i] is the kernel names[i]. The group size *group_size is halved until the device accepts it.
 * Errors: those of clprim__kernels_create, and errors in the texts. After an error, nothing is written. */
clprim_status clprim__build_kernels(clprim__kernel *out, size_t *group_size, const clprim_runtime *runtime,
                                    const clprim__build *what);

#endif
