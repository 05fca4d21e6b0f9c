/* text.c: a string that grows. */
#include "text.h"

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
