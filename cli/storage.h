/* storage.h: memory for arrays, as large as they are: of the process up to --memory, behind that of temporary files. */
#ifndef CLPRIM_CLI_STORAGE_H
#define CLPRIM_CLI_STORAGE_H

#include <sys/types.h>

#include "cli.h"

typedef struct storage {
    size_t left;     /* bytes of the process's own memory that may still be taken; none of them come back */
    bool has_failed; /* there was no more, which has been told */
} storage;

/* Memory of so many bytes; NULL: there is none, which has been told. Also as clprim_run_limits.allocate and .release. */
void *storage_take(void *self, size_t bytes);
void storage_give(void *self, void *memory, size_t bytes);
/* The same of which perhaps only the beginning is used: the disk has room for what is written alone. */
void *storage_take_some(storage *self, size_t bytes);

/* A file's first `bytes` bytes as memory, for reading, or for reading and writing; give it back by munmap. NULL: errno
 * says why. With is_whole the disk has room for all of it afterwards. Otherwise the disk may be found full when the
 * memory is written to, which is a signal (output_watch_signals). */
const void *storage_of_file(int fd, size_t bytes);
void *storage_in_file(int fd, size_t bytes, bool is_whole);

/* The same in two steps, for a file that several ranks write: make it that long; `begin`: where the memory begins
 * there, a multiple of STORAGE_GRANULE. */
enum { STORAGE_GRANULE = 1 << 16 }; /* whole pages of every system */
bool storage_make_long(int fd, size_t bytes, bool is_whole);
void *storage_of_part(int fd, size_t begin, size_t bytes);

/* Let runs of the device take memory from here, within the device's limit, and tell how far they are. */
cli_result storage_begin(storage *out, const cli_device *device);

/* Why such a run failed, unless it was told already. */
cli_result storage_failed(const storage *self, const char *call, clprim_status status);

#endif
