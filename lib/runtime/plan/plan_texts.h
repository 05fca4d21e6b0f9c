// SPDX-License-Identifier: MIT
/* plan_texts.h: the texts of a description. Are they complete, and which arrays do they read, and where? The answers
 * decide whether a call's arguments can be cut into pieces, and whether an output may overwrite one of them in place. */
#ifndef CLPRIM_LIB_PLAN_TEXTS_H
#define CLPRIM_LIB_PLAN_TEXTS_H

#include <clprim/operation.h>
#include <stdbool.h>

#include "balance.h"
#include "text.h"

/* Properties of all texts of a description, taken together. */
typedef struct clprim__reading {
    bool uses_index;   /* `i` may be used for more than to read arrays at `i` */
    unsigned at_index; /* bit k: parameter k is an array, and is only read as `name[i]` */
    size_t parameters; /* number of parameters */
    bool failed;       /* there was not enough host memory to find out */
} clprim__reading;

/* The kind of text that the member of this name holds; and text k of a member, which may be NULL. */
clprim__text_kind clprim__text_kind_of(const char *member);
const char *clprim__text_at(const void *desc, const clprim_member *member, size_t k);

/* Check every text of a description (balance.h), by the operation's table. The texts of a list are called NAME_0,
 * NAME_1, ..., as in build logs. Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__texts_check(const clprim_operation *face, const void *desc);

/* Find out what the texts read. `texts` are the names of the description's expressions whose `i` is an element's index:
 * a list that ends with NULL, or NULL. In doubt, the answer is that `i` is used and that arrays are read anywhere. That
 * is the case if macros paste words together, take addresses, or use i or a parameter's name; if files are included; or
 * if an expression takes an address or has statements. */
clprim__reading clprim__texts_read(const clprim_operation *face, const void *desc, const char *const *texts);

/* The arrays that the call's expressions read for every element's index i, as `name[i]`, or as vload_half(i, name) for
 * halves; one bit for each parameter. Such an array must have as many elements as the call. An array is left out in
 * doubt: if a condition, the preprocessor or an address is involved. */
unsigned clprim__texts_always_read(const clprim_operation *face, const void *desc);

/* Adapt expressions to pieces. In a piece, expressions get `i` plus the index of the piece's first element
 * (clprim__first_index), but of the cut arrays they have only the piece. So each `name[i]` of these arrays (`cut`, one
 * bit for each parameter) is replaced by a read at the index without that offset. The new texts are in *memory, which
 * the caller frees, and replace the old ones in the description.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__texts_cut(void *desc, clprim__text *memory, const clprim_operation *face,
                                const char *const *texts, unsigned cut);

/* The description's parameters; NULL: the operation has none. */
const clprim_parameter *clprim__texts_parameters(const clprim_operation *face, const void *desc);

#endif
