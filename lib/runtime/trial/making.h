/* making.h: what plans are made of: noted while a plan is being made in this thread, for the verdict on it (trial.h). */
#ifndef CLPRIM_LIB_MAKING_H
#define CLPRIM_LIB_MAKING_H

#include <clprim/types.h>
#include <stdbool.h>

#include "text.h"

/* Zeroed: nothing yet. Plans are made within the making of others. */
typedef struct clprim__making {
    clprim__text programs; /* the names of their entries in the cache, which are hashes of all they depend on */
    const clprim_variant_info *chosen;
    bool is_left; /* a program was refused because compiling it ended an earlier process */
} clprim__making;

/* Clear `inner` and take notes there from now on; NULL: take none. Returns where they were taken until now, which goes
 * to _end. What the inner plan is made of the outer one is made of, too. */
clprim__making *clprim__making_begin(clprim__making *inner);
void clprim__making_end(clprim__making *inner, clprim__making *outer);

/* Told by whoever makes a plan which variant it will have, as soon as that is known; the first one counts. */
void clprim__making_chose(const clprim_variant_info *variant);
/* Told by program.c. */
void clprim__making_takes_program(const char *key, size_t key_size);
void clprim__making_is_left(void);

#endif
