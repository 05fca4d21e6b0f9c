// SPDX-License-Identifier: MIT
/* npy.c: the header of a .npy file. Its text is Python's repr() of a dict, padded with spaces, with a line feed at the
 * end. Only what numpy writes is accepted: no expressions, no additional members.
 *
 * Source: NEP 1, "A simple file format for NumPy arrays", and numpy.lib.format. */
#include "npy.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const unsigned char MAGIC[NPY_MAGIC_SIZE] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* numpy's letters and sizes of the types, with bools last. */
static const struct {
    const char *code;
    clprim_type type;
} codes[] = {{"i1", CLPRIM_I8},  {"u1", CLPRIM_U8},  {"i2", CLPRIM_I16}, {"u2", CLPRIM_U16},
             {"i4", CLPRIM_I32}, {"u4", CLPRIM_U32}, {"i8", CLPRIM_I64}, {"u8", CLPRIM_U64},
             {"f2", CLPRIM_F16}, {"f4", CLPRIM_F32}, {"f8", CLPRIM_F64}, {"b1", CLPRIM_U8}};

enum { NUM_CODES = sizeof codes / sizeof *codes, BOOL = NUM_CODES - 1 };

/* The text that is still to be parsed. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

bool npy_is_magic(const void *bytes, size_t size)
{
    return size >= NPY_MAGIC_SIZE && memcmp(bytes, MAGIC, NPY_MAGIC_SIZE) == 0;
}

bool npy_is_name(const char *name)
{
    const size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, ".npy") == 0;
}

const char *npy_parse_prefix(size_t *prefix_size, size_t *text_size, const unsigned char bytes[NPY_PREFIX_SIZE])
{
    const unsigned major = bytes[6];
    if (major < 1 || major > 3 || bytes[7] != 0)
        return "is of an unknown version of the .npy format";
    const size_t size = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    const size_t upper = (size_t)bytes[10] | (size_t)bytes[11] << 8;
    *prefix_size = major == 1 ? 10 : 12;
    *text_size = major == 1 ? size : size | upper << 16;
    return *text_size <= NPY_MAX_TEXT_SIZE ? NULL : "has a header that is too long";
}

static void skip_spaces(cursor *self)
{
    while (self->at < self->end && *self->at == ' ')
        self->at++;
}

static bool take(cursor *self, char wanted)
{
    skip_spaces(self);
    if (self->at == self->end || *self->at != wanted)
        return false;
    self->at++;
    return true;
}

static bool take_word(cursor *self, const char *word)
{
    const size_t size = strlen(word);
    skip_spaces(self);
    if ((size_t)(self->end - self->at) < size || memcmp(self->at, word, size) != 0)
        return false;
    self->at += size;
    return true;
}

/* A string without escapes; numpy's strings never have any. */
static bool take_string(cursor *self, const char **out, size_t *size)
{
    skip_spaces(self);
    if (self->at == self->end || (*self->at != '\'' && *self->at != '"'))
        return false;
    const char quote = *self->at++;
    const char *begin = self->at;
    while (self->at < self->end && *self->at != quote && *self->at != '\\' && (unsigned char)*self->at >= ' ')
        self->at++;
    if (self->at == self->end || *self->at != quote)
        return false;
    *out = begin;
    *size = (size_t)(self->at++ - begin);
    return true;
}

