// SPDX-License-Identifier: MIT
/* text.h: a string that grows; for kernel sources, options and cache keys. */
#ifndef CLPRIM_LIB_TEXT_H
#define CLPRIM_LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* A zeroed struct is an empty string. After a failed append, `failed` stays set and later appends do nothing. So it is
 * enough to call clprim__text_status once after a sequence of appends. */
typedef struct clprim__text {
    char *data; /* NUL-terminated once something was appended */
    size_t size;
    size_t capacity;
    int failed;
} clprim__text;

void clprim__text_append(clprim__text *text, const char *bytes, size_t size);
/* Do not use it for floats: printf's output for them depends on the process's locale. */
void clprim__text_format(clprim__text *text, const char *format, ...) CLPRIM__PRINTF(2, 3);
/* Append a finite number exactly, as a hexadecimal C constant ("-0x3p-1"), independent of the locale. */
void clprim__text_number(clprim__text *text, double value);
clprim_status clprim__text_status(const clprim__text *text);
void clprim__text_free(clprim__text *text);

/* ASCII letters, independent of the locale. <ctype.h> and <strings.h> depend on it: in a Turkish locale, I and i are
 * not the same letter. */
static inline bool clprim__is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool clprim__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether `text` contains `part`, ignoring the case of letters. */
bool clprim__contains(const char *text, const char *part);

#endif
