// SPDX-License-Identifier: MIT
/* source_take.c: read a file or a pipe into one array in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "platform.h"
#include "source.h"
#include "system.h"

enum { BLOCK = 1 << 18 /* minimum number of elements to read at a time */ };

/* The elements that were read so far. */
typedef struct copy {
    unsigned char *bytes;
    size_t size, capacity;
    int fd;         /* temporary file for elements that do not fit into memory; -1: none yet */
    size_t written; /* size of the temporary file in bytes */
} copy;

static cli_result to_disk(copy *c)
{
    cli_result result = CLI_OK;
    if (c->fd < 0)
        CLI_TRY(temporary_open(&c->fd));
    if (!clprim__file_write(c->fd, c->bytes, c->size, -1))
        return temporary_failed();
    c->written += c->size;
    c->size = 0;
done:
    return result;
}

/* Read the next elements. If the copy is on disk, the memory is reused for them. */
static cli_result read_some(copy *c, source *from, const storage *at)
{
    size_t got = 0;
    cli_result result = CLI_OK;
    if (c->capacity - c->size < BLOCK * from->size) {
        const size_t capacity = 2 * c->capacity + BLOCK * from->size;
        unsigned char *bytes = realloc(c->bytes, capacity);
        if (bytes == NULL)
            return cli_refuse(from->name, "out of memory for %zu bytes; give a smaller --memory", capacity);
        c->bytes = bytes;
        c->capacity = capacity;
    }
    CLI_TRY(source_read(from, c->bytes + c->size, (c->capacity - c->size) / from->size, &got));
    c->size += got * from->size;
    if (c->fd >= 0 || c->size > at->left)
        CLI_TRY(to_disk(c));
    cli_progress("read", from->taken, from->count);
done:
    return result;
}

static cli_result take_copy(source *self, storage *at, const void **out)
{
    copy c = {.fd = -1};
    cli_result result = CLI_OK;
    while (!source_is_at_end(self))
        CLI_TRY(read_some(&c, self, at));
    if (c.written > 0) {
        self->mapped_size = c.written;
        *out = self->mapped = system_map(c.fd, 0, c.written, false);
        result = *out != NULL ? CLI_OK : temporary_failed();
    } else {
        *out = self->copied = c.bytes;
        at->left -= c.size;
        c.bytes = NULL;
    }
done:
    if (c.fd >= 0)
        (void)close(c.fd);
    free(c.bytes);
    return result;
}

cli_result source_take(source *self, storage *at, const void **out)
{
    const bool is_plain = self->is_file && !self->is_text && !self->is_bool && !self->is_big_endian &&
                          self->begin % (off_t)self->size == 0;
    *out = NULL;
    if (!is_plain)
        return take_copy(self, at, out);
    if (self->count == 0)
        return CLI_OK;
    self->mapped_size = (size_t)self->begin + self->count * self->size;
    self->mapped = system_map(self->fd, 0, self->mapped_size, false);
    if (self->mapped == NULL)
        return cli_refuse(self->name, "%s", strerror(errno));
    self->taken = self->count;
    *out = (const char *)self->mapped + self->begin;
    return CLI_OK;
}
