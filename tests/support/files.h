// SPDX-License-Identifier: MIT
/* files.h: files, environment variables, and processes. Errors are assertion failures. */
#ifndef CLPRIM_TEST_FILES_H
#define CLPRIM_TEST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if !defined(_WIN32)
#include <glob.h>
#endif

/* Set an environment variable; with NULL, remove it. */
void test_setenv(const char *name, const char *value);

/* Set CLPRIM_WITHOUT to these features of the device; NULL: none. Tests of kernels, which run without native code, go on
 * without it. */
void test_without(const char *features);
/* Whether CLPRIM_WITHOUT names any other feature. */
bool test_lacks_features(void);

/* The path of a file in a directory. It is valid until 16 more paths were requested. */
const char *test_path(const char *directory, const char *name);

/* The paths of a directory's files whose names end in `ending`, including hidden ones: .gl_pathc paths in .gl_pathv.
 * The caller frees them with globfree. */
#if !defined(_WIN32)
glob_t test_list(const char *directory, const char *ending);
#endif
size_t test_count_files(const char *directory, const char *ending);

/* Read a whole file; the caller frees the result. A NUL follows the contents. */
char *test_read_file(const char *path, size_t *size);
void test_write_file(const char *path, const void *bytes, size_t size);

/* Run this many processes at once. body(i * rounds, rounds) must return 0 in each. */
void test_processes(size_t count, int (*body)(uint64_t first, size_t rounds), size_t rounds);

/* Create a directory for temporary files; and remove it with everything in it. */
enum { TEST_PATH_SIZE = 256 };
void test_directory_create(char path[TEST_PATH_SIZE]);
void test_directory_remove(const char *path);

/* An error to insert into a kernel: in FILE below kernels/, `to` replaces `from`, which must occur once. */
typedef struct test_mistake {
    const char *file, *from, *to;
} test_mistake;

/* Copy all kernels to an existing directory; and insert an error into one of the copies. */
void test_kernels_copy(const char *directory);
void test_kernels_change(const char *directory, const test_mistake *mistake);
/* From now on, read kernels from a copy with these errors (CLPRIM_KERNEL_DIR), until the directory is removed. */
void test_kernels_with(char directory[TEST_PATH_SIZE], const test_mistake *mistakes, size_t count);
void test_kernels_end(const char *directory);

#endif
