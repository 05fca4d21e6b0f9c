/* program_cache.c: compiled programs on disk. */
#include "program_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "text.h"

/* Changes whenever the layout below does. */
static const char MAGIC[8] = "clprim1";

typedef struct header {
    char magic[8];
    uint64_t key_size;
    uint64_t binary_size;
    uint64_t checksum; /* of key and binary */
} header;

struct clprim__disk_cache {
    char *directory;
};

enum { LARGEST_ENTRY = 1 << 28 };

static uint64_t fnv1a(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static const uint64_t FNV_BASIS = UINT64_C(0xcbf29ce484222325);

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
    self->directory = directory.data;
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

static bool is_ours_alone(const struct stat *facts)
{
    return facts->st_uid == geteuid() && (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* An open descriptor of the directory, or -1 where it is missing or not to be trusted. */
static int open_directory(const char *path)
{
    struct stat facts;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &facts) != 0 || !is_ours_alone(&facts))) {
        (void)close(fd);
        return -1;
    }
    return fd;
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

/* Two hashes over the key name the file; the key inside it decides. */
static void entry_name(char name[40], const char *key, size_t key_size)
{
    (void)snprintf(name, 40, "%016llx%016llx.bin", (unsigned long long)fnv1a(FNV_BASIS, key, key_size),
                   (unsigned long long)fnv1a(~FNV_BASIS, key, key_size));
}

static bool read_all(int fd, void *out, size_t size)
{
    char *p = out;
    while (size > 0) {
        const ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *bytes, size_t size)
{
    const char *p = bytes;
    while (size > 0) {
        const ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/* Key and binary of an open entry in one allocation, or NULL where anything about it is wrong. */
static char *read_entry(int fd, size_t *binary_size, const char *key, size_t key_size)
{
    struct stat facts;
    header head;
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode) || !is_ours_alone(&facts) ||
        facts.st_size < (off_t)sizeof head || facts.st_size > LARGEST_ENTRY || !read_all(fd, &head, sizeof head))
        return NULL;
    const uint64_t body = (uint64_t)facts.st_size - sizeof head;
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || head.key_size != key_size || head.binary_size == 0 ||
        head.binary_size > body || head.key_size + head.binary_size != body)
        return NULL;
    char *bytes = malloc((size_t)body);
    if (bytes != NULL && read_all(fd, bytes, (size_t)body) && memcmp(bytes, key, key_size) == 0 &&
        fnv1a(FNV_BASIS, bytes, (size_t)body) == head.checksum) {
        *binary_size = (size_t)head.binary_size;
        return bytes;
    }
    free(bytes);
    return NULL;
}

static bool load_binary(cl_program *out, cl_context context, cl_device_id device, const char *binary, size_t size)
{
    cl_int code = CL_SUCCESS;
    cl_int binary_status = CL_SUCCESS;
    const unsigned char *bytes = (const unsigned char *)binary;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &binary_status, &code);
    if (code != CL_SUCCESS)
        return false;
    if (binary_status != CL_SUCCESS || clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
        clReleaseProgram(program);
        return false;
    }
    *out = program;
    return true;
}

bool clprim__disk_cache_load(cl_program *out, bool *rejected, const clprim__disk_cache *self, cl_context context,
                             cl_device_id device, const char *key, size_t key_size)
{
    char name[40];
    size_t binary_size = 0;
    *rejected = false;
    const int directory = self != NULL ? open_directory(self->directory) : -1;
    if (directory < 0)
        return false;
    entry_name(name, key, key_size);
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    *rejected = fd < 0 && errno == ELOOP; /* a link */
    (void)close(directory);
    if (fd < 0)
        return false;
    char *bytes = read_entry(fd, &binary_size, key, key_size);
    (void)close(fd);
    const bool loaded = bytes != NULL && load_binary(out, context, device, bytes + key_size, binary_size);
    *rejected = !loaded;
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

static bool write_entry(int fd, const char *key, size_t key_size, const char *binary, size_t binary_size)
{
    header head = {.key_size = key_size, .binary_size = binary_size};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.checksum = fnv1a(fnv1a(FNV_BASIS, key, key_size), binary, binary_size);
    return write_all(fd, &head, sizeof head) && write_all(fd, key, key_size) && write_all(fd, binary, binary_size);
}

void clprim__disk_cache_store(const clprim__disk_cache *self, cl_program program, const char *key, size_t key_size)
{
    static unsigned counter;
    char name[40];
    char temporary[64];
    size_t binary_size = 0;
    if (self == NULL)
        return;
    make_directories(self->directory);
    const int directory = open_directory(self->directory);
    char *binary = directory >= 0 ? program_binary(&binary_size, program) : NULL;
    if (binary != NULL) {
        (void)snprintf(temporary, sizeof temporary, ".%ld.%u.tmp", (long)getpid(),
                       __atomic_add_fetch(&counter, 1U, __ATOMIC_RELAXED));
        entry_name(name, key, key_size);
        const int fd = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        const bool written = fd >= 0 && write_entry(fd, key, key_size, binary, binary_size);
        if (fd >= 0 && (close(fd) != 0 || !written || renameat(directory, temporary, directory, name) != 0))
            (void)unlinkat(directory, temporary, 0);
    }
    free(binary);
    if (directory >= 0)
        (void)close(directory);
}
