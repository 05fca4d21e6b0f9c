// SPDX-License-Identifier: MIT
/* source.c: read an array from a file or a pipe. */
#include "source.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "platform.h"
#include "ranks.h"
#include "system.h"

static cli_result unreadable(const source *self)
{
    return cli_refuse(self->name, "%s", strerror(errno));
}

/* Read and parse the header of a .npy file, whose first 12 bytes have been read. */
static cli_result read_header(source *self, npy_header *header)
{
    char why[128];
    size_t prefix_size = 0;
    size_t text_size = 0;
    size_t got = 0;
    cli_result result = CLI_OK;
    char *text = NULL;
    const char *wrong = self->num_ahead == NPY_PREFIX_SIZE ? npy_parse_prefix(&prefix_size, &text_size, self->ahead)
                                                           : "ends in the middle of its header";
    if (wrong != NULL)
        return cli_refuse(self->name, "%s", wrong);
    const size_t there = NPY_PREFIX_SIZE - prefix_size;
    text = malloc(text_size + NPY_PREFIX_SIZE);
    if (text == NULL)
        return cli_refuse(self->name, "out of memory");
    memcpy(text, self->ahead + prefix_size, there);
    if (text_size < there)
        result = cli_refuse(self->name, "has a damaged header: it is too short");
    else if (!clprim__file_read(self->fd, text + there, text_size - there, -1, &got))
        result = unreadable(self);
    else if (got < text_size - there)
        result = cli_refuse(self->name, "ends in the middle of its header");
    else if ((wrong = npy_parse_text(header, text, text_size, why)) != NULL)
        result = cli_refuse(self->name, "%s", wrong);
    self->begin += (off_t)(prefix_size + text_size);
    self->num_ahead = 0;
    free(text);
    return result;
}

/* Compare the header's shape with the file's size, which decides. */
static cli_result check_size(source *self, off_t file_size)
{
    const size_t bytes = file_size > self->begin ? (size_t)(file_size - self->begin) : 0;
    if (self->is_npy) {
        if (bytes != self->count * self->size)
            return cli_refuse(self->name, "has %zu bytes of data where its header says %zu elements of %zu: %s", bytes,
                              self->count, self->size,
                              bytes < self->count * self->size ? "truncated" : "something follows them");
        return CLI_OK;
    }
    if (bytes % self->size != 0)
        return cli_refuse(self->name, "has %zu bytes, which is no multiple of the %zu of a %s", bytes, self->size,
                          clprim_type_name(self->type));
    self->count = bytes / self->size;
    return CLI_OK;
}

static cli_result begin_text(source *self)
{
    self->is_text = true;
    self->text = malloc(sizeof *self->text);
    if (self->text == NULL)
        return cli_refuse(self->name, "out of memory");
    text_reset(self->text);
    return CLI_OK;
}

/* Find the format, from the first bytes, --type and --text. */
static cli_result look(source *self, clprim_type given, bool is_text)
{
    npy_header header = {0};
    cli_result result = CLI_OK;
    self->is_npy = npy_is_magic(self->ahead, self->num_ahead);
    if (self->is_npy) {
        CLI_TRY(read_header(self, &header));
        self->type = header.type;
        self->count = header.count;
        self->is_fortran = header.is_fortran;
        self->is_bool = header.is_bool;
        self->is_big_endian = header.is_big_endian;
        if (given != CLPRIM_TYPE_DEFAULT && given != header.type)
            result = cli_refuse(self->name, "holds %s, not %s as --type says", source_type_name(self, header.type),
                                clprim_type_name(given));
    } else if (npy_is_name(self->name)) {
        result = cli_refuse(self->name, "is no .npy file: it does not begin as one");
    } else if (given == CLPRIM_TYPE_DEFAULT) {
        result = cli_refuse(self->name, "is no .npy file, and %s --type", is_text ? "text needs" : "raw data need");
    } else {
        self->type = given;
        if (is_text)
            CLI_TRY(begin_text(self));
    }
done:
    return result;
}

