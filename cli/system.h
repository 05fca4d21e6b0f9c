// SPDX-License-Identifier: MIT
/* system.h: what the tool alone needs of the system; platform.h has what the library needs, too. system_posix.c and
 * system_windows.c implement it. Functions that return -1, false or NULL set errno. */
#ifndef CLPRIM_CLI_SYSTEM_H
#define CLPRIM_CLI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Call it first. Arguments become UTF-8, and standard input and output binary. Numbers are written as in C, even if a
 * driver calls setlocale. */
void system_begin(int *argc, char ***argv);

/* If something from outside ends the process (Ctrl-C, a closed terminal), call clean_up before. If a mapped file cannot
 * be read or written, write `text`, call clean_up, and exit with `code`. */
void system_watch(void (*clean_up)(void), const char *text, int code);

/* The size of the host's memory in bytes, and the width of the terminal that standard output is; 0: not known. */
size_t system_memory(void);
size_t system_columns(void);
/* Whether it has Unicode's characters. */
bool system_has_unicode(void);
/* Whether standard error is a terminal. */
bool system_has_watcher(void);

/* Open a file, a pipe or whatever has this name, to read it, or to write it from its beginning. Opening a directory to
 * read it may succeed. */
int system_open(const char *path, bool writes);

/* Another descriptor of the same open file; no other program inherits it. */
int system_duplicate(int fd);

/* Map a part of a file, read-only or read-write, or memory that belongs to no file (fd -1). `begin` must be a multiple of
 * STORAGE_GRANULE. */
void *system_map(int fd, size_t begin, size_t bytes, bool writes);
void system_unmap(void *memory, size_t bytes);
/* Make a file that long. With is_whole, reserve disk space for all of it, if the system supports that. */
bool system_make_long(int fd, size_t bytes, bool is_whole);

const char *system_temporary_directory(void);

/* Set or (NULL) remove a variable of this process's environment. */
void system_set_variable(const char *name, const char *value);
/* Remove an empty folder. */
void system_remove_folder(const char *path);
/* Let standard output, also a driver's, go to an open file. Returns what system_release needs to end that; -1: it failed,
 * and there is nothing to end. */
int system_capture(int fd);
void system_release(int before);

/* What a name stands for, after following links. */
typedef enum system_kind { SYSTEM_FILE, SYSTEM_DIRECTORY, SYSTEM_DEVICE, SYSTEM_NOTHING, SYSTEM_UNKNOWN } system_kind;
system_kind system_look(const char *path); /* UNKNOWN: errno says why */

/* Whether two existing files are the same. */
bool system_is_same(const char *a, const char *b);
/* Follow all symbolic links of a path, even if its target does not exist yet. The caller frees the result. */
char *system_resolve(const char *path);
/* The length of the path's folder, with the separator at its end; 0: the working directory. */
size_t system_folder_size(const char *path);
/* The first `size` bytes of `path`, followed by `name`. The caller frees the result. NULL: out of memory. */
static inline char *system_join(const char *path, size_t size, const char *name)
{
    char *joined = malloc(size + strlen(name) + 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, path, size);
    memcpy(joined + size, name, strlen(name) + 1);
    return joined;
}
/* Whether the existing file may be replaced. A file that nobody may write may not, even by root. */
bool system_may_replace(const char *path);
/* Give an open file the permissions of the one at `path`, or those of a new file. */
void system_permit(int fd, const char *path);

#endif
