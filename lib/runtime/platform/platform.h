// SPDX-License-Identifier: MIT
/* platform.h: what is not the same on all systems: files, locks on them, the environment, threads.
 *
 * platform_posix.c and platform_windows.c implement it. Paths are UTF-8 on every system. A file or a directory is a
 * descriptor of the C library; files are binary, and inherited by no program that is started. Functions that return -1
 * or false set errno. */
#ifndef CLPRIM_LIB_PLATFORM_H
#define CLPRIM_LIB_PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a file is opened. Opening never waits, for instance for the other end of a pipe. */
typedef enum clprim__opening {
    CLPRIM__OPEN_READ,   /* read */
    CLPRIM__OPEN_OWN,    /* read; links are not followed */
    CLPRIM__OPEN_CHANGE, /* read and write; links are not followed */
    CLPRIM__OPEN_KEEP,   /* the same; a file that does not exist is created, for the user alone */
    CLPRIM__OPEN_NEW,    /* read and write a file that must not exist yet, for the user alone */
    CLPRIM__OPEN_WRITE   /* write; a file that does not exist is created */
} clprim__opening;

/* What a file or a directory is. */
typedef struct clprim__facts {
    bool is_file, is_directory;
    bool is_mine;          /* it belongs to the user */
    bool others_may_write; /* other users, by its mode */
    unsigned num_names;    /* 0: it is removed */
    uint64_t size;
    int64_t modified; /* nanoseconds since 1970 */
} clprim__facts;

/* Open a directory; with `as_own`, not by a link. With a path that names no directory, errno may be ENOTDIR or ELOOP.
 * `again` opens another descriptor of an open one. */
int clprim__directory_open(const char *path, bool as_own);
int clprim__directory_again(int directory);
/* Create a directory, for the user alone or for all. */
bool clprim__directory_make(const char *path, bool is_private);
/* Call visit for each name in a directory, until there are no more. */
void clprim__directory_list(int directory, void (*visit)(void *user, int directory, const char *name), void *user);

/* `directory` is where relative names begin; CLPRIM__HERE: the working directory. */
enum { CLPRIM__HERE = -100 };
int clprim__file_open(int directory, const char *name, clprim__opening how);
void clprim__file_close(int fd);
/* The same for a file that was written, where closing may fail. */
bool clprim__file_close_written(int fd);
bool clprim__file_remove(int directory, const char *name);
/* Replaces a file with the name `to`. */
bool clprim__file_rename(int directory, const char *from, const char *to);

bool clprim__facts_of(clprim__facts *out, int fd);
/* Of a name in a directory; links are not followed. */
bool clprim__facts_at(clprim__facts *out, int directory, const char *name);

/* Read or write all bytes, despite interruptions. at: the position in the file; -1: the current position. At the end of
 * the file, a read returns true with *got less than size. */
bool clprim__file_read(int fd, void *out, size_t size, int64_t at, size_t *got);
bool clprim__file_write(int fd, const void *in, size_t size, int64_t at);
bool clprim__file_rewind(int fd);
bool clprim__file_truncate(int fd, uint64_t size);
/* Set the time of its last change to now, and have the disk write it. Both do what they can. */
void clprim__file_touch(int fd);
void clprim__file_sync(int fd);

/* Lock a file, without waiting. The lock belongs to the descriptor, and ends when it is closed, at the latest with the
 * process. Or to the process, in which the file may then be locked several times. */
typedef enum clprim__locking { CLPRIM__LOCKED, CLPRIM__LOCKED_BY_ANOTHER, CLPRIM__LOCK_IMPOSSIBLE } clprim__locking;
clprim__locking clprim__file_lock(int fd);
clprim__locking clprim__file_lock_for_process(int fd);

/* Numbers in a directory that are held by any number of processes and descriptors. They are held by a descriptor that
 * holds_open returns, until it is closed. Numbers have at most 60 bits. */
int clprim__holds_open(int directory);
void clprim__hold(int holds, int64_t number);
bool clprim__is_held(int directory, int64_t number);

/* The text of an errno. Returns false, and an empty text, if there is none. */
bool clprim__error_text(char *out, size_t capacity, int code);

/* An environment variable, in UTF-8; NULL: it is not set. The text stays valid while it is not changed. */
const char *clprim__environment(const char *name);
/* Where the user's cache of kernels and file of parameters usually are: the path `directory` followed by `rest`. NULL:
 * that is not known. */
typedef enum clprim__user_files { CLPRIM__USER_CACHE, CLPRIM__USER_TUNING } clprim__user_files;
typedef struct clprim__user_place {
    const char *directory, *rest;
} clprim__user_place;
clprim__user_place clprim__user_place_of(clprim__user_files which);
/* Ends of sentences: no variable says where the cache is; others may write to it. */
extern const char clprim__cache_unnamed[], clprim__cache_shared[];

#if defined(_WIN32)
/* A text of Windows in UTF-8. The caller frees the result. NULL: errno says why. */
char *clprim__to_utf8(const wchar_t *text);
#endif

bool clprim__is_separator(char c);
/* How many characters at the beginning of a path name the root of a file system: "/", "C:\". */
size_t clprim__root_size(const char *path);

/* The number of this process. A forked process has another one. */
long clprim__process(void);
/* Nanoseconds of a clock that never goes back, and since 1970. */
long long clprim__time(void);
long long clprim__date(void);
void clprim__sleep(long nanoseconds);

/* Start a thread that gets none of the signals that are sent to the process. */
bool clprim__thread_begin(pthread_t *out, void *(*run)(void *user), void *user);
/* Keep a new thread off the processor of this one, for some systems leave both there. It is the index-th new one, from 1 on, of
 * `of` threads with this one. */
void clprim__thread_spread(pthread_t thread, size_t index, size_t of);
/* Bring a thread to the processor of this one, so that it runs as soon as this one waits. */
void clprim__thread_fetch(pthread_t thread);
/* The number of processors that this process may use. */
long clprim__processors(void);

/* Allocate memory that free() releases, in huge pages if there are any and it is large. */
void *clprim__allocate_pages(size_t bytes);
/* Allocate whole pages. */
void *clprim__whole_pages(size_t bytes);
void clprim__whole_pages_release(void *memory);

#endif
