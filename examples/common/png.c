// SPDX-License-Identifier: MIT
/* png.c: pictures as PNG files (W3C, Portable Network Graphics). The examples are built where there is only a compiler,
 * so no library compresses: the samples lie in stored blocks of deflate (RFC 1951), and the file is as large as a PGM.
 */
#include "png.h"

#include <string.h>

enum { LARGEST_BLOCK = 65535, ADLER_PRIME = 65521 };

typedef struct writer {
    FILE *file;
    uint32_t crc;  /* of the chunk at hand */
    uint32_t a, b; /* Adler's checksum of all samples (RFC 1950) */
    bool is_written;
} writer;

static void put(writer *self, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        self->crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            self->crc = self->crc >> 1 ^ ((self->crc & 1) != 0 ? 0xedb88320u : 0);
    }
    self->is_written = fwrite(data, 1, size, self->file) == size && self->is_written;
}

static void put_word(writer *self, uint32_t word)
{
    const uint8_t bytes[] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
    put(self, bytes, sizeof bytes);
}

static void begin_chunk(writer *self, const char *type, size_t size)
{
    put_word(self, (uint32_t)size);
    self->crc = 0xffffffffu;
    put(self, type, 4);
}

static void end_chunk(writer *self)
{
    put_word(self, ~self->crc);
}

static void put_samples(writer *self, const uint8_t *samples, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        self->a = (self->a + samples[i]) % ADLER_PRIME;
        self->b = (self->b + self->a) % ADLER_PRIME;
    }
    put(self, samples, size);
}

/* A row is a chunk: a byte that says how the row is filtered, which it is not, and its samples, in as many blocks as
 * they take. What begins and ends the stream of all rows is in the first and the last one's chunk. */
static void put_row(writer *self, const uint8_t *samples, size_t size, bool is_first, bool is_last)
{
    const uint8_t unfiltered = 0;
    const size_t blocks = (size + LARGEST_BLOCK) / LARGEST_BLOCK; /* of size + 1 bytes, rounded up */
    begin_chunk(self, "IDAT", (is_first ? 2 : 0) + 5 * blocks + 1 + size + (is_last ? 4 : 0));
    if (is_first)
        put(self, "\x78\x01", 2);
    for (size_t at = 0; at < size + 1; at += LARGEST_BLOCK) {
        const size_t left = size + 1 - at;
        const unsigned length = (unsigned)(left < LARGEST_BLOCK ? left : LARGEST_BLOCK);
        const uint8_t head[] = {is_last && left == length, (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)~length,
                                (uint8_t)(~length >> 8)};
        put(self, head, sizeof head);
        if (at == 0)
            put_samples(self, &unfiltered, 1);
        put_samples(self, samples + (at == 0 ? 0 : at - 1), length - (at == 0));
    }
    if (is_last)
        put_word(self, self->b << 16 | self->a);
    end_chunk(self);
}

bool png_write(FILE *file, const image *picture)
{
    const size_t row = picture->width * picture->channels;
    const uint8_t kind[] = {8, picture->channels == 1 ? 0 : 2, 0, 0,
                            0}; /* bits, grey or RGB, deflate, not interlaced */
    writer self = {.file = file, .a = 1, .is_written = true};
    put(&self, "\x89PNG\r\n\x1a\n", 8);
    begin_chunk(&self, "IHDR", 13);
    put_word(&self, (uint32_t)picture->width);
    put_word(&self, (uint32_t)picture->height);
    put(&self, kind, sizeof kind);
    end_chunk(&self);
    for (size_t y = 0; y < picture->height; y++)
        put_row(&self, picture->samples + y * row, row, y == 0, y + 1 == picture->height);
    begin_chunk(&self, "IEND", 0);
    end_chunk(&self);
    return self.is_written;
}
