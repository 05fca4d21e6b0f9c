// SPDX-License-Identifier: MIT
/* cache_entry.c: one file of the cache of compiled programs. */
#include "cache_entry.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool clprim__cache_is_ours_alone(const clprim__facts *facts)
{
    return facts->is_mine && !facts->others_may_write;
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
    size_t got = 0;
    return clprim__file_read(fd, out, size, -1, &got) && got == size;
}

char *clprim__cache_entry_read(int fd, size_t *binary_size, const char *key, size_t key_size)
{
    clprim__facts facts;
    header head;
    if (!clprim__facts_of(&facts, fd) || !facts.is_file || !clprim__cache_is_ours_alone(&facts) ||
        facts.size < sizeof head || facts.size > LARGEST_ENTRY || !read_all(fd, &head, sizeof head))
        return NULL;
    const uint64_t body = facts.size - sizeof head;
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
    const int fd = clprim__file_open(directory, name, CLPRIM__OPEN_OWN);
    const bool is_one = fd >= 0 && read_all(fd, magic, sizeof magic) && memcmp(magic, MAGIC, sizeof magic) == 0;
    if (fd >= 0)
        clprim__file_close(fd);
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
    return clprim__file_write(fd, &head, sizeof head, -1) && clprim__file_write(fd, key, key_size, -1) &&
           clprim__file_write(fd, binary, binary_size, -1);
}
