// SPDX-License-Identifier: MIT
/* sink.c: the destination of an array. */
#include "sink.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "npy.h"
#include "number.h"
#include "platform.h"
#include "ranks.h"
#include "system.h"

enum { COPY_SIZE = 1 << 16 };

static cli_result unwritable(const sink *self)
{
    return self->file.name != NULL ? output_unwritable(&self->file)
                                   : cli_refuse("standard output", "%s", strerror(errno));
}

static bool write_bytes(const sink *self, const void *bytes, size_t size, off_t at)
{
    return clprim__file_write(self->file.name != NULL ? self->file.fd : STDOUT_FILENO, bytes, size, at);
}

/* Write the .npy header now if its count is known or can be corrected later. Otherwise the elements are kept in an
 * unnamed temporary file until the count is known. */
static cli_result begin(sink *self)
{
    unsigned char header[NPY_WRITTEN_SIZE];
    if (!self->is_npy)
        return CLI_OK;
    if (self->count == SIZE_MAX && self->file.part == NULL)
        return temporary_open(&self->spool);
    npy_write(header, self->type, self->is_bool, self->count != SIZE_MAX ? self->count : 0);
    return write_bytes(self, header, sizeof header, -1) ? CLI_OK : unwritable(self);
}

cli_result sink_open_file(sink *out, const cli_options *options, const char *name, clprim_type type, bool is_bool,
                          size_t count)
{
    cli_result result = CLI_OK;
    *out = SINK_NONE;
    out->type = type;
    out->size = clprim_type_size(type);
    out->is_bool = is_bool;
    out->count = count;
    out->is_npy = npy_is_name(name);
    out->file.name = name;
    if (ranks_rank() > 0)
        return CLI_OK; /* sink_share opens it on other ranks */
    CLI_TRY(output_open(&out->file, name));
    if (options->text && !out->is_npy) {
        CLI_TRY(output_stream(&out->file));
        out->text = out->file.stream;
    }
    CLI_TRY(begin(out));
done:
    return result;
}

cli_result sink_open(sink *out, const cli_options *options, const source *from, clprim_type type, size_t count,
                     const char *second_name, json *object)
{
    const bool is_bool = from->is_bool && type == from->type;
    const bool as_input = options->output != NULL; /* "-" */
    if (as_input && strcmp(options->output, "-") != 0)
        return sink_open_file(out, options, options->output, type, is_bool, count);
    *out = SINK_NONE;
    out->type = type;
    out->size = clprim_type_size(type);
    out->is_bool = is_bool;
    out->count = count;
    out->second_name = as_input ? NULL : second_name;
    out->is_json = !as_input && options->json;
    out->is_npy = as_input && from->is_npy;
    out->text = !as_input || from->is_text ? stdout : NULL;
    if (out->is_json) {
        json_key(object, "values");
        (void)putchar('[');
    }
    return begin(out);
}

static void print(sink *self, const char *elements, const uint64_t *second, size_t count)
{
    char text[NUMBER_TEXT_SIZE];
    cli_progress_end(); /* both may go to the terminal */
    for (size_t i = 0; i < count; i++) {
        const char *element = elements + i * self->size;
        if (!self->is_json) {
            number_text(text, self->type, element);
            (void)fprintf(self->text, second != NULL ? "%s\t" : "%s\n", text);
            if (second != NULL)
                (void)fprintf(self->text, "%" PRIu64 "\n", second[i]);
            continue;
        }
        printf("%s%s", self->written + i > 0 ? ", " : "", second != NULL ? "{\"value\": " : "");
        json_element(self->type, element);
        if (second != NULL)
            printf(", \"%s\": %" PRIu64 "}", self->second_name, second[i]);
    }
}

cli_result sink_write(sink *self, const void *elements, const uint64_t *second, size_t count)
{
    if (self->text != NULL)
        print(self, elements, self->second_name != NULL ? second : NULL, count);
    else if (self->spool >= 0 && !clprim__file_write(self->spool, elements, count * self->size, -1))
        return temporary_failed();
    else if (self->spool < 0 && !write_bytes(self, elements, count * self->size, -1))
        return unwritable(self);
    self->written += count;
    return self->text != NULL && ferror(self->text) != 0 ? unwritable(self) : CLI_OK;
}

static size_t header_size(const sink *self)
{
    return self->is_npy ? NPY_WRITTEN_SIZE : 0;
}

cli_result sink_take(sink *self, storage *at, size_t count, void **out)
{
    const bool is_whole = self->count == count;
    *out = NULL;
    if (self->file.part == NULL || self->text != NULL || count == 0) {
        self->taken_size = count * self->size;
        self->taken = *out = is_whole ? storage_take(at, self->taken_size) : storage_take_some(at, self->taken_size);
        return *out != NULL ? CLI_OK : CLI_REFUSED;
    }
    self->mapped_size = header_size(self) + count * self->size;
    self->mapped = storage_in_file(self->file.fd, self->mapped_size, is_whole);
    if (self->mapped == NULL)
        return unwritable(self);
    *out = (char *)self->mapped + header_size(self);
    return CLI_OK;
}

