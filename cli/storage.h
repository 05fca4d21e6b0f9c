/* storage.h: memory for arrays of any size: the process's own memory up to --memory, and temporary files beyond
 * that. */
#ifndef CLPRIM_CLI_STORAGE_H
#define CLPRIM_CLI_STORAGE_H

#include <sys/types.h>

#include "cli.h"

typedef struct storage {
    size_t left;     /* bytes of the process's own memory that may still be used; memory that is given back is not added
                      * again */
    bool has_failed; /* allocation failed, and a message was written */
} storage;

/* Allocate memory; NULL if there is none, after a message was written. These functions can be used as
 * clprim_run_limits.allocate and .release. */
void *storage_take(void *self, size_t bytes);
void storage_give(void *self, void *memory, size_t bytes);
/* The same for memory of which only the beginning may be used: disk space is taken only for what is written. */
void *storage_take_some(storage *self, size_t bytes);

/* Map a file's first `bytes` bytes, read-only or read-write; release them with munmap. NULL: errno says why. With
 * is_whole, disk space for all of it is reserved. Otherwise, a write to the memory may find the disk full, which raises
 * a signal (output_watch_signals). */
const void *storage_of_file(int fd, size_t bytes);
void *storage_in_file(int fd, size_t bytes, bool is_whole);

/* The same in two steps, for a file that several ranks write: extend it to that length, then map a part of it. `begin`,
 * the position of that part, must be a multiple of STORAGE_GRANULE. */
enum { STORAGE_GRANULE = 1 << 16 }; /* a multiple of the page size on every system */
bool storage_make_long(int fd, size_t bytes, bool is_whole);
void *storage_of_part(int fd, size_t begin, size_t bytes);

/* Let runs on the device allocate memory from here, within the device's limit, and report their progress. */
cli_result storage_begin(storage *out, const cli_device *device);

/* Write why such a run failed, unless a message was written already. */
cli_result storage_failed(const storage *self, const char *call, clprim_status status);

#endif
