/* trace_file.c: a file of events that is valid at any time. */
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_clock.h"

enum { MUCH = 1 << 15, OLD = 100000000 /* bytes, and nanoseconds, after which events are written */ };

static const char BEGIN[] = "[\n";
static const char END[] = "\n]\n";

struct clprim__trace_file {
    struct clprim__trace_file *next;
    char *path; /* as given in CLPRIM_TRACE */
    int fd;
    pid_t owner; /* the process that opened it; a forked process does not write */
    pthread_mutex_t mutex;
    clprim__text text; /* events that are not written yet */
    off_t size;        /* size of the events in the file, without END */
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

static bool write_all(int fd, const char *bytes, size_t size, off_t at)
{
    while (size > 0) {
        const ssize_t n = pwrite(fd, bytes, size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Write the collected events. If the disk is full, the file keeps the events that it has, and a valid end. The mutex
 * must be held. */
static void write_out(clprim__trace_file *self)
{
    const size_t size = self->text.size;
    if (size > 0 && !self->is_broken && !self->text.failed && self->owner == getpid()) {
        clprim__text_append(&self->text, END, sizeof END - 1);
        self->is_broken = self->text.failed || !write_all(self->fd, self->text.data, self->text.size, self->size);
        if (!self->is_broken)
            self->size += (off_t)size;
        else if (ftruncate(self->fd, self->size) == 0)
            (void)write_all(self->fd, END, sizeof END - 1, self->size);
    }
    if (self->text.failed)
        clprim__text_free(&self->text);
    self->text.size = 0;
    self->has_events = self->size > (off_t)(sizeof BEGIN - 1); /* events that were not written need no comma */
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

static bool is_written_elsewhere(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN);
}

/* Returns a descriptor, or -1 and errno. */
static int open_path(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd >= 0 && is_written_elsewhere(fd)) {
        clprim__text other = {0};
        (void)close(fd);
        clprim__text_format(&other, "%s.%ld", path, (long)getpid());
        fd = other.data != NULL ? open(other.data, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666) : -1;
        clprim__text_free(&other);
    }
    if (fd < 0)
        return -1;
    struct stat facts;
    const bool is_file = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
    if ((!is_file || ftruncate(fd, 0) == 0) && write_all(fd, BEGIN, sizeof BEGIN - 1, 0) &&
        write_all(fd, END, sizeof END - 1, sizeof BEGIN - 1))
        return fd;
    const int reason = errno;
    (void)close(fd);
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
            clprim__text_format(&name, "%ld", (long)getpid());
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
        (void)strerror_r(errno, reason, sizeof reason);
        status = clprim__fail(CLPRIM_INVALID_ARGUMENT, "the trace %s cannot be written: %s (CLPRIM_TRACE)", name.data,
                              reason);
        goto done;
    }
    pthread_mutex_init(&self->mutex, NULL);
    self->owner = getpid();
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
    while (found != NULL && (strcmp(found->path, path) != 0 || found->owner != getpid()))
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
