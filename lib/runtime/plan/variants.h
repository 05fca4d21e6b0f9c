// SPDX-License-Identifier: MIT
/* variants.h: functions that every operation's table of variants has. */
#ifndef CLPRIM_LIB_VARIANTS_H
#define CLPRIM_LIB_VARIANTS_H

#include <clprim/types.h>
#include <pthread.h>
#include <stddef.h>

#include "tuning.h"

/* Declare, for all files of an operation, what CLPRIM__DEFINE_ROWS, CLPRIM__DEFINE_TUNING and CLPRIM__DEFINE_TUNABLES
 * define. */
#define CLPRIM__DECLARE_ROWS(stem)                                                                                     \
    const clprim_variant_info *clprim__##stem##_variants(size_t *count);                                               \
    const clprim__##stem##_row *clprim__##stem##_row_of(clprim_##stem##_variant variant);                              \
    clprim__##stem##_tuning clprim__##stem##_tuning_of(clprim_##stem##_variant variant, const clprim_runtime *runtime, \
                                                       clprim__tuned_for what);                                        \
    extern const clprim__tunables clprim__##stem##_tunables;

/* Name and texts of the row for code of the host (native.h) in an operation's table. */
#define CLPRIM__NATIVE_TEXTS                                                                                           \
    "native", "C that was compiled with the library: nothing is compiled at run time",                                 \
        "a CPU with native kernels, and built-in types without texts", "for CPU devices"

/* For an operation <stem> with a static table `rows` of clprim__<stem>_row, each of which contains the variant's
 * description as `info`. Defines clprim__<stem>_variants(), which returns all descriptions one after another, and
 * clprim__<stem>_row_of(), which returns NULL for AUTO and unknown variants. */
#define CLPRIM__DEFINE_ROWS(stem)                                                                                      \
    CLPRIM__DECLARE_ROWS(stem)                                                                                         \
    static clprim_variant_info infos[sizeof rows / sizeof *rows];                                                      \
    static void copy_infos(void)                                                                                       \
    {                                                                                                                  \
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)                                                        \
            infos[i] = rows[i].info;                                                                                   \
    }                                                                                                                  \
    const clprim_variant_info *clprim__##stem##_variants(size_t *count)                                                \
    {                                                                                                                  \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                                                \
        pthread_once(&once, copy_infos);                                                                               \
        if (count != NULL)                                                                                             \
            *count = sizeof rows / sizeof *rows;                                                                       \
        return infos;                                                                                                  \
    }                                                                                                                  \
    const clprim__##stem##_row *clprim__##stem##_row_of(clprim_##stem##_variant variant)                               \
    {                                                                                                                  \
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)                                                        \
            if (rows[i].info.id == (int)variant)                                                                       \
                return &rows[i];                                                                                       \
        return NULL;                                                                                                   \
    }

#endif
