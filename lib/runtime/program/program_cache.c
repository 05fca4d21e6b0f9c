/* program_cache.c: compiled programs on disk. */
#include "program_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_entry.h"
#include "cache_limit.h"
#include "error.h"
#include "text.h"

struct clprim__disk_cache {
    char *directory;
    uint64_t limit; /* bytes of all entries */
};

enum { TEMPORARY_SIZE = 96 };

clprim_status clprim__disk_cache_open(clprim__disk_cache **out)
{
    *out = NULL;
    const char *mode = getenv("CLPRIM_CACHE");
    if (mode != NULL && strcmp(mode, "off") == 0)
        return CLPRIM_SUCCESS;
    clprim__text directory = {0};
    const char *own = getenv("CLPRIM_CACHE_DIR");
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own != NULL && own[0] != '\0')
        clprim__text_format(&directory, "%s", own);
    else if (xdg != NULL && xdg[0] == '/') /* the XDG specification: relative paths are to be ignored */
        clprim__text_format(&directory, "%s/clprim", xdg);
    else if (home != NULL && home[0] != '\0')
        clprim__text_format(&directory, "%s/.cache/clprim", home);
    else
        return CLPRIM_SUCCESS;
    clprim__disk_cache *self = calloc(1, sizeof *self);
    if (self == NULL || directory.failed) {
        free(self);
        clprim__text_free(&directory);
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the program cache");
    }
    while (directory.size > 1 && directory.data[directory.size - 1] == '/')
        directory.data[--directory.size] = '\0'; /* which would have a link followed */
    self->directory = directory.data;
    self->limit = clprim__cache_limit();
    *out = self;
    return CLPRIM_SUCCESS;
}

void clprim__disk_cache_close(clprim__disk_cache *self)
{
    if (self == NULL)
        return;
    free(self->directory);
    free(self);
}

/* An open descriptor of the directory; -1, with a sentence in *why, where it is missing or not to be trusted. */
static int open_directory(const char *path, const char **why)
{
    struct stat facts;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *why = NULL;
    if (fd < 0) /* Linux says ENOTDIR of a link, too */
        *why = errno == ELOOP || errno == ENOTDIR ? "it is a link or not a directory"
               : errno == ENOENT                  ? "it does not exist yet"
                                                  : "it cannot be opened";
    else if (fstat(fd, &facts) != 0)
        *why = "it cannot be examined";
    else if (!clprim__cache_is_ours_alone(&facts))
        *why = facts.st_uid != geteuid() ? "it belongs to another user; CLPRIM_CACHE_DIR may name one of your own"
                                         : "others may write to it; chmod go-w makes it yours alone";
    if (*why == NULL || fd < 0)
        return fd;
    (void)close(fd);
    return -1;
}

static void make_directories(const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL)
        return;
    for (char *p = copy + 1; *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        (void)mkdir(copy, 0700);
        *p = '/';
    }
    (void)mkdir(copy, 0700);
    free(copy);
}

static bool load_binary(cl_program *out, cl_context context, cl_device_id device, const char *options,
                        const char *binary, size_t size)
{
    cl_int code = CL_SUCCESS;
    cl_int binary_status = CL_SUCCESS;
    const unsigned char *bytes = (const unsigned char *)binary;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &binary_status, &code);
    if (code != CL_SUCCESS)
        return false;
    if (binary_status != CL_SUCCESS || clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        clReleaseProgram(program);
        return false;
    }
    *out = program;
    return true;
}

char *clprim__disk_cache_get(size_t *binary_size, bool *rejected, const clprim__disk_cache *self, const char *key,
                             size_t key_size)
{
    char name[CLPRIM__CACHE_NAME_SIZE];
    const char *why = NULL;
    *rejected = false;
    const int directory = self != NULL ? open_directory(self->directory, &why) : -1;
    if (directory < 0)
        return NULL;
    clprim__cache_entry_name(name, key, key_size);
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    *rejected = fd < 0 && errno == ELOOP; /* a link */
    (void)close(directory);
    if (fd < 0)
        return NULL;
    char *bytes = clprim__cache_entry_read(fd, binary_size, key, key_size);
    if (bytes != NULL)
        clprim__cache_touch(fd);
    (void)close(fd);
    *rejected = bytes == NULL;
    return bytes;
}

bool clprim__disk_cache_load(cl_program *out, bool *rejected, const clprim__disk_cache *self, cl_context context,
                             cl_device_id device, const char *options, const char *key, size_t key_size)
{
    size_t binary_size = 0;
    char *bytes = clprim__disk_cache_get(&binary_size, rejected, self, key, key_size);
    const bool loaded = bytes != NULL && load_binary(out, context, device, options, bytes + key_size, binary_size);
    *rejected = *rejected || (bytes != NULL && !loaded);
    free(bytes);
    return loaded;
}

static char *program_binary(size_t *size, cl_program program)
{
    unsigned char *binary = NULL;
    *size = 0;
    cl_uint devices = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL) != CL_SUCCESS ||
        devices != 1 || clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) != CL_SUCCESS ||
        *size == 0 || (binary = malloc(*size)) == NULL)
        return NULL;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(unsigned char *), &binary, NULL) != CL_SUCCESS) {
        free(binary);
        return NULL;
    }
    return (char *)binary;
}

/* A name of its own: process numbers come again, in containers soon, and what was left under one must not be in the
 * way of the next. */
static void temporary_name(char name[TEMPORARY_SIZE])
{
    static unsigned counter;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(name, TEMPORARY_SIZE, ".%ld.%llx.%lx.%u.tmp", (long)getpid(), (unsigned long long)now.tv_sec,
                   (unsigned long)now.tv_nsec, __atomic_add_fetch(&counter, 1U, __ATOMIC_RELAXED));
}

bool clprim__disk_cache_put(const clprim__disk_cache *self, const char *key, size_t key_size, const char *binary,
                            size_t binary_size)
{
    char name[CLPRIM__CACHE_NAME_SIZE];
    char temporary[TEMPORARY_SIZE];
    const char *why = NULL;
    if (self == NULL)
        return false;
    make_directories(self->directory);
    const int directory = open_directory(self->directory, &why);
    if (directory < 0)
        return false;
    temporary_name(temporary);
    clprim__cache_entry_name(name, key, key_size);
    const int fd = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_there = fd >= 0 && clprim__cache_entry_write(fd, key, key_size, binary, binary_size);
    if (fd >= 0) {
        is_there = close(fd) == 0 && is_there && renameat(directory, temporary, directory, name) == 0;
        if (!is_there)
            (void)unlinkat(directory, temporary, 0);
    }
    clprim__cache_tidy(directory, name, self->limit);
    (void)close(directory);
    return is_there;
}

void clprim__disk_cache_store(const clprim__disk_cache *self, cl_program program, const char *key, size_t key_size)
{
    size_t binary_size = 0;
    char *binary = self != NULL ? program_binary(&binary_size, program) : NULL;
    if (binary != NULL)
        (void)clprim__disk_cache_put(self, key, key_size, binary, binary_size);
    free(binary);
}

size_t clprim__disk_cache_problem(char *out, size_t capacity, const clprim__disk_cache *self)
{
    struct stat facts;
    const char *why = NULL;
    if (capacity > 0)
        out[0] = '\0';
    if (self == NULL || (lstat(self->directory, &facts) != 0 && errno == ENOENT))
        return 0;
    const int directory = open_directory(self->directory, &why);
    if (directory >= 0)
        (void)close(directory);
    if (why != NULL)
        (void)snprintf(out, capacity, "%s is not used: %s", self->directory, why);
    return why != NULL;
}
