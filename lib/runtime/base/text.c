// SPDX-License-Identifier: MIT
/* text.c: a string that grows. */
#include "text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reserve(clprim__text *text, size_t more)
{
    if (text->failed)
        return 0;
    if (text->capacity - text->size > more)
        return 1;
    const size_t capacity = (text->size + more + 1) * 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = 1;
        return 0;
    }
    text->data = data;
    text->capacity = capacity;
    return 1;
}

void clprim__text_append(clprim__text *text, const char *bytes, size_t size)
{
    if (!reserve(text, size))
        return;
    if (size > 0) /* for size 0, bytes may be NULL */
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void clprim__text_format(clprim__text *text, const char *format, ...)
{
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        text->failed = 1;
    } else if (reserve(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
}

void clprim__text_number(clprim__text *text, double value)
{
    int exponent = 0;
    uint64_t digits = (uint64_t)ldexp(frexp(fabs(value), &exponent), DBL_MANT_DIG);
    exponent = digits != 0 ? exponent - DBL_MANT_DIG : 0;
    for (; digits != 0 && digits % 2 == 0; digits /= 2)
        exponent++;
    clprim__text_format(text, "%s0x%" PRIx64 "p%d", signbit(value) ? "-" : "", digits, exponent);
}

clprim_status clprim__text_status(const clprim__text *text)
{
    return text->failed ? clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a kernel's source")
                        : CLPRIM_SUCCESS;
}

void clprim__text_free(clprim__text *text)
{
    free(text->data);
    *text = (clprim__text){0};
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool clprim__contains(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (size_t left = strlen(text); left >= length; left--, text++) {
        size_t i = 0;
        while (i < length && lower(text[i]) == lower(part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}
