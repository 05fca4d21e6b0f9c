/* names.h: keep the names in a caller's text and those in the library's text apart.
 *
 * In a program the library's text follows the caller's. It must mean what it would mean alone. So for each identifier
 * in it there are lines before and behind the caller's text:
 *   - Functions, types, variables, members and labels of the library get reserved names (#define store clprim__store),
 *     with which nothing of the caller's can collide.
 *   - Names of clprim/device/ (clprim_..., CLPRIM_...) stay what they are: if the caller's text has these headers, the
 *     library's text uses them.
 *   - Names of OpenCL C (min, uint, as_int), parts of vectors (x, s0, hi), and what the library's text defines or tests
 *     as macros cannot be renamed. If the caller's text makes a macro of one of these, this is undone.
 *
 * A caller's text may use every name but those that OpenCL C reserves, and those that begin with clprim_ or
 * CLPRIM_. */
#ifndef CLPRIM_LIB_NAMES_H
#define CLPRIM_LIB_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

#define CLPRIM__RESERVED "clprim__"

enum { CLPRIM__NAME_BUCKETS = 1024 };

/* An identifier; its characters are those of the text it was found in. */
typedef struct clprim__name {
    const char *text;
    size_t size;
    bool is_kept; /* not renamed */
    size_t next;  /* with the same hash, from 1; 0: none */
} clprim__name;

/* Zeroed: none. */
typedef struct clprim__names {
    clprim__name *list; /* in the order in which they occur first */
    size_t count;
    size_t capacity;
    size_t buckets[CLPRIM__NAME_BUCKETS];
} clprim__names;

/* Add the identifiers of the library's text, which is borrowed until clprim__names_free. Names that begin with two
 * underscores, an underscore and a capital letter, clprim_ or CLPRIM_ are left out: nobody else may use them. Errors:
 * CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__names_scan(clprim__names *names, const char *text, size_t size);
void clprim__names_free(clprim__names *names);

/* The lines that come before the caller's text, and those behind it. */
void clprim__names_save(clprim__text *out, const clprim__names *names);
void clprim__names_separate(clprim__text *out, const clprim__names *names);

#endif