static cli_result refuse_to_divide(const source *self)
{
    return cli_refuse(self->name, "several ranks take .npy and raw files, not pipes or text");
}

static cli_result open_whole(source *out, const cli_options *options)
{
    clprim__facts facts;
    const bool is_stdin = strcmp(options->file, "-") == 0;
    cli_result result = CLI_OK;
    *out = (source){.name = cli_input_name(options->file), .fd = -1, .count = SIZE_MAX, .copy = -1};
    out->fd = is_stdin ? system_duplicate(STDIN_FILENO) : system_open(options->file, false);
    if (out->fd < 0 || !clprim__facts_of(&facts, out->fd))
        return unreadable(out);
    if (facts.is_directory)
        return cli_refuse(out->name, "is a directory");
    out->is_file = facts.is_file;
    if (!out->is_file && ranks_size() > 1)
        return refuse_to_divide(out);
    out->begin = out->is_file ? lseek(out->fd, 0, SEEK_CUR) : 0;
    if (!clprim__file_read(out->fd, out->ahead, NPY_PREFIX_SIZE, -1, &out->num_ahead))
        return unreadable(out);
    CLI_TRY(look(out, options->type, options->text));
    out->size = clprim_type_size(out->type);
    if (out->is_file && !out->is_text)
        CLI_TRY(check_size(out, (off_t)facts.size));
    if (out->is_text && ranks_size() > 1)
        return refuse_to_divide(out);
done:
    return result;
}

static cli_result take_part(source *self)
{
    const size_t whole = self->count;
    self->first = ranks_first(whole, ranks_rank());
    self->count = ranks_first(whole, ranks_rank() + 1) - self->first;
    self->elsewhere = whole - self->count;
    self->begin += (off_t)(self->first * self->size);
    self->num_ahead = 0;
    return lseek(self->fd, self->begin, SEEK_SET) < 0 ? unreadable(self) : CLI_OK;
}

cli_result source_open(source *out, const cli_options *options)
{
    cli_result result = CLI_OK;
    CLI_TRY(ranks_agree(open_whole(out, options)));
    if (ranks_size() == 1)
        return CLI_OK;
    if (ranks_are_same(out->count ^ (uint64_t)out->type << 56))
        result = ranks_agree(take_part(out));
    else
        result = ranks_agree(cli_refuse(out->name, "is not the same file on all ranks"));
done:
    return result;
}

void source_close(source *self)
{
    if (self->fd >= 0)
        (void)close(self->fd);
    if (self->copy >= 0)
        (void)close(self->copy);
    if (self->mapped != NULL)
        system_unmap((void *)(uintptr_t)self->mapped, self->mapped_size);
    free(self->copied);
    free(self->text);
    self->mapped = NULL;
    self->copied = NULL;
    self->fd = -1;
    self->copy = -1;
    self->text = NULL;
}

/* Read the next bytes, beginning with those that were read ahead. */
static cli_result read_bytes(source *self, void *out, size_t size, size_t *got)
{
    const size_t there = self->num_ahead < size ? self->num_ahead : size;
    memcpy(out, self->ahead, there);
    memmove(self->ahead, self->ahead + there, self->num_ahead - there);
    self->num_ahead -= there;
    if (!clprim__file_read(self->fd, (char *)out + there, size - there, -1, got))
        return unreadable(self);
    *got += there;
    if (self->copy >= 0 && !clprim__file_write(self->copy, out, *got, -1))
        return temporary_failed();
    return CLI_OK;
}

/* After its last element, a pipe must end. */
static cli_result check_end(source *self)
{
    if (self->is_file || self->is_text || self->num_ahead > 0 ||
        !clprim__file_read(self->fd, self->ahead, 1, -1, &self->num_ahead))
        return CLI_OK;
    if (self->num_ahead > 0 && self->taken == self->count)
        return cli_refuse(self->name, "has more than the %zu elements that its header says", self->count);
    if (self->num_ahead == 0 && self->count == SIZE_MAX)
        self->count = self->taken;
    return CLI_OK;
}

