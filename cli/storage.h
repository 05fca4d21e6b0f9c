// SPDX-License-Identifier: MIT
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

/* Make a file that long and map it, to read and write it; release it with system_unmap. NULL: errno says why. With
 * is_whole, disk space for all of it is reserved. Otherwise, a write to the memory may find the disk full, which ends the
 * process (output_watch_signals). */
void *storage_in_file(int fd, size_t bytes, bool is_whole);

/* Several ranks that write a file map parts that begin at multiples of this: a multiple of the page size on every
 * system. */
enum { STORAGE_GRANULE = 1 << 16 };

/* Let runs on the device allocate memory from here, within the device's limit, and report their progress. */
cli_result storage_begin(storage *out, const cli_device *device);

/* Write why such a run failed, unless a message was written already. */
cli_result storage_failed(const storage *self, const char *call, clprim_status status);

#endif
