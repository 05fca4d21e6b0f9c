// SPDX-License-Identifier: MIT
/* program_cache.c: compiled programs on disk. */
#include "program_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_entry.h"
#include "cache_limit.h"
#include "error.h"
#include "new_file.h"
#include "platform.h"
#include "text.h"

struct clprim__disk_cache {
    clprim__text directory; /* empty: no directory is known */
    clprim__text malformed; /* one sentence for each malformed variable */
    size_t num_malformed;
    uint64_t limit; /* maximum total size of all entries in bytes */
    bool is_asked_for;
    int holder;  /* a descriptor that holds entries of the directory; -1: none yet. Changed atomically, like the next
                  * member */
    int trouble; /* errno of the most recent failure to store an entry, or 0 */
};

/* Determine the directory's name. Trailing slashes and dots are removed, because with them a link would be
 * followed. */
static void name_directory(clprim__text *out)
{
    const char *own = clprim__environment("CLPRIM_CACHE_DIR");
    const clprim__user_place usual = clprim__user_place_of(CLPRIM__USER_CACHE);
    if (own != NULL && own[0] != '\0')
        clprim__text_format(out, "%s", own);
    else if (usual.directory != NULL)
        clprim__text_format(out, "%s%s", usual.directory, usual.rest);
    const size_t root = out->size > 0 ? clprim__root_size(out->data) : 0;
    while (out->size > 1 && out->size > root &&
           (clprim__is_separator(out->data[out->size - 1]) ||
            (out->size > 2 && out->data[out->size - 1] == '.' && clprim__is_separator(out->data[out->size - 2]))))
        out->data[--out->size] = '\0';
}

static void read_mode(clprim__disk_cache *self, const char *mode)
{
    self->is_asked_for = mode != NULL && strcmp(mode, "on") == 0;
    if (mode != NULL && mode[0] != '\0' && !self->is_asked_for) {
        self->num_malformed++;
        clprim__text_format(&self->malformed, "CLPRIM_CACHE must be \"on\" or \"off\", not \"%s\", and is ignored\n",
                            mode);
    }
}

static void read_limit(clprim__disk_cache *self)
{
    if (clprim__cache_limit(&self->limit))
        return;
    self->num_malformed++;
    clprim__text_format(
        &self->malformed,
        "CLPRIM_CACHE_SIZE must be a number of MiB, not \"%s\", and is ignored: the limit is %llu MiB\n",
        getenv("CLPRIM_CACHE_SIZE"), (unsigned long long)(self->limit >> 20));
}

clprim_status clprim__disk_cache_open(clprim__disk_cache **out)
{
    *out = NULL;
    const char *mode = getenv("CLPRIM_CACHE");
    if (mode != NULL && strcmp(mode, "off") == 0)
        return CLPRIM_SUCCESS;
    clprim__disk_cache *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the program cache");
    self->holder = -1;
    name_directory(&self->directory);
    read_mode(self, mode);
    read_limit(self);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__text_status(&self->directory));
    CLPRIM__TRY(clprim__text_status(&self->malformed));
    *out = self;
    self = NULL;
done:
    clprim__disk_cache_close(self);
    return status;
}

void clprim__disk_cache_close(clprim__disk_cache *self)
{
    if (self == NULL)
        return;
    if (self->holder >= 0)
        clprim__file_close(self->holder);
    clprim__text_free(&self->directory);
    clprim__text_free(&self->malformed);
    free(self);
}

bool clprim__disk_cache_is_asked_for(const clprim__disk_cache *self)
{
    return self != NULL && self->is_asked_for;
}

static bool ends_in_parent(const clprim__text *path)
{
    return strcmp(path->data, "..") == 0 || (path->size > 2 && strcmp(path->data + path->size - 2, "..") == 0 &&
                                             clprim__is_separator(path->data[path->size - 3]));
}

/* Open the directory. Returns -1, with a sentence in *why, if it does not exist or cannot be trusted. */
static int open_directory(const clprim__disk_cache *self, const char **why)
{
    clprim__facts facts;
    *why = NULL;
    if (self->directory.size == 0)
        *why = clprim__cache_unnamed;
    else if (ends_in_parent(&self->directory))
        *why = "it ends in \"..\", by which it may be a link";
    if (*why != NULL)
        return -1;
    const int fd = clprim__directory_open(self->directory.data, true);
    if (fd < 0) /* for a link, Linux returns ENOTDIR, too */
        *why = errno == ELOOP || errno == ENOTDIR ? "it is a link or not a directory"
               : errno == ENOENT                  ? "it does not exist, and cannot be made"
                                                  : "it cannot be opened";
    else if (!clprim__facts_of(&facts, fd))
        *why = "it cannot be examined";
    else if (!clprim__cache_is_ours_alone(&facts))
        *why = !facts.is_mine ? "it belongs to another user; CLPRIM_CACHE_DIR may name one of your own"
                              : clprim__cache_shared;
    if (*why == NULL || fd < 0)
        return fd;
    clprim__file_close(fd);
    return -1;
}

