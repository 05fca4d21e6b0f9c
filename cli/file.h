/* file.h: complete reads and writes, and unnamed temporary files. */
#ifndef CLPRIM_CLI_FILE_H
#define CLPRIM_CLI_FILE_H

#include <sys/types.h>

#include "cli.h"

/* Create an unnamed file in $TMPDIR or /tmp. It disappears when the process ends, however it ends. */
cli_result temporary_open(int *fd);
cli_result temporary_failed(void);

/* Read or write all bytes, despite interruptions. at: the position in the file; -1: the current position. Returns
 * false, with errno, after an error. A read also returns false at an early end of the file; *got is then the number of
 * bytes read. */
bool file_read(int fd, void *out, size_t size, off_t at, size_t *got);
bool file_write(int fd, const void *in, size_t size, off_t at);

#endif
