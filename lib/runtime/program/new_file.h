// SPDX-License-Identifier: MIT
/* new_file.h: write files atomically, under a temporary name that is renamed at the end. So other processes see a file
 * complete or not at all. If a writer is killed, it leaves a file named .*.tmp. */
#ifndef CLPRIM_LIB_NEW_FILE_H
#define CLPRIM_LIB_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { CLPRIM__TEMPORARY_SIZE = 96 };

/* Create and open a file in the directory, with a temporary name. Returns -1, and sets errno, if that fails. */
int clprim__new_file_begin(char temporary[CLPRIM__TEMPORARY_SIZE], int directory);

/* Close the file and rename it to `name`, replacing a file of that name. Remove it instead if not is_written, or if
 * anything fails; then returns false, and sets errno. */
bool clprim__new_file_end(int fd, int directory, const char *temporary, const char *name, bool is_written);

#endif
