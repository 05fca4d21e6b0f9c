// SPDX-License-Identifier: MIT
/* text_reader.c: read numbers from a text. */
#include "text_reader.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

enum { MOST_SHOWN = 40, WORD_SIZE = 4 * MOST_SHOWN + 1 }; /* characters of a word that messages show */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void text_reset(text_reader *self)
{
    self->at = 0;
    self->size = 0;
    self->is_last = false;
    self->line = 1;
}

char *text_room(text_reader *self, size_t *room)
{
    memmove(self->block, self->block + self->at, self->size - self->at);
    self->size -= self->at;
    self->at = 0;
    *room = TEXT_BLOCK - self->size;
    return self->block + self->size;
}

static void skip_spaces(text_reader *self)
{
    for (; self->at < self->size && is_space(self->block[self->at]); self->at++)
        self->line += self->block[self->at] == '\n' ? 1 : 0;
}

bool text_is_at_end(text_reader *self)
{
    skip_spaces(self);
    return self->is_last && self->at == self->size;
}

/* Write the beginning of a word for a message. Numbers consist of visible ASCII characters. Other bytes, such as those
 * of a byte-order mark, are shown by their codes. */
static void show(char out[static WORD_SIZE], const char *word, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (size_t i = 0; i < size && i < MOST_SHOWN; i++) {
        const unsigned char c = (unsigned char)word[i];
        const bool is_visible = c > ' ' && c < 0x7f;
        if (!is_visible) {
            out[at++] = '\\';
            out[at++] = 'x';
            out[at++] = digits[c >> 4];
        }
        out[at++] = is_visible ? word[i] : digits[c & 15];
    }
    out[at] = '\0';
}

static void explain(char why[static TEXT_WHY_SIZE], const char *text, size_t size, clprim_type type, number_fault fault)
{
    const char *name = clprim_type_name(type);
    const char *dots = size > MOST_SHOWN ? "..." : "";
    char word[WORD_SIZE];
    uint64_t least = 0;
    uint64_t greatest = 0;
    show(word, text, size);
    if (fault == NUMBER_NONE)
        (void)snprintf(why, TEXT_WHY_SIZE, "'%s'%s is not a number", word, dots);
    else if (fault == NUMBER_NO_INTEGER)
        (void)snprintf(why, TEXT_WHY_SIZE, "'%s'%s is not an integer, and the elements are %s", word, dots, name);
    else if (number_is_float(type))
        (void)snprintf(why, TEXT_WHY_SIZE, "%s%s is too large for %s", word, dots, name);
    else {
        char low[NUMBER_TEXT_SIZE];
        char high[NUMBER_TEXT_SIZE];
        number_limits(type, &least, &greatest);
        number_text(low, type, &least);
        number_text(high, type, &greatest);
        (void)snprintf(why, TEXT_WHY_SIZE, "%s%s is not in the range of %s, %s to %s", word, dots, name, low, high);
    }
}

bool text_take(text_reader *self, void *out, clprim_type type, size_t capacity, size_t *got,
               char why[static TEXT_WHY_SIZE])
{
    const size_t size = clprim_type_size(type);
    for (*got = 0; *got < capacity; (*got)++) {
        skip_spaces(self);
        size_t end = self->at;
        while (end < self->size && !is_space(self->block[end]))
            end++;
        if (end == self->at || (end == self->size && !self->is_last))
            return true;
        const char after = self->block[end];
        const char *word = self->block + self->at;
        self->block[end] = '\0';
        number_fault fault = number_parse((char *)out + *got * size, type, word);
        if (strlen(word) < end - self->at) /* it contains a zero byte */
            fault = NUMBER_NONE;
        if (fault != NUMBER_FINE) {
            explain(why, word, end - self->at, type, fault);
            return false;
        }
        self->block[end] = after;
        self->at = end;
    }
    return true;
}