/* Give the file its final length, and find its path. */
static cli_result prepare_share(sink *self, char path[static PATH_MAX])
{
    if (self->file.part == NULL)
        return cli_refuse(self->file.name, "several ranks can only write a regular file");
    if (!system_make_long(self->file.fd, header_size(self) + self->count * self->size, true))
        return unwritable(self);
    const int length = snprintf(path, PATH_MAX, "%s", self->file.part);
    errno = ENAMETOOLONG;
    return length < PATH_MAX ? CLI_OK : unwritable(self);
}

cli_result sink_share(sink *self)
{
    char path[PATH_MAX] = "";
    cli_result result = CLI_OK;
    CLI_TRY(ranks_agree(ranks_rank() == 0 ? prepare_share(self, path) : CLI_OK));
    ranks_broadcast(0, path, sizeof path);
    if (ranks_rank() > 0)
        self->file.fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_CHANGE);
    result = ranks_agree(self->file.fd < 0 ? unwritable(self) : CLI_OK);
    self->is_part = true;
done:
    return result;
}

/* The first element of a rank's share. In the file, it is at a multiple of STORAGE_GRANULE, so that no two ranks write
 * the same page: if several machines share a file system, a page that two of them have mapped may not be consistent. */
static size_t share_begin(const sink *self, unsigned rank)
{
    const size_t at = header_size(self) + ranks_first(self->count, rank) * self->size;
    const size_t begin =
        ((at + STORAGE_GRANULE - 1) / STORAGE_GRANULE * STORAGE_GRANULE - header_size(self)) / self->size;
    return rank == 0 ? 0 : begin < self->count ? begin : self->count;
}

cli_result sink_take_part(sink *self, size_t *count, void **out)
{
    static char nothing;
    const size_t begin = share_begin(self, ranks_rank());
    const size_t end = share_begin(self, ranks_rank() + 1);
    const size_t before = begin > 0 ? 0 : header_size(self);
    *count = end - begin;
    *out = &nothing;
    if (*count == 0)
        return CLI_OK;
    self->mapped_size = before + *count * self->size;
    self->mapped =
        system_map(self->file.fd, begin > 0 ? header_size(self) + begin * self->size : 0, self->mapped_size, true);
    if (self->mapped == NULL)
        return unwritable(self);
    *out = (char *)self->mapped + before;
    return CLI_OK;
}

/* Rank 0 keeps the file open: it renames the file after all ranks have closed it. */
static cli_result give_part(sink *self)
{
    cli_result result = CLI_OK;
    if (self->mapped != NULL)
        system_unmap(self->mapped, self->mapped_size);
    self->mapped = NULL;
    self->written = self->count;
    if (ranks_rank() > 0) {
        result = output_finish(&self->file);
        self->file = OUTPUT_NONE;
    }
    return result;
}

cli_result sink_give(sink *self, const uint64_t *second, size_t count)
{
    cli_result result = CLI_OK;
    if (self->is_part)
        return give_part(self);
    if (self->mapped == NULL)
        return sink_write(self, self->taken, second, count);
    system_unmap(self->mapped, self->mapped_size);
    self->mapped = NULL;
    self->written = count;
    if (!clprim__file_truncate(self->file.fd, header_size(self) + count * self->size))
        result = unwritable(self);
    return result;
}

/* Write the header, now that the count is known, and then the elements from the temporary file. */
static cli_result copy_spool(sink *self)
{
    unsigned char bytes[COPY_SIZE];
    off_t at = 0;
    npy_write(bytes, self->type, self->is_bool, self->written);
    if (!write_bytes(self, bytes, NPY_WRITTEN_SIZE, -1))
        return unwritable(self);
    for (size_t got = 1; got > 0; at += (off_t)got) {
        if (!clprim__file_read(self->spool, bytes, sizeof bytes, at, &got))
            return temporary_failed();
        if (!write_bytes(self, bytes, got, -1))
            return unwritable(self);
    }
    return CLI_OK;
}

cli_result sink_finish(sink *self)
{
    unsigned char header[NPY_WRITTEN_SIZE];
    cli_result result = CLI_OK;
    if (self->is_json)
        (void)putchar(']');
    if (self->spool >= 0)
        CLI_TRY(copy_spool(self));
    if (self->file.part != NULL && self->is_npy && self->count == SIZE_MAX) {
        npy_write(header, self->type, self->is_bool, self->written);
        if (!write_bytes(self, header, sizeof header, 0))
            return unwritable(self);
    }
    if (self->file.name != NULL)
        CLI_TRY(output_finish(&self->file));
done:
    return result;
}

void sink_abandon(sink *self)
{
    if (self->mapped != NULL)
        system_unmap(self->mapped, self->mapped_size);
    storage_give(NULL, self->taken, self->taken_size);
    if (self->spool >= 0)
        (void)close(self->spool);
    output_abandon(&self->file);
    *self = SINK_NONE;
}
