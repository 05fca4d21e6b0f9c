/* program_cache.h: compiled programs on disk.
 *
 * Best effort: whatever goes wrong with it costs time, never correctness. An entry is one file (cache_entry.h), written
 * under a temporary name and renamed, so no reader sees half of one; what a killed writer leaves is removed by another,
 * an hour later. Directory and entries must be the user's own and writable by nobody else; links are not followed. When
 * an entry is stored and all have more than CLPRIM_CACHE_SIZE, those used least recently go (cache_limit.h), except
 * those that a cache has stored or loaded that is still open, in any process. Thread-safe. */
#ifndef CLPRIM_LIB_PROGRAM_CACHE_H
#define CLPRIM_LIB_PROGRAM_CACHE_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct clprim__disk_cache clprim__disk_cache;

/* *out is NULL, which the other functions accept, where the cache is off. The directory is made when the first entry is
 * stored. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__disk_cache_open(clprim__disk_cache **out);
void clprim__disk_cache_close(clprim__disk_cache *self);

/* CLPRIM_CACHE is "on": programs are to be kept although the driver keeps them, too. */
bool clprim__disk_cache_is_asked_for(const clprim__disk_cache *self);

/* True and a program, built with the options, where a sound entry for the key is there. *rejected is set where one was there but damaged,
 * foreign, stale or refused by the driver. */
bool clprim__disk_cache_load(cl_program *out, bool *rejected, clprim__disk_cache *self, cl_context context,
                             cl_device_id device, const char *options, const char *key, size_t key_size);
void clprim__disk_cache_store(clprim__disk_cache *self, cl_program program, const char *key, size_t key_size);

/* The same for any bytes. get: key and binary (from key_size on) in one allocation, which the caller frees, or NULL.
 * put: false where they could not be stored. */
char *clprim__disk_cache_get(size_t *binary_size, bool *rejected, clprim__disk_cache *self, const char *key,
                             size_t key_size);
bool clprim__disk_cache_put(clprim__disk_cache *self, const char *key, size_t key_size, const char *binary,
                            size_t binary_size);

/* An open descriptor of the directory, for what else is kept there, which the caller closes. It is made if it is not
 * there. -1: it cannot be used. */
int clprim__disk_cache_directory(clprim__disk_cache *self);

/* How many things are wrong with the cache: the directory is not used, the latest entry could not be stored, variables
 * are malformed. `out` receives a sentence about each, one per line, cut off where it is too small for them; else "".
 * It makes the directory. */
size_t clprim__disk_cache_problem(char *out, size_t capacity, const clprim__disk_cache *self);

#endif
