/* new_file.h: files that others see whole or not at all: written under a temporary name, then renamed. What a killed
 * writer leaves is named like .*.tmp. */
#ifndef CLPRIM_LIB_NEW_FILE_H
#define CLPRIM_LIB_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { CLPRIM__TEMPORARY_SIZE = 96 };

/* An open file in the directory, and its name for now. -1, and errno, where it cannot be made. */
int clprim__new_file_begin(char temporary[CLPRIM__TEMPORARY_SIZE], int directory);

/* All of the bytes; false, and errno, where that fails. */
bool clprim__write_all(int fd, const void *bytes, size_t size);

/* Close the file, and give it its name, over what has that name; or remove it where it was not written, or that fails.
 * False, and errno, then. */
bool clprim__new_file_end(int fd, int directory, const char *temporary, const char *name, bool is_written);

#endif