/* Create the directory and its parents. Errors show when it is opened. */
static void make_directories(const clprim__disk_cache *self)
{
    char *copy = self->directory.size > 0 ? strdup(self->directory.data) : NULL;
    if (copy == NULL)
        return;
    for (char *p = copy + 1; *p != '\0'; p++) {
        const char separator = *p;
        if (!clprim__is_separator(separator))
            continue;
        *p = '\0';
        (void)clprim__directory_make(copy, true);
        *p = separator;
    }
    (void)clprim__directory_make(copy, true);
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

/* Hold the entry until the cache is closed: it is in use, so nobody may remove it to stay within the limit. */
static void hold(clprim__disk_cache *self, int directory, const char *name)
{
    int holder = __atomic_load_n(&self->holder, __ATOMIC_ACQUIRE);
    if (holder < 0) {
        const int mine = clprim__holds_open(directory);
        if (__atomic_compare_exchange_n(&self->holder, &holder, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            holder = mine;
        else if (mine >= 0)
            clprim__file_close(mine); /* another thread opened it first */
    }
    if (holder >= 0)
        clprim__cache_hold(holder, name);
}

char *clprim__disk_cache_get(size_t *binary_size, bool *rejected, clprim__disk_cache *self, const char *key,
                             size_t key_size)
{
    char name[CLPRIM__CACHE_NAME_SIZE];
    const char *why = NULL;
    *rejected = false;
    const int directory = self != NULL ? open_directory(self, &why) : -1;
    if (directory < 0)
        return NULL;
    clprim__cache_entry_name(name, key, key_size);
    const int fd = clprim__file_open(directory, name, CLPRIM__OPEN_OWN);
    *rejected = fd < 0 && errno == ELOOP; /* it is a link */
    char *bytes = fd >= 0 ? clprim__cache_entry_read(fd, binary_size, key, key_size) : NULL;
    if (bytes != NULL) {
        clprim__file_touch(fd); /* it is used now; if this fails, it merely counts as old */
        hold(self, directory, name);
    }
    clprim__file_close(directory);
    if (fd < 0)
        return NULL;
    clprim__file_close(fd);
    *rejected = bytes == NULL;
    return bytes;
}

bool clprim__disk_cache_load(cl_program *out, bool *rejected, clprim__disk_cache *self, cl_context context,
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

/* Returns false, and sets errno, if that fails. */
static bool write_entry(int directory, const char *name, const char *key, size_t key_size, const char *binary,
                        size_t binary_size)
{
    char temporary[CLPRIM__TEMPORARY_SIZE];
    const int fd = clprim__new_file_begin(temporary, directory);
    return fd >= 0 && clprim__new_file_end(fd, directory, temporary, name,
                                           clprim__cache_entry_write(fd, key, key_size, binary, binary_size));
}

int clprim__disk_cache_directory(clprim__disk_cache *self)
{
    const char *why = NULL;
    if (self == NULL)
        return -1;
    make_directories(self);
    return open_directory(self, &why);
}

bool clprim__disk_cache_put(clprim__disk_cache *self, const char *key, size_t key_size, const char *binary,
                            size_t binary_size)
{
    char name[CLPRIM__CACHE_NAME_SIZE];
    const int directory = clprim__disk_cache_directory(self);
    if (directory < 0)
        return false;
    clprim__cache_entry_name(name, key, key_size);
    const bool is_there = write_entry(directory, name, key, key_size, binary, binary_size);
    __atomic_store_n(&self->trouble, is_there ? 0 : errno, __ATOMIC_RELAXED);
    if (is_there)
        hold(self, directory, name);
    clprim__cache_tidy(directory, name, self->limit);
    clprim__file_close(directory);
    return is_there;
}

void clprim__disk_cache_store(clprim__disk_cache *self, cl_program program, const char *key, size_t key_size)
{
    size_t binary_size = 0;
    char *binary = self != NULL ? program_binary(&binary_size, program) : NULL;
    if (binary != NULL)
        (void)clprim__disk_cache_put(self, key, key_size, binary, binary_size);
    free(binary);
}

/* Why the directory is not used; NULL: it can be used. Call it after the directory was created. */
static const char *why_unused(const clprim__disk_cache *self)
{
    const char *why = NULL;
    make_directories(self);
    const int directory = open_directory(self, &why);
    if (directory >= 0)
        clprim__file_close(directory);
    return why;
}

size_t clprim__disk_cache_problem(char *out, size_t capacity, const clprim__disk_cache *self)
{
    clprim__text all = {0};
    char reason[128] = "";
    if (capacity > 0)
        out[0] = '\0';
    if (self == NULL)
        return 0;
    size_t count = self->num_malformed;
    const char *why = why_unused(self);
    const int trouble = __atomic_load_n(&self->trouble, __ATOMIC_RELAXED);
    if (why != NULL)
        clprim__text_format(&all, "%s is not used: %s\n",
                            self->directory.size > 0 ? self->directory.data : "a directory of compiled kernels", why);
    else if (trouble != 0 && clprim__error_text(reason, sizeof reason, trouble))
        clprim__text_format(&all, "%s: the latest entry could not be stored: %s\n", self->directory.data, reason);
    count += all.size > 0;
    if (self->malformed.size > 0)
        clprim__text_append(&all, self->malformed.data, self->malformed.size);
    if (all.size > 0 && !all.failed)
        (void)snprintf(out, capacity, "%.*s", (int)all.size - 1, all.data); /* without the final newline */
    clprim__text_free(&all);
    return count;
}
