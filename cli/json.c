// SPDX-License-Identifier: MIT
/* json.c: write one JSON object to a stream. */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

void json_begin_in(json *self, FILE *stream)
{
    *self = (json){.stream = stream};
    (void)putc('{', stream);
}

void json_begin(json *self)
{
    json_begin_in(self, stdout);
}

void json_key(json *self, const char *key)
{
    (void)fprintf(self->stream, "%s\"%s\": ", self->has_member ? ", " : "", key);
    self->has_member = true;
}

/* The size of the UTF-8 character at p; 0 if there is none. A file name may contain any bytes, but JSON must be
 * UTF-8. */
static size_t utf8_size(const unsigned char *p)
{
    const size_t size = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : 4;
    if (p[0] >= 0x80 && (p[0] < 0xc2 || p[0] > 0xf4))
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)) /* overlong encodings, surrogates */
        return 0;
    return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : size;
}

void json_text(FILE *stream, const char *text)
{
    (void)putc('"', stream);
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        const size_t size = utf8_size(p);
        if (*p == '"' || *p == '\\')
            (void)fprintf(stream, "\\%c", *p);
        else if (*p < ' ')
            (void)fprintf(stream, "\\u%04x", *p);
        else if (size == 0)
            (void)fprintf(stream, "\\ufffd");
        else
            (void)fprintf(stream, "%.*s", (int)size, (const char *)p);
        p += size > 0 ? size : 1;
    }
    (void)putc('"', stream);
}

static void print_number(FILE *stream, const char *number)
{
    const bool is_finite = strpbrk(number, "in") == NULL; /* matches "inf" and "nan" */
    (void)fprintf(stream, is_finite ? "%s" : "\"%s\"", number);
}

void json_element(clprim_type type, const void *element)
{
    char text[NUMBER_TEXT_SIZE];
    number_text(text, type, element);
    print_number(stdout, text);
}

void json_member_text(json *self, const char *key, const char *text)
{
    json_key(self, key);
    json_text(self->stream, text);
}

void json_member_count(json *self, const char *key, uint64_t value)
{
    json_key(self, key);
    (void)fprintf(self->stream, "%" PRIu64, value);
}

void json_member_number(json *self, const char *key, const char *number)
{
    json_key(self, key);
    print_number(self->stream, number);
}

void json_member_bool(json *self, const char *key, bool value)
{
    json_key(self, key);
    (void)fprintf(self->stream, "%s", value ? "true" : "false");
}

void json_end(json *self)
{
    self->has_member = false;
    (void)fprintf(self->stream, "}\n");
}
