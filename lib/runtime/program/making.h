// SPDX-License-Identifier: MIT
/* making.h: note what a plan consists of while this thread creates it. The notes identify the verdict on the plan
 * (trial.h). */
#ifndef CLPRIM_LIB_MAKING_H
#define CLPRIM_LIB_MAKING_H

#include <clprim/types.h>
#include <stdbool.h>

#include "text.h"

/* Zeroed: nothing yet. The creation of one plan may create others. */
typedef struct clprim__making {
    clprim__text programs; /* the names of their cache entries, which are hashes of everything they depend on */
    const clprim_variant_info *chosen;
    bool is_left; /* a program was refused because compiling it ended an earlier process */
} clprim__making;

/* Clear `inner` and write notes to it from now on; NULL: write none. Returns where notes were written until now; pass
 * that to _end. Everything that the inner plan consists of is also noted for the outer plan. */
clprim__making *clprim__making_begin(clprim__making *inner);
void clprim__making_end(clprim__making *inner, clprim__making *outer);

/* Called as soon as a plan's variant is known; only the first call counts. */
void clprim__making_chose(const clprim_variant_info *variant);
/* Called by program.c. */
void clprim__making_takes_program(const char *key, size_t key_size);
void clprim__making_is_left(void);

#endif