static bool take_size(cursor *self, size_t *out)
{
    size_t value = 0;
    skip_spaces(self);
    const char *begin = self->at;
    for (; self->at < self->end && *self->at >= '0' && *self->at <= '9'; self->at++) {
        const size_t digit = (size_t)(*self->at - '0');
        if (value > (SIZE_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return self->at > begin && (*begin != '0' || self->at == begin + 1);
}

static const char *parse_descr(npy_header *out, cursor *at, char why[static 128])
{
    const char *text = NULL;
    size_t size = 0;
    if (take(at, '['))
        return "holds records; clprim takes arrays of numbers";
    if (!take_string(at, &text, &size))
        return "has a damaged header: 'descr' is no string";
    for (size_t i = 0; i < NUM_CODES && size == 3; i++) {
        const size_t wide = clprim_type_size(codes[i].type);
        if (memcmp(text + 1, codes[i].code, 2) != 0)
            continue;
        if (text[0] != '<' && text[0] != '>' && (text[0] != '|' || wide > 1))
            break;
        out->type = codes[i].type;
        out->is_bool = i == BOOL;
        out->is_big_endian = text[0] == '>' && wide > 1;
        return NULL;
    }
    (void)snprintf(why, 128, "holds elements of '%.*s', which clprim does not have", size < 64 ? (int)size : 64, text);
    return why;
}

/* "()", "(3,)", "(3, 4)". A comma at the end is required after a single number, and allowed after several. */
static const char *parse_shape(npy_header *out, cursor *at)
{
    static const char damaged[] = "has a damaged header: 'shape' is no tuple of sizes";
    bool is_empty = false;
    bool overflows = false;
    bool has_comma = true;
    size_t count = 1;
    if (!take(at, '('))
        return damaged;
    for (out->dimensions = 0; !take(at, ')'); out->dimensions++) {
        size_t extent = 0;
        if (!has_comma || out->dimensions == NPY_MAX_DIMENSIONS || !take_size(at, &extent))
            return damaged;
        has_comma = take(at, ',');
        is_empty = is_empty || extent == 0;
        overflows = overflows || (extent > 0 && count > SIZE_MAX / extent);
        count *= extent;
    }
    if (out->dimensions == 1 && !has_comma)
        return damaged;
    if (!is_empty && (overflows || count > SIZE_MAX / 16))
        return "has a shape of more elements than any file has";
    out->count = is_empty ? 0 : count;
    return NULL;
}

static const char *parse_order(npy_header *out, cursor *at)
{
    out->is_fortran = take_word(at, "True");
    return out->is_fortran || take_word(at, "False") ? NULL
                                                     : "has a damaged header: 'fortran_order' is not True or False";
}

static const char *parse_member(npy_header *out, unsigned *found, cursor *at, char why[static 128])
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    const char *key = NULL;
    size_t size = 0;
    unsigned which = 0;
    if (!take_string(at, &key, &size) || !take(at, ':'))
        return "has a damaged header: it is no dict";
    while (which < 3 && (strlen(keys[which]) != size || memcmp(key, keys[which], size) != 0))
        which++;
    if (which == 3 || (*found & 1U << which) != 0)
        return "has a damaged header: a member is unknown or there twice";
    *found |= 1U << which;
    if (which == 0)
        return parse_descr(out, at, why);
    return which == 1 ? parse_order(out, at) : parse_shape(out, at);
}

const char *npy_parse_text(npy_header *out, const char *text, size_t size, char why[static 128])
{
    cursor at = {text, text + size};
    npy_header header = {0};
    unsigned found = 0;
    bool has_comma = true;
    if (size == 0 || text[size - 1] != '\n')
        return "has a damaged header: no line feed ends it";
    at.end--;
    if (!take(&at, '{'))
        return "has a damaged header: it is no dict";
    while (!take(&at, '}')) {
        const char *wrong = has_comma ? parse_member(&header, &found, &at, why) : "has a damaged header: it is no dict";
        if (wrong != NULL)
            return wrong;
        has_comma = take(&at, ',');
    }
    skip_spaces(&at);
    if (at.at != at.end)
        return "has a damaged header: something follows the dict";
    if (found != 7)
        return "has a damaged header: a member is missing";
    header.is_fortran = header.is_fortran && header.dimensions > 1;
    *out = header;
    return NULL;
}

void npy_write(unsigned char out[NPY_WRITTEN_SIZE], clprim_type type, bool is_bool, size_t count)
{
    char text[NPY_WRITTEN_SIZE];
    size_t which = is_bool ? BOOL : 0;
    while (codes[which].type != type)
        which++;
    const int size = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%zu,), }",
                              clprim_type_size(type) > 1 ? '<' : '|', codes[which].code, count);
    memset(out, ' ', NPY_WRITTEN_SIZE);
    memcpy(out, MAGIC, NPY_MAGIC_SIZE);
    out[6] = 1;
    out[7] = 0;
    out[8] = NPY_WRITTEN_SIZE - 10;
    out[9] = 0;
    memcpy(out + 10, text, (size_t)size);
    out[NPY_WRITTEN_SIZE - 1] = '\n';
}
