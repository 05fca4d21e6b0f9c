/* files.h: files, variables of the environment, and processes. Everything asserts by itself. */
#ifndef CLPRIM_TEST_FILES_H
#define CLPRIM_TEST_FILES_H

#include <glob.h>
#include <stddef.h>
#include <stdint.h>

/* Set a variable of the environment; with NULL remove it. */
void test_setenv(const char *name, const char *value);

/* The path of a name in a directory, which is there until 16 more were asked for. */
const char *test_path(const char *directory, const char *name);

/* The paths of a directory's files whose names end in `ending`, hidden ones too, in .gl_pathv: .gl_pathc of them. The
 * caller frees them by globfree. */
glob_t test_list(const char *directory, const char *ending);
size_t test_count_files(const char *directory, const char *ending);

/* All of a file; the caller frees it. There is a NUL behind it. */
char *test_read_file(const char *path, size_t *size);
void test_write_file(const char *path, const void *bytes, size_t size);

/* So many processes at once: body(i * rounds, rounds) gives 0 in each. */
void test_processes(size_t count, int (*body)(uint64_t first, size_t rounds), size_t rounds);

/* A new directory for temporary files, and its removal with all that is in it. */
enum { TEST_PATH_SIZE = 256 };
void test_directory_create(char path[TEST_PATH_SIZE]);
void test_directory_remove(const char *path);

/* A mistake in a kernel: in FILE below kernels/ the text `from`, which is there once, reads `to`. */
typedef struct test_mistake {
    const char *file, *from, *to;
} test_mistake;

/* All kernels in a directory that is there, and a mistake in one of these copies. */
void test_kernels_copy(const char *directory);
void test_kernels_change(const char *directory, const test_mistake *mistake);
/* Kernels are read from a copy with mistakes from now on (CLPRIM_KERNEL_DIR), until the directory is removed. */
void test_kernels_with(char directory[TEST_PATH_SIZE], const test_mistake *mistakes, size_t count);
void test_kernels_end(const char *directory);

#endif
