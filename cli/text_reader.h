// SPDX-License-Identifier: MIT
/* text_reader.h: read numbers from a text, separated by white space. */
#ifndef CLPRIM_CLI_TEXT_READER_H
#define CLPRIM_CLI_TEXT_READER_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_BLOCK = 1 << 16, TEXT_WHY_SIZE = 320 };

/* Text that was read, but not parsed yet. */
typedef struct text_reader {
    char block[TEXT_BLOCK + 1];
    size_t at;    /* index of the next character */
    size_t size;  /* number of characters in the block */
    bool is_last; /* the block is the last one */
    uint64_t line;
} text_reader;

/* Start at the beginning of the text. */
void text_reset(text_reader *self);

/* Where to put more text: *room bytes. *room may be 0 if a number is longer than a block. */
char *text_room(text_reader *self, size_t *room);

/* Parse up to `capacity` numbers of a type from the block. If *got is less, either more text is needed, or the text is
 * at its end (text_is_at_end). Returns false, and why, if the text on line self->line is not such a number. */
bool text_take(text_reader *self, void *out, clprim_type type, size_t capacity, size_t *got,
               char why[static TEXT_WHY_SIZE]);

/* Whether only white space is left; false if that is not known yet. */
bool text_is_at_end(text_reader *self);

#endif
