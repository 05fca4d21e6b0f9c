/* text_reader.h: numbers in a text, between white space. */
#ifndef CLPRIM_CLI_TEXT_READER_H
#define CLPRIM_CLI_TEXT_READER_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_BLOCK = 1 << 16, TEXT_WHY_SIZE = 320 };

/* What was read of a text and is not used up. */
typedef struct text_reader {
    char block[TEXT_BLOCK + 1];
    size_t at;    /* the next character */
    size_t size;  /* of all in the block */
    bool is_last; /* nothing follows the block */
    uint64_t line;
} text_reader;

/* From its beginning. */
void text_reset(text_reader *self);

/* Where to put more of it: *room bytes, which may be 0 where a number is longer than a block. */
char *text_room(text_reader *self, size_t *room);

/* Up to `capacity` numbers of a type from the block. Where less are *got, more of the text is needed, or there is no
 * more (text_is_at_end). False, and why: what is on self->line is no such number. */
bool text_take(text_reader *self, void *out, clprim_type type, size_t capacity, size_t *got,
               char why[static TEXT_WHY_SIZE]);

/* Nothing but white space is left; false also where that is not known yet. */
bool text_is_at_end(text_reader *self);

#endif
