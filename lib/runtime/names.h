/* names.h: keep the names of a caller's text and those of the library's text apart.
 *
 * In a program the library's text (L) follows the caller's. For each identifier of L, some lines before the caller's
 * text and some behind it see to it that L means what it would mean alone:
 *   - Names of L's functions, types, variables, members and labels become reserved ones (#define store clprim__store),
 *     which cannot collide with a function, type or variable of the caller's.
 *   - Names of OpenCL C (min, uint, as_int), of parts of vectors (x, s0, hi), and of what L defines or tests as macros
 *     cannot be renamed: if the caller's text has made a macro of one, this is undone.
 *
 * So a caller's text may use each name but those that OpenCL C reserves, and those that begin with clprim__. */
#ifndef CLPRIM_LIB_NAMES_H
#define CLPRIM_LIB_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

#define CLPRIM__RESERVED "clprim__"

enum { CLPRIM__NAME_BUCKETS = 1024 };

/* An identifier of L; its characters are L's. */
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

/* Add the identifiers of L, which is borrowed until clprim__names_free. Names that begin with two underscores, an
 * underscore and a capital letter, or clprim__ are left out: nobody else may use them. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__names_scan(clprim__names *names, const char *text, size_t size);
void clprim__names_free(clprim__names *names);

/* The lines that come before the caller's text, and those behind it. */
void clprim__names_save(clprim__text *out, const clprim__names *names);
void clprim__names_separate(clprim__text *out, const clprim__names *names);

#endif
