// SPDX-License-Identifier: MIT
/* making.c: note what plans consist of. */
#include "making.h"

#include "cache_entry.h"

static _Thread_local clprim__making *innermost;

clprim__making *clprim__making_begin(clprim__making *inner)
{
    clprim__making *outer = innermost;
    if (inner != NULL)
        *inner = (clprim__making){.chosen = NULL};
    innermost = inner;
    return outer;
}

void clprim__making_end(clprim__making *inner, clprim__making *outer)
{
    innermost = outer;
    if (inner != NULL && outer != NULL && inner->programs.size > 0)
        clprim__text_append(&outer->programs, inner->programs.data, inner->programs.size);
}

void clprim__making_chose(const clprim_variant_info *variant)
{
    if (innermost != NULL && innermost->chosen == NULL)
        innermost->chosen = variant;
}

void clprim__making_takes_program(const char *key, size_t key_size)
{
    char name[CLPRIM__CACHE_NAME_SIZE];
    if (innermost == NULL)
        return;
    clprim__cache_entry_name(name, key, key_size);
    clprim__text_format(&innermost->programs, "%s\n", name);
}

void clprim__making_is_left(void)
{
    if (innermost != NULL)
        innermost->is_left = true;
}
