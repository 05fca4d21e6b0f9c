// SPDX-License-Identifier: MIT
/* fuzz_cache.c: files of the program cache: a file that is not a sound entry for its key is not loaded.
 *
 * The first byte tells what the others are: a file; a file whose checksum is corrected; changes of a sound entry (each
 * has two bytes for the place and one for the new value; the last byte shortens the file); or the same entry read with
 * another key. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_entry.h"
#include "fuzz.h"

enum { HEADER = 32, CHECKSUM_AT = 24, MAX_FILE = 4096 };

static const char KEY[] = "Portable Computing Language\npocl 3.1\n-DGROUP_SIZE=64\n__kernel void f() {}";
static const char OTHER[] = "Portable Computing Language\npocl 3.2\n-DGROUP_SIZE=64\n__kernel void f() {}";
static const char BINARY[] = "poclbin\0\1\2\3 and so on, as long as it need be";
static uint8_t sound[MAX_FILE];
static size_t sound_size;

static int open_file(void)
{
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("entry", MFD_CLOEXEC);
        EXPECT(fd >= 0 && fchmod(fd, 0600) == 0);
    }
    EXPECT(lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0);
    return fd;
}

static uint64_t fnv1a(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t number_at(const uint8_t *bytes)
{
    uint64_t number = 0;
    memcpy(&number, bytes, sizeof number);
    return number;
}

/* The same check again, implemented independently. */
static bool is_sound(const uint8_t *file, size_t size, const char *key, size_t key_size)
{
    if (size < HEADER || memcmp(file, "clprim1", 8) != 0 || number_at(file + 8) != key_size)
        return false;
    const uint64_t binary_size = number_at(file + 16);
    return binary_size > 0 && binary_size == size - HEADER - key_size && size - HEADER > key_size &&
           memcmp(file + HEADER, key, key_size) == 0 &&
           number_at(file + CHECKSUM_AT) == fnv1a(file + HEADER, size - HEADER);
}

static void make_sound(void)
{
    const int fd = open_file();
    EXPECT(clprim__cache_entry_write(fd, KEY, sizeof KEY - 1, BINARY, sizeof BINARY));
    const ssize_t size = pread(fd, sound, sizeof sound, 0);
    EXPECT(size > HEADER && is_sound(sound, (size_t)size, KEY, sizeof KEY - 1));
    sound_size = (size_t)size;
}

static size_t change(uint8_t *file, const uint8_t *edits, size_t size)
{
    memcpy(file, sound, sound_size);
    for (; size >= 3; size -= 3, edits += 3)
        file[((size_t)edits[0] << 8 | edits[1]) % sound_size] = edits[2];
    return size > 0 ? sound_size - edits[0] % sound_size : sound_size;
}

static void expect_read(const uint8_t *file, size_t size, const char *key, size_t key_size)
{
    size_t binary_size = 0;
    const int fd = open_file();
    EXPECT(write(fd, file, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    char *bytes = clprim__cache_entry_read(fd, &binary_size, key, key_size);
    EXPECT((bytes != NULL) == is_sound(file, size, key, key_size));
    if (bytes != NULL)
        EXPECT(binary_size == size - HEADER - key_size && memcmp(bytes, file + HEADER, size - HEADER) == 0);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static uint8_t file[MAX_FILE];
    if (sound_size == 0)
        make_sound();
    if (size == 0 || size > MAX_FILE)
        return 0;
    const uint8_t kind = bytes[0] & 3;
    const bool is_other = kind == 3;
    size_t file_size = size - 1;
    if (kind >= 2)
        file_size = change(file, bytes + 1, size - 1);
    else
        memcpy(file, bytes + 1, file_size);
    if (kind == 1 && file_size >= HEADER) {
        const uint64_t checksum = fnv1a(file + HEADER, file_size - HEADER);
        memcpy(file, "clprim1", 8);
        memcpy(file + CHECKSUM_AT, &checksum, sizeof checksum);
    }
    expect_read(file, file_size, is_other ? OTHER : KEY, sizeof KEY - 1);
    /* Every changed byte must be detected. */
    if (kind == 2)
        EXPECT(is_sound(file, file_size, KEY, sizeof KEY - 1) ==
               (file_size == sound_size && memcmp(file, sound, sound_size) == 0));
    return 0;
}
