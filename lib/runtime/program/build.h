/* build.h: the kernels of a plan, from its variant's source and the text that a description becomes. */
#ifndef CLPRIM_LIB_BUILD_H
#define CLPRIM_LIB_BUILD_H

#include "launch.h"
#include "parameters.h"
#include "prelude.h"
#include "program.h"

enum { CLPRIM__MAX_BUILT = 9 };

/* Numbers that kernels and the host share stand in one list, of X(NAME, number): from it come enumerators CLPRIM__NAME
 * for the host, and options for kernels. */
#define CLPRIM__SHARED_ENUMERATOR(name, number) CLPRIM__##name = (number),
#define CLPRIM__SHARED_OPTION(name, number)     " -D" #name "=" #number
#define CLPRIM__SHARED_DEFINITION(name, number) "#define " #name " " #number "\n"

/* Those of kernels/common, which all programs are given. Words are of 64 bits. */
#define CLPRIM__COMMON_SHARED(X)                                                                                       \
    X(COLLECT_HEADER, 16) /* words of collect.cl before those of groups: the counter has a cache line of its own */
enum { CLPRIM__COMMON_SHARED(CLPRIM__SHARED_ENUMERATOR) CLPRIM__PACKET_BYTES = 16, CLPRIM__LAST_EPOCH = (1 << 30) - 1 };

/* CLPRIM_LOOK_BACK_LOOKS, where nothing else is tuned. Not measured yet. */
enum { CLPRIM__LOOKS = 32 };

/* CLPRIM_LOOK_BACK_BYTES, or SIZE_MAX; the last epoch for which a word has room beside its bits. */
size_t clprim__look_back_bytes(size_t value_size, size_t tiles);
cl_uint clprim__look_back_last_epoch(const clprim_device_info *info);

/* What to compile. Everything is borrowed for the call. */
typedef struct clprim__build {
    const clprim__source *source;
    const char *const *names;       /* of kernels, by what they are for, up to CLPRIM__MAX_BUILT; NULL: there is none */
    size_t count;                   /* of names */
    const clprim__prelude *prelude; /* NULL: none */
    const clprim__text *options;    /* some drivers take no empty ones */
    clprim__counts counts;          /* those of the plan, where its kernels heed them */
    clprim__initial initial;        /* likewise */
    unsigned max_registers;         /* see clprim__program_request */
} clprim__build;

/* Compile, with groups of *group_size, which is halved until the device accepts it; out[i] is the kernel names[i].
 * Errors: as clprim__kernels_create, and what is wrong with the texts; then nothing is written. */
clprim_status clprim__build_kernels(clprim__kernel *out, size_t *group_size, const clprim_runtime *runtime,
                                    const clprim__build *what);

#endif
