// SPDX-License-Identifier: MIT
/* program_cache.h: compiled programs on disk.
 *
 * The cache is best effort: any failure costs time, but never correctness. An entry is one file (cache_entry.h),
 * written under a temporary name and then renamed, so a reader never sees half an entry. If a writer is killed, another
 * process removes its temporary file an hour later. Directory and entries must belong to the user, and nobody else may
 * have write access to them; links are not followed. When an entry is stored and the total exceeds CLPRIM_CACHE_SIZE,
 * the least recently used entries are removed (cache_limit.h), except for those that a cache that is still open, in any
 * process, has stored or loaded. Thread-safe. */
#ifndef CLPRIM_LIB_PROGRAM_CACHE_H
#define CLPRIM_LIB_PROGRAM_CACHE_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct clprim__disk_cache clprim__disk_cache;

/* *out is NULL if the cache is disabled; the other functions accept NULL. The directory is created when the first entry
 * is stored. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__disk_cache_open(clprim__disk_cache **out);
void clprim__disk_cache_close(clprim__disk_cache *self);

/* Whether CLPRIM_CACHE is "on": programs are cached even if the driver caches them, too. */
bool clprim__disk_cache_is_asked_for(const clprim__disk_cache *self);

/* Load the program for the key, and build it with the options. Returns true and the program if there is a valid entry.
 * *rejected is set if there is an entry, but it is damaged, foreign, stale or refused by the driver. */
bool clprim__disk_cache_load(cl_program *out, bool *rejected, clprim__disk_cache *self, cl_context context,
                             cl_device_id device, const char *options, const char *key, size_t key_size);
void clprim__disk_cache_store(clprim__disk_cache *self, cl_program program, const char *key, size_t key_size);

/* The same for arbitrary bytes. get returns the key and the binary (from key_size on) in one allocation, which the
 * caller frees, or NULL. put returns false if they could not be stored. */
char *clprim__disk_cache_get(size_t *binary_size, bool *rejected, clprim__disk_cache *self, const char *key,
                             size_t key_size);
bool clprim__disk_cache_put(clprim__disk_cache *self, const char *key, size_t key_size, const char *binary,
                            size_t binary_size);

/* Open the directory, for other things that are kept in it; the caller closes the descriptor. The directory is created
 * if necessary. -1: it cannot be used. */
int clprim__disk_cache_directory(clprim__disk_cache *self);

/* The number of problems with the cache: the directory is not used, the latest entry could not be stored, variables are
 * malformed. `out` receives one sentence per line for them, truncated if it is too small, or "". This creates the
 * directory. */
size_t clprim__disk_cache_problem(char *out, size_t capacity, const clprim__disk_cache *self);

#endif
