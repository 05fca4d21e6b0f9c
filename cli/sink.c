/* sink.c: where an array goes. */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "npy.h"
#include "number.h"

enum { MOST_PARTS = 4, COPY_SIZE = 1 << 16 };

/* Files that are being written: a signal that ends the process removes them. */
static char *volatile parts[MOST_PARTS];

static void remove_parts(int number)
{
    for (size_t i = 0; i < MOST_PARTS; i++)
        if (parts[i] != NULL)
            (void)unlink(parts[i]);
    (void)raise(number); /* its own way again: SA_RESETHAND */
}

void sink_watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    action.sa_handler = remove_parts;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) /* nohup's stays */
            (void)sigaction(numbers[i], &action, NULL);
}

static cli_result unwritable(const sink *self)
{
    return cli_refuse(self->name, "%s", strerror(errno));
}

/* A new file beside the one that it will be, with the rights that that one has, or a new one would have. */
static cli_result open_part(sink *self, const char *path, const struct stat *before)
{
    static const char suffix[] = ".clprim-XXXXXX";
    const mode_t mask = umask(0);
    (void)umask(mask);
    const size_t size = strlen(path) + sizeof suffix;
    self->part = malloc(size);
    if (self->part == NULL)
        return cli_refuse(self->name, "out of memory");
    (void)snprintf(self->part, size, "%s%s", path, suffix);
    while (self->slot < MOST_PARTS - 1 && parts[self->slot] != NULL)
        self->slot++;
    parts[self->slot] = self->part;
    self->fd = mkstemp(self->part);
    if (self->fd < 0) {
        const cli_result result = unwritable(self);
        parts[self->slot] = NULL;
        free(self->part);
        self->part = NULL;
        return result;
    }
    (void)fchmod(self->fd, before != NULL ? before->st_mode & 0777 : 0666 & ~mask);
    return CLI_OK;
}

static cli_result open_path(sink *self, const char *path)
{
    struct stat facts;
    const bool is_there = stat(path, &facts) == 0;
    self->name = path;
    self->path = path;
    if (!is_there && errno != ENOENT)
        return unwritable(self);
    if (is_there && S_ISDIR(facts.st_mode))
        return cli_refuse(path, "is a directory");
    if (!is_there || S_ISREG(facts.st_mode))
        return open_part(self, path, is_there ? &facts : NULL);
    self->fd = open(path, O_WRONLY | O_CLOEXEC);
    return self->fd < 0 ? unwritable(self) : CLI_OK;
}

/* A header now, where it can be right or corrected; else the elements wait in a file without a name. */
static cli_result begin(sink *self)
{
    unsigned char header[NPY_WRITTEN_SIZE];
    if (!self->is_npy)
        return CLI_OK;
    if (self->count == SIZE_MAX && self->part == NULL)
        return temporary_open(&self->spool);
    npy_write(header, self->type, self->count != SIZE_MAX ? self->count : 0);
    return file_write(self->fd, header, sizeof header, -1) ? CLI_OK : unwritable(self);
}

cli_result sink_open_file(sink *out, const char *path, clprim_type type, size_t count)
{
    const size_t size = strlen(path);
    cli_result result = CLI_OK;
    *out = (sink){.fd = -1, .spool = -1, .type = type, .size = clprim_type_size(type), .count = count};
    out->is_npy = size > 4 && strcmp(path + size - 4, ".npy") == 0;
    CLI_TRY(open_path(out, path));
    CLI_TRY(begin(out));
done:
    return result;
}

cli_result sink_open(sink *out, const cli_options *options, const source *as_input, clprim_type type, size_t count,
                     const char *second_name, json *object)
{
    if (options->output != NULL && strcmp(options->output, "-") != 0)
        return sink_open_file(out, options->output, type, count);
    *out = (sink){.fd = STDOUT_FILENO, .spool = -1, .type = type, .size = clprim_type_size(type), .count = count};
    out->name = "standard output";
    out->second_name = second_name;
    out->is_json = options->output == NULL && options->json;
    out->is_text = options->output == NULL && !options->json;
    out->is_npy = options->output != NULL && as_input->is_npy;
    if (out->is_json) {
        json_key(object, "values");
        (void)putchar('[');
    }
    return begin(out);
}

static void print(sink *self, const char *elements, const uint64_t *second, size_t count)
{
    char text[NUMBER_TEXT_SIZE];
    cli_progress_end(); /* both may be the terminal */
    for (size_t i = 0; i < count; i++) {
        const char *element = elements + i * self->size;
        if (self->is_text) {
            number_text(text, self->type, element);
            printf(second != NULL ? "%s\t" : "%s\n", text);
            if (second != NULL)
                printf("%" PRIu64 "\n", second[i]);
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
    const bool is_printed = self->is_text || self->is_json;
    if (is_printed)
        print(self, elements, self->second_name != NULL ? second : NULL, count);
    else if (self->spool >= 0 && !file_write(self->spool, elements, count * self->size, -1))
        return temporary_failed();
    else if (self->spool < 0 && !file_write(self->fd, elements, count * self->size, -1))
        return unwritable(self);
    self->written += count;
    return is_printed && ferror(stdout) != 0 ? unwritable(self) : CLI_OK;
}

/* Behind its header now what waited for it. */
static cli_result copy_spool(sink *self)
{
    unsigned char bytes[COPY_SIZE];
    off_t at = 0;
    npy_write(bytes, self->type, self->written);
    if (!file_write(self->fd, bytes, NPY_WRITTEN_SIZE, -1))
        return unwritable(self);
    for (size_t got = 1; got > 0; at += (off_t)got) {
        if (!file_read(self->spool, bytes, sizeof bytes, at, &got))
            return temporary_failed();
        if (!file_write(self->fd, bytes, got, -1))
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
    if (self->part != NULL && self->is_npy && self->count == SIZE_MAX) {
        npy_write(header, self->type, self->written);
        if (!file_write(self->fd, header, sizeof header, 0))
            return unwritable(self);
    }
    if (self->path != NULL) {
        const int fd = self->fd;
        self->fd = -1;
        if (close(fd) != 0)
            return unwritable(self);
    }
    if (self->part != NULL) {
        if (rename(self->part, self->path) != 0)
            return unwritable(self);
        parts[self->slot] = NULL;
        free(self->part);
        self->part = NULL;
    }
done:
    return result;
}

void sink_abandon(sink *self)
{
    if (self->path != NULL && self->fd >= 0)
        (void)close(self->fd);
    if (self->name != NULL && self->spool >= 0)
        (void)close(self->spool);
    if (self->part != NULL) {
        (void)unlink(self->part);
        parts[self->slot] = NULL;
        free(self->part);
    }
    *self = (sink){.fd = -1, .spool = -1};
}
