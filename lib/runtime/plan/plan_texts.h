/* plan_texts.h: the texts of a description: whether they are complete, and what they read, which says whether a call's
 * arguments can be cut into parts, and whether an output may be in the place of one. */
#ifndef CLPRIM_LIB_PLAN_TEXTS_H
#define CLPRIM_LIB_PLAN_TEXTS_H

#include <clprim/operation.h>
#include <stdbool.h>

#include "balance.h"
#include "text.h"

/* What all texts of a description together do. */
typedef struct clprim__reading {
    bool uses_index;   /* `i` may be more than the index at which arrays are read */
    unsigned at_index; /* bit k: parameter k is an array, and read at i alone, as `name[i]` */
    size_t parameters; /* how many there are */
    bool failed;       /* there was no host memory to find out */
} clprim__reading;

/* What a member's texts are, by its name, and text k of a member, which may be NULL. */
clprim__text_kind clprim__text_kind_of(const char *member);
const char *clprim__text_at(const void *desc, const clprim_member *member, size_t k);

/* Check every text of a description (balance.h), by the operation's table. A list's texts are called NAME_0, NAME_1, ...
 * as in build logs. Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__texts_check(const clprim_operation *face, const void *desc);

/* `texts` are the names of the description's expressions whose `i` is an element's index; a list ended by NULL, or NULL.
 * In doubt `i` is used and arrays are read anywhere: where macros paste words together, take addresses or have an i or a
 * parameter's name, where files are included, where an expression takes an address or has statements. */
clprim__reading clprim__texts_read(const clprim_operation *face, const void *desc, const char *const *texts);

/* The arrays that the call's expressions read as `name[i]`, or halves as vload_half(i, name), for the index i of each
 * element, a bit for each parameter: of these the call needs as many elements. In doubt, where a condition, the preprocessor or an address is involved, an
 * array is not among them. */
unsigned clprim__texts_always_read(const clprim_operation *face, const void *desc);

/* Where expressions of a part find the first element's index added to `i` (clprim__first_index), arrays of which they have
 * the part alone are read at the index without it: their texts in the description, whose `name[i]` of these arrays (`cut`,
 * a bit for each parameter) become that, are replaced by texts of *memory, which the caller frees.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__texts_cut(void *desc, clprim__text *memory, const clprim_operation *face,
                                const char *const *texts, unsigned cut);

/* The description's parameters; NULL: the operation has none. */
const clprim_parameter *clprim__texts_parameters(const clprim_operation *face, const void *desc);

#endif
