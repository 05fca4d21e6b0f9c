/* balance.h: whether a caller's text is complete in itself. A text becomes a part of a larger one, whose brackets and
 * comments it must neither close nor leave open. A compiler would notice some of that, where the text is no more. */
#ifndef CLPRIM_LIB_BALANCE_H
#define CLPRIM_LIB_BALANCE_H

#include <clprim/runtime.h>

typedef enum clprim__text_kind {
    CLPRIM__EXPRESSION,
    CLPRIM__DECLARATIONS, /* any number of them, or none */
    CLPRIM__TYPE_NAME,    /* words */
    CLPRIM__OPTIONS       /* the compiler's, separated by blanks */
} clprim__text_kind;

/* Check the text of the member `name`, which may be NULL. Sentences begin like a compiler's, with name:line:column.
 *
 * In an expression, brackets that macros stand for do not count, and each branch of an #if has brackets of its own. In
 * declarations where macros or branches open or close brackets, which is usual there, only the compiler can tell.
 *
 * Errors: CLPRIM_INVALID_ARGUMENT (a blank expression; a blank name of a type, or one of something else than words),
 * CLPRIM_BUILD_FAILED, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__balance_check(const char *name, const char *text, clprim__text_kind kind);

#endif
