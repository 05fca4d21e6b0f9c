/* source.c: an array that is read from a file or a pipe. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cli_result unreadable(const source *self)
{
    return cli_refuse(self->name, "%s", strerror(errno));
}

/* The text of a .npy file's header, and what it says. The first 12 bytes have been read. */
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
    else if (!file_read(self->fd, text + there, text_size - there, -1, &got))
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

/* A header's shape, and what is there: the file's size is what counts. */
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

static bool has_npy_name(const char *name)
{
    const size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, ".npy") == 0;
}

/* What it is: by its first bytes, and by --type. */
static cli_result look(source *self, clprim_type given)
{
    npy_header header = {0};
    cli_result result = CLI_OK;
    self->is_npy = npy_is_magic(self->ahead, self->num_ahead);
    if (self->is_npy) {
        CLI_TRY(read_header(self, &header));
        self->type = header.type;
        self->count = header.count;
        self->is_fortran = header.is_fortran;
        if (given != CLPRIM_TYPE_DEFAULT && given != header.type)
            result = cli_refuse(self->name, "holds %s, not %s as --type says", clprim_type_name(header.type),
                                clprim_type_name(given));
    } else if (has_npy_name(self->name)) {
        result = cli_refuse(self->name, "is no .npy file: it does not begin as one");
    } else if (given == CLPRIM_TYPE_DEFAULT) {
        result = cli_refuse(self->name, "is no .npy file, and raw data need --type");
    } else {
        self->type = given;
    }
done:
    return result;
}

cli_result source_open(source *out, const cli_options *options)
{
    struct stat facts;
    const bool is_stdin = strcmp(options->file, "-") == 0;
    cli_result result = CLI_OK;
    *out = (source){.name = cli_input_name(options->file), .fd = -1, .count = SIZE_MAX, .copy = -1};
    out->fd = is_stdin ? dup(STDIN_FILENO) : open(options->file, O_RDONLY | O_CLOEXEC);
    if (out->fd < 0 || fstat(out->fd, &facts) != 0)
        return unreadable(out);
    if (S_ISDIR(facts.st_mode))
        return cli_refuse(out->name, "is a directory");
    out->is_file = S_ISREG(facts.st_mode);
    out->begin = out->is_file ? lseek(out->fd, 0, SEEK_CUR) : 0;
    if (!file_read(out->fd, out->ahead, NPY_PREFIX_SIZE, -1, &out->num_ahead))
        return unreadable(out);
    CLI_TRY(look(out, options->type));
    out->size = clprim_type_size(out->type);
    if (out->is_file)
        CLI_TRY(check_size(out, facts.st_size));
done:
    return result;
}

void source_close(source *self)
{
    if (self->fd >= 0)
        (void)close(self->fd);
    if (self->copy >= 0)
        (void)close(self->copy);
    self->fd = -1;
    self->copy = -1;
}

/* The next bytes, first those that were read ahead. */
static cli_result read_bytes(source *self, void *out, size_t size, size_t *got)
{
    const size_t there = self->num_ahead < size ? self->num_ahead : size;
    memcpy(out, self->ahead, there);
    memmove(self->ahead, self->ahead + there, self->num_ahead - there);
    self->num_ahead -= there;
    if (!file_read(self->fd, (char *)out + there, size - there, -1, got))
        return unreadable(self);
    *got += there;
    if (self->copy >= 0 && !file_write(self->copy, out, *got, -1))
        return temporary_failed();
    return CLI_OK;
}

/* Behind the last element of a pipe nothing may follow. */
static cli_result check_end(source *self)
{
    if (self->is_file || self->num_ahead > 0 || !file_read(self->fd, self->ahead, 1, -1, &self->num_ahead))
        return CLI_OK;
    if (self->num_ahead > 0 && self->taken == self->count)
        return cli_refuse(self->name, "has more than the %zu elements that its header says", self->count);
    if (self->num_ahead == 0 && self->count == SIZE_MAX)
        self->count = self->taken;
    return CLI_OK;
}

cli_result source_read(source *self, void *out, size_t capacity, size_t *got)
{
    const size_t rest = self->count - self->taken;
    const size_t wanted = capacity < rest ? capacity : rest;
    size_t bytes = 0;
    cli_result result = CLI_OK;
    *got = 0;
    CLI_TRY(read_bytes(self, out, wanted * self->size, &bytes));
    if (bytes < wanted * self->size && self->count != SIZE_MAX)
        return cli_refuse(self->name, "ends after %zu of %zu elements: truncated", self->taken + bytes / self->size,
                          self->count);
    if (bytes % self->size != 0)
        return cli_refuse(self->name, "has %zu bytes, which is no multiple of the %zu of a %s",
                          self->taken * self->size + bytes, self->size, clprim_type_name(self->type));
    *got = bytes / self->size;
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
    return lseek(self->fd, self->begin, SEEK_SET) < 0 ? unreadable(self) : CLI_OK;
}

cli_result source_needs_order(const source *self)
{
    return self->is_fortran ? cli_refuse(self->name, "is in Fortran order, and here the order of the elements matters")
                            : CLI_OK;
}
