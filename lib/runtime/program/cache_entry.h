/* cache_entry.h: one file of the cache of compiled programs.
 *
 * It holds the complete key (so a hash collision cannot deceive), the binary, and a checksum over both, which any one
 * changed byte changes. */
#ifndef CLPRIM_LIB_CACHE_ENTRY_H
#define CLPRIM_LIB_CACHE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { CLPRIM__CACHE_NAME_SIZE = 40 };

/* The file's name. Two hashes over the key make it; the key inside it decides. */
void clprim__cache_entry_name(char name[CLPRIM__CACHE_NAME_SIZE], const char *key, size_t key_size);

/* Whether a file's name is that of an entry; and whether the file, too, begins as one. */
bool clprim__cache_entry_has_name(const char *name);
bool clprim__cache_entry_is_one(int directory, const char *name);

/* Whether the open file is that of an entry whose key begins so. */
bool clprim__cache_entry_key_begins(int fd, const char *words);

/* Whether what these facts are about is the user's own and writable by nobody else. */
bool clprim__cache_is_ours_alone(const struct stat *facts);

/* Key and binary (from key_size on) of an open file in one allocation, which the caller frees; NULL where anything
 * about it is wrong, or there is no memory. */
char *clprim__cache_entry_read(int fd, size_t *binary_size, const char *key, size_t key_size);

bool clprim__cache_entry_write(int fd, const char *key, size_t key_size, const char *binary, size_t binary_size);

#endif
