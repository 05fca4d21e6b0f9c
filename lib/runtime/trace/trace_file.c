// SPDX-License-Identifier: MIT
/* trace_file.c: a file of events that is valid at any time. */
#include "trace_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "trace_clock.h"

enum { MUCH = 1 << 15, OLD = 100000000 /* bytes, and nanoseconds, after which events are written */ };

static const char BEGIN[] = "[\n";
static const char END[] = "\n]\n";

struct clprim__trace_file {
    struct clprim__trace_file *next;
    char *path; /* as given in CLPRIM_TRACE */
    int fd;
    long owner; /* the process that opened it; a forked process does not write */
    pthread_mutex_t mutex;
    clprim__text text; /* events that are not written yet */
    int64_t size;      /* size of the events in the file, without END */
    bool is_broken;
    bool has_events; /* whether there are any events, written or not */
    unsigned opened;
    long long written; /* time of the last write */
};

static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER;
static clprim__trace_file *files;

void clprim__trace_append_string(clprim__text *text, const char *string)
{
    clprim__text_append(text, "\"", 1);
    for (const char *p = string; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            clprim__text_format(text, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f) /* so the file is valid JSON whatever encoding a driver's names have */
            clprim__text_format(text, "\\u%04x", c);
        else
            clprim__text_append(text, p, 1);
    }
    clprim__text_append(text, "\"", 1);
}

void clprim__trace_append_time(clprim__text *text, const char *key, long long nanoseconds)
{
    const char *sign = nanoseconds < 0 ? "-" : "";
    const long long size = nanoseconds < 0 ? -nanoseconds : nanoseconds;
    clprim__text_format(text, ",\"%s\":%s%lld.%03lld", key, sign, size / 1000, size % 1000);
}

/* Write the collected events. If the disk is full, the file keeps the events that it has, and a valid end. The mutex
 * must be held. */
static void write_out(clprim__trace_file *self)
{
    const size_t size = self->text.size;
    if (size > 0 && !self->is_broken && !self->text.failed && self->owner == clprim__process()) {
        clprim__text_append(&self->text, END, sizeof END - 1);
        self->is_broken =
            self->text.failed || !clprim__file_write(self->fd, self->text.data, self->text.size, self->size);
        if (!self->is_broken)
            self->size += (int64_t)size;
        else if (clprim__file_truncate(self->fd, (uint64_t)self->size))
            (void)clprim__file_write(self->fd, END, sizeof END - 1, self->size);
    }
    if (self->text.failed)
        clprim__text_free(&self->text);
    self->text.size = 0;
    self->has_events = self->size > (int64_t)(sizeof BEGIN - 1); /* events that were not written need no comma */
    self->written = clprim__trace_now();
}

clprim__text *clprim__trace_file_begin(clprim__trace_file *self)
{
    pthread_mutex_lock(&self->mutex);
    if (self->has_events)
        clprim__text_append(&self->text, ",\n", 2);
    self->has_events = true;
    return &self->text;
}

void clprim__trace_file_end(clprim__trace_file *self)
{
    if (self->text.size >= MUCH || self->text.failed || clprim__trace_now() - self->written >= OLD)
        write_out(self);
    pthread_mutex_unlock(&self->mutex);
}

void clprim__trace_file_flush(clprim__trace_file *self)
{
    pthread_mutex_lock(&self->mutex);
    write_out(self);
    pthread_mutex_unlock(&self->mutex);
}

/* Returns a descriptor, or -1 and errno. */
static int open_path(const char *path)
{
    int fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_WRITE);
    if (fd >= 0 && clprim__file_lock_for_process(fd) == CLPRIM__LOCKED_BY_ANOTHER) {
        clprim__text other = {0};
        clprim__file_close(fd);
        clprim__text_format(&other, "%s.%ld", path, clprim__process());
        fd = other.data != NULL ? clprim__file_open(CLPRIM__HERE, other.data, CLPRIM__OPEN_WRITE) : -1;
        clprim__text_free(&other);
    }
    if (fd < 0)
        return -1;
    clprim__facts facts;
    const bool is_file = clprim__facts_of(&facts, fd) && facts.is_file;
    if ((!is_file || clprim__file_truncate(fd, 0)) && clprim__file_write(fd, BEGIN, sizeof BEGIN - 1, 0) &&
        clprim__file_write(fd, END, sizeof END - 1, sizeof BEGIN - 1))
        return fd;
    const int reason = errno;
    clprim__file_close(fd);
    errno = reason;
    return -1;
}

static clprim_status create(clprim__trace_file **out, const char *path)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text name = {0};
    clprim__trace_file *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a trace");
    self->fd = -1;
    for (const char *p = path; *p != '\0'; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            clprim__text_format(&name, "%ld", clprim__process());
            p++;
        } else {
            clprim__text_append(&name, p, 1);
        }
    }
    if (name.failed || name.data == NULL || (self->path = strdup(path)) == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a trace");
        goto done;
    }
    self->fd = open_path(name.data);
    if (self->fd < 0) {
        char reason[128] = "";
        (void)clprim__error_text(reason, sizeof reason, errno);
        status = clprim__fail(CLPRIM_INVALID_ARGUMENT, "the trace %s cannot be written: %s (CLPRIM_TRACE)", name.data,
                              reason);
        goto done;
    }
    pthread_mutex_init(&self->mutex, NULL);
    self->owner = clprim__process();
    self->size = sizeof BEGIN - 1;
    self->written = clprim__trace_now();
    *out = self;
    self = NULL;
done:
    if (self != NULL)
        free(self->path);
    free(self);
    clprim__text_free(&name);
    return status;
}

clprim_status clprim__trace_file_open(clprim__trace_file **out, unsigned *number, const char *path)
{
    clprim_status status = CLPRIM_SUCCESS;
    pthread_mutex_lock(&files_mutex);
    clprim__trace_file *found = files;
    while (found != NULL && (strcmp(found->path, path) != 0 || found->owner != clprim__process()))
        found = found->next;
    if (found == NULL) {
        status = create(&found, path);
        if (found != NULL) {
            found->next = files;
            files = found; /* kept until the process ends */
        }
    }
    if (found != NULL) {
        *number = ++found->opened;
        *out = found;
    }
    pthread_mutex_unlock(&files_mutex);
    return status;
}
