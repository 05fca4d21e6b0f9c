/* json.c: one JSON object on standard output. */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

void json_begin(json *self)
{
    self->has_member = false;
    (void)putchar('{');
}

void json_key(json *self, const char *key)
{
    printf("%s\"%s\": ", self->has_member ? ", " : "", key);
    self->has_member = true;
}

/* The bytes of the UTF-8 character at p, 0 where there is none: a file's name may be anything, JSON may not. */
static size_t utf8_size(const unsigned char *p)
{
    const size_t size = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : 4;
    if (p[0] >= 0x80 && (p[0] < 0xc2 || p[0] > 0xf4))
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)) /* overlong, surrogates */
        return 0;
    return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : size;
}

void json_text(const char *text)
{
    (void)putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        const size_t size = utf8_size(p);
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < ' ')
            printf("\\u%04x", *p);
        else if (size == 0)
            printf("\\ufffd");
        else
            printf("%.*s", (int)size, (const char *)p);
        p += size > 0 ? size : 1;
    }
    (void)putchar('"');
}

static void print_number(const char *number)
{
    const bool is_finite = strpbrk(number, "in") == NULL; /* "inf", "nan" */
    printf(is_finite ? "%s" : "\"%s\"", number);
}

void json_element(clprim_type type, const void *element)
{
    char text[NUMBER_TEXT_SIZE];
    number_text(text, type, element);
    print_number(text);
}

void json_member_text(json *self, const char *key, const char *text)
{
    json_key(self, key);
    json_text(text);
}

void json_member_count(json *self, const char *key, uint64_t value)
{
    json_key(self, key);
    printf("%" PRIu64, value);
}

void json_member_number(json *self, const char *key, const char *number)
{
    json_key(self, key);
    print_number(number);
}

void json_member_bool(json *self, const char *key, bool value)
{
    json_key(self, key);
    printf("%s", value ? "true" : "false");
}

void json_end(json *self)
{
    self->has_member = false;
    printf("}\n");
}
