/* file.h: whole reads and writes, and files without a name. */
#ifndef CLPRIM_CLI_FILE_H
#define CLPRIM_CLI_FILE_H

#include <sys/types.h>

#include "cli.h"

/* A new file in $TMPDIR, else /tmp, that has no name: it is gone with the process, whatever ends that. */
cli_result temporary_open(int *fd);
cli_result temporary_failed(void);

/* All bytes, whatever interrupts; at: from there on, -1 for where the file is. False: errno says why; a read also at an
 * early end, with *got what there was. */
bool file_read(int fd, void *out, size_t size, off_t at, size_t *got);
bool file_write(int fd, const void *in, size_t size, off_t at);

#endif