static cli_result cut_short(const source *self, size_t got)
{
    return cli_refuse(self->name, "ends after %zu of %zu elements: truncated", self->taken + got, self->count);
}

static cli_result read_text(source *self, void *out, size_t wanted, size_t *got)
{
    char why[TEXT_WHY_SIZE];
    char place[PATH_MAX + 32];
    cli_result result = CLI_OK;
    for (;;) {
        size_t some = 0;
        size_t room = 0;
        size_t bytes = 0;
        const bool is_fine =
            text_take(self->text, (char *)out + *got * self->size, self->type, wanted - *got, &some, why);
        *got += some;
        (void)snprintf(place, sizeof place, "%s:%" PRIu64, self->name, self->text->line);
        if (!is_fine)
            return cli_refuse(place, "%s", why);
        if (text_is_at_end(self->text) || (*got == wanted && self->text->at < self->text->size))
            break;
        char *to = text_room(self->text, &room);
        if (room == 0)
            return cli_refuse(place, "a number of more than %d characters", TEXT_BLOCK);
        CLI_TRY(read_bytes(self, to, room, &bytes));
        self->text->size += bytes;
        self->text->is_last = bytes < room;
    }
    if (*got < wanted && self->count != SIZE_MAX)
        return cut_short(self, *got);
    if (text_is_at_end(self->text))
        self->count = self->taken + *got;
done:
    return result;
}

/* Convert elements of a .npy file to the host's representation. */
static void convert(const source *self, unsigned char *elements, size_t count)
{
    const size_t size = self->size;
    for (size_t i = 0; i < count && self->is_bool; i++)
        elements[i] = elements[i] != 0;
    for (size_t i = 0; i < count && self->is_big_endian; i++) {
        for (size_t a = i * size, b = a + size - 1; a < b; a++, b--) {
            const unsigned char byte = elements[a];
            elements[a] = elements[b];
            elements[b] = byte;
        }
    }
}

static cli_result read_binary(source *self, void *out, size_t wanted, size_t *got)
{
    size_t bytes = 0;
    cli_result result = CLI_OK;
    CLI_TRY(read_bytes(self, out, wanted * self->size, &bytes));
    *got = bytes / self->size;
    if (*got < wanted && self->count != SIZE_MAX)
        return cut_short(self, *got);
    if (bytes % self->size != 0)
        return cli_refuse(self->name, "has %zu bytes, which is no multiple of the %zu of a %s",
                          self->taken * self->size + bytes, self->size, clprim_type_name(self->type));
    convert(self, out, *got);
done:
    return result;
}

cli_result source_read(source *self, void *out, size_t capacity, size_t *got)
{
    const size_t rest = self->count - self->taken;
    const size_t wanted = capacity < rest ? capacity : rest;
    cli_result result = CLI_OK;
    *got = 0;
    CLI_TRY(self->is_text ? read_text(self, out, wanted, got) : read_binary(self, out, wanted, got));
    self->taken += *got;
    CLI_TRY(check_end(self));
done:
    return result;
}

bool source_is_at_end(const source *self)
{
    return self->taken == self->count;
}

cli_result source_keep(source *self)
{
    return self->is_file ? CLI_OK : temporary_open(&self->copy);
}

cli_result source_rewind(source *self)
{
    if (self->copy >= 0) {
        (void)close(self->fd);
        self->fd = self->copy;
        self->copy = -1;
        self->begin = 0;
        self->is_file = true;
    }
    self->num_ahead = 0;
    self->taken = 0;
    if (self->is_text)
        text_reset(self->text);
    return lseek(self->fd, self->begin, SEEK_SET) < 0 ? unreadable(self) : CLI_OK;
}

const char *source_type_name(const source *self, clprim_type type)
{
    return self->is_bool && type == self->type ? "bool" : clprim_type_name(type);
}

cli_result source_needs_order(const source *self)
{
    return self->is_fortran ? cli_refuse(self->name, "is in Fortran order, and here the order of the elements matters")
                            : CLI_OK;
}
