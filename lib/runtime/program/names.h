// SPDX-License-Identifier: MIT
/* names.h: keep the names in a caller's text apart from those in the library's text.
 *
 * In a program, the library's text follows the caller's, but must mean the same as it would alone. So for each
 * identifier in the library's text, there are lines before and after the caller's text:
 *   - Functions, types, variables, members and labels of the library get reserved names (#define store clprim__store),
 *     so they cannot collide with the caller's names.
 *   - Names of clprim/device/ (clprim_..., CLPRIM_...) are not changed: if the caller's text includes these headers,
 *     the library's text uses them.
 *   - Names of OpenCL C (min, uint, as_int), components of vectors (x, s0, hi), and names that the library's text
 *     defines or tests as macros cannot be renamed. If the caller's text defines a macro with such a name, this is
 *     undone.
 *
 * A caller's text may use every name except those that OpenCL C reserves and those that begin with clprim_ or
 * CLPRIM_. */
#ifndef CLPRIM_LIB_NAMES_H
#define CLPRIM_LIB_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

#define CLPRIM__RESERVED "clprim__"

enum { CLPRIM__NAME_BUCKETS = 1024 };

/* An identifier; `text` points into the text in which it was found. */
typedef struct clprim__name {
    const char *text;
    size_t size;
    bool is_kept; /* not renamed */
    size_t next;  /* index + 1 of the next name with the same hash; 0: none */
} clprim__name;

/* Zeroed: no names. */
typedef struct clprim__names {
    clprim__name *list; /* in order of first occurrence */
    size_t count;
    size_t capacity;
    size_t buckets[CLPRIM__NAME_BUCKETS];
} clprim__names;

/* Add the identifiers of the library's text, which is borrowed until clprim__names_free. Names that begin with two
 * underscores, an underscore and a capital letter, clprim_ or CLPRIM_ are left out, because callers may not use them.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__names_scan(clprim__names *names, const char *text, size_t size);
void clprim__names_free(clprim__names *names);

/* Write the lines before the caller's text, and those after it. */
void clprim__names_save(clprim__text *out, const clprim__names *names);
void clprim__names_separate(clprim__text *out, const clprim__names *names);

#endif
