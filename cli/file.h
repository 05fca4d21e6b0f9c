// SPDX-License-Identifier: MIT
/* file.h: temporary files. */
#ifndef CLPRIM_CLI_FILE_H
#define CLPRIM_CLI_FILE_H

#include "cli.h"

/* Create a file with a new name: the last FILE_LETTERS characters of the path are replaced by characters of the
 * alphabet. Returns -1 and errno if that fails. */
enum { FILE_LETTERS = 6 };
#define FILE_ALPHABET "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
int file_make(char *path);

/* Create an unnamed file where the system has temporary ones. It disappears when the process ends, however it ends. */
cli_result temporary_open(int *fd);
cli_result temporary_failed(void);

#endif
