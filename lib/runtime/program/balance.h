// SPDX-License-Identifier: MIT
/* balance.h: check whether a caller's text is complete in itself. The text becomes a part of a larger text, so it must
 * neither close that text's brackets and comments nor leave its own ones open. The compiler would find some of these
 * errors, but would report them at a place outside the caller's text. */
#ifndef CLPRIM_LIB_BALANCE_H
#define CLPRIM_LIB_BALANCE_H

#include <clprim/runtime.h>

typedef enum clprim__text_kind {
    CLPRIM__EXPRESSION,
    CLPRIM__DECLARATIONS, /* any number of declarations */
    CLPRIM__TYPE_NAME,    /* one or more words */
    CLPRIM__OPTIONS       /* the compiler's options, separated by blanks */
} clprim__text_kind;

/* Check the text of the member `name`; the text may be NULL. Error sentences begin like a compiler's, with
 * name:line:column.
 *
 * In an expression, brackets in macros are not counted, and each branch of an #if must balance its own brackets. In
 * declarations, macros and branches often open or close brackets; if they do, only the compiler can check the text.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (a blank expression; a type name that is blank or contains anything but words),
 * CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__balance_check(const char *name, const char *text, clprim__text_kind kind);

#endif
