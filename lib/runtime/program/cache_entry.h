// SPDX-License-Identifier: MIT
/* cache_entry.h: one file of the cache of compiled programs.
 *
 * It holds the complete key, so that a hash collision is detected; the binary; and a checksum over both, which detects
 * any single changed byte. */
#ifndef CLPRIM_LIB_CACHE_ENTRY_H
#define CLPRIM_LIB_CACHE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "platform.h"

enum { CLPRIM__CACHE_NAME_SIZE = 40 };

/* The file's name. It consists of two hashes of the key, but only the key inside the file identifies the entry. */
void clprim__cache_entry_name(char name[CLPRIM__CACHE_NAME_SIZE], const char *key, size_t key_size);

/* Whether a file's name is that of an entry; and whether the file also begins like one. */
bool clprim__cache_entry_has_name(const char *name);
bool clprim__cache_entry_is_one(int directory, const char *name);

/* Whether the open file is an entry whose key begins with `words`. */
bool clprim__cache_entry_key_begins(int fd, const char *words);

/* Whether a file or directory with this status belongs to the user, and nobody else may write to it. */
bool clprim__cache_is_ours_alone(const clprim__facts *facts);

/* Read the key and the binary (which begins at key_size) of an open file into one allocation, which the caller frees.
 * NULL if anything about the file is wrong, or if memory is short. */
char *clprim__cache_entry_read(int fd, size_t *binary_size, const char *key, size_t key_size);

bool clprim__cache_entry_write(int fd, const char *key, size_t key_size, const char *binary, size_t binary_size);

#endif
