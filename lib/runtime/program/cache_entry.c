/* cache_entry.c: one file of the cache of compiled programs. */
#include "cache_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "new_file.h"

/* Change this whenever the layout below changes. */
static const char MAGIC[8] = "clprim1";

typedef struct header {
    char magic[8];
    uint64_t key_size;
    uint64_t binary_size;
    uint64_t checksum; /* over the key and the binary */
} header;

enum { LARGEST_ENTRY = 1 << 28 };

static uint64_t fnv1a(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static const uint64_t FNV_BASIS = UINT64_C(0xcbf29ce484222325);

bool clprim__cache_is_ours_alone(const struct stat *facts)
{
    return facts->st_uid == geteuid() && (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void clprim__cache_entry_name(char name[CLPRIM__CACHE_NAME_SIZE], const char *key, size_t key_size)
{
    (void)snprintf(name, CLPRIM__CACHE_NAME_SIZE, "%016llx%016llx.bin",
                   (unsigned long long)fnv1a(FNV_BASIS, key, key_size),
                   (unsigned long long)fnv1a(~FNV_BASIS, key, key_size));
}

bool clprim__cache_entry_has_name(const char *name)
{
    enum { HASHES = 32 };
    return strspn(name, "0123456789abcdef") == HASHES && strcmp(name + HASHES, ".bin") == 0;
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

char *clprim__cache_entry_read(int fd, size_t *binary_size, const char *key, size_t key_size)
{
    struct stat facts;
    header head;
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode) || !clprim__cache_is_ours_alone(&facts) ||
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

bool clprim__cache_entry_is_one(int directory, const char *name)
{
    char magic[sizeof MAGIC];
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    const bool is_one = fd >= 0 && read_all(fd, magic, sizeof magic) && memcmp(magic, MAGIC, sizeof magic) == 0;
    if (fd >= 0)
        (void)close(fd);
    return is_one;
}

bool clprim__cache_entry_key_begins(int fd, const char *words)
{
    enum { MOST = 64 };
    header head;
    char begin[MOST];
    const size_t size = strlen(words);
    return size <= MOST && read_all(fd, &head, sizeof head) && memcmp(head.magic, MAGIC, sizeof MAGIC) == 0 &&
           head.key_size >= size && read_all(fd, begin, size) && memcmp(begin, words, size) == 0;
}

bool clprim__cache_entry_write(int fd, const char *key, size_t key_size, const char *binary, size_t binary_size)
{
    header head = {.key_size = key_size, .binary_size = binary_size};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.checksum = fnv1a(fnv1a(FNV_BASIS, key, key_size), binary, binary_size);
    return clprim__write_all(fd, &head, sizeof head) && clprim__write_all(fd, key, key_size) &&
           clprim__write_all(fd, binary, binary_size);
}
