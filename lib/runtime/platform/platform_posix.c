// SPDX-License-Identifier: MIT
/* platform_posix.c: Linux, macOS and others with POSIX. */
#ifndef __LP64__
#define _FILE_OFFSET_BITS 64 /* places in files, and numbers that are held (clprim__hold), on systems of 32 bits, too */
#endif
#ifdef __linux__
#define _GNU_SOURCE /* for F_OFD_SETLK, madvise, sched_getaffinity, pthread_setaffinity_np */
#include <sched.h>
#include <sys/mman.h>
#else
#define _DARWIN_C_SOURCE /* for F_OFD_SETLK, _SC_NPROCESSORS_ONLN */
#endif
#include "platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h> /* renameat */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int place(int directory)
{
    return directory == CLPRIM__HERE ? AT_FDCWD : directory;
}

int clprim__directory_open(const char *path, bool as_own)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (as_own ? O_NOFOLLOW : 0));
}

int clprim__directory_again(int directory)
{
    return openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool clprim__directory_make(const char *path, bool is_private)
{
    return mkdir(path, is_private ? 0700 : 0777) == 0;
}

void clprim__directory_list(int directory, void (*visit)(void *user, int directory, const char *name), void *user)
{
    const int fd = clprim__directory_again(directory);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (list == NULL && fd >= 0)
        (void)close(fd);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        visit(user, directory, entry->d_name);
    if (list != NULL)
        (void)closedir(list);
}

int clprim__file_open(int directory, const char *name, clprim__opening how)
{
    static const struct {
        int flags;
        mode_t mode;
    } ways[] = {[CLPRIM__OPEN_READ] = {O_RDONLY, 0},
                [CLPRIM__OPEN_OWN] = {O_RDONLY | O_NOFOLLOW, 0},
                [CLPRIM__OPEN_CHANGE] = {O_RDWR | O_NOFOLLOW, 0},
                [CLPRIM__OPEN_KEEP] = {O_RDWR | O_CREAT | O_NOFOLLOW, 0600},
                [CLPRIM__OPEN_NEW] = {O_RDWR | O_CREAT | O_EXCL, 0600},
                [CLPRIM__OPEN_WRITE] = {O_WRONLY | O_CREAT, 0666}};
    return openat(place(directory), name, ways[how].flags | O_CLOEXEC | O_NONBLOCK, ways[how].mode);
}

void clprim__file_close(int fd)
{
    (void)close(fd);
}

bool clprim__file_close_written(int fd)
{
    return close(fd) == 0;
}

bool clprim__file_remove(int directory, const char *name)
{
    return unlinkat(place(directory), name, 0) == 0;
}

bool clprim__file_rename(int directory, const char *from, const char *to)
{
    return renameat(place(directory), from, place(directory), to) == 0;
}

static clprim__facts facts_from(const struct stat *status)
{
#ifdef __APPLE__
    const struct timespec modified = status->st_mtimespec;
#else
    const struct timespec modified = status->st_mtim;
#endif
    return (clprim__facts){.is_file = S_ISREG(status->st_mode),
                           .is_directory = S_ISDIR(status->st_mode),
                           .is_mine = status->st_uid == geteuid(),
                           .others_may_write = (status->st_mode & (S_IWGRP | S_IWOTH)) != 0,
                           .num_names = (unsigned)status->st_nlink,
                           .size = (uint64_t)status->st_size,
                           .modified = (int64_t)modified.tv_sec * 1000000000 + modified.tv_nsec};
}

bool clprim__facts_of(clprim__facts *out, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return false;
    *out = facts_from(&status);
    return true;
}

bool clprim__facts_at(clprim__facts *out, int directory, const char *name)
{
    struct stat status;
    if (fstatat(place(directory), name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    *out = facts_from(&status);
    return true;
}

enum { MOST_AT_ONCE = 1 << 30 }; /* bytes that one system call can surely transfer */

bool clprim__file_read(int fd, void *out, size_t size, int64_t at, size_t *got)
{
    for (*got = 0; *got < size;) {
        const size_t rest = size - *got < MOST_AT_ONCE ? size - *got : MOST_AT_ONCE;
        char *to = (char *)out + *got;
        const ssize_t n = at < 0 ? read(fd, to, rest) : pread(fd, to, rest, (off_t)at + (off_t)*got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        *got += (size_t)n;
    }
    return true;
}

bool clprim__file_write(int fd, const void *in, size_t size, int64_t at)
{
    for (size_t put = 0; put < size;) {
        const size_t rest = size - put < MOST_AT_ONCE ? size - put : MOST_AT_ONCE;
        const char *from = (const char *)in + put;
        const ssize_t n = at < 0 ? write(fd, from, rest) : pwrite(fd, from, rest, (off_t)at + (off_t)put);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        put += (size_t)n;
    }
    return true;
}

bool clprim__file_rewind(int fd)
{
    return lseek(fd, 0, SEEK_SET) == 0;
}

bool clprim__file_truncate(int fd, uint64_t size)
{
    return ftruncate(fd, (off_t)size) == 0;
}

void clprim__file_touch(int fd)
{
    (void)futimens(fd, NULL);
}

void clprim__file_sync(int fd)
{
    (void)fsync(fd);
}

static clprim__locking lock(int fd, int command)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, command, &whole) == 0)
        return CLPRIM__LOCKED;
    return errno == EAGAIN || errno == EACCES ? CLPRIM__LOCKED_BY_ANOTHER : CLPRIM__LOCK_IMPOSSIBLE;
}

clprim__locking clprim__file_lock(int fd)
{
    return lock(fd, F_OFD_SETLK);
}

clprim__locking clprim__file_lock_for_process(int fd)
{
    return lock(fd, F_SETLK);
}

/* Numbers are held by locks on single bytes of the directory: they need no file. */
int clprim__holds_open(int directory)
{
    return clprim__directory_again(directory);
}

static struct flock lock_of(int64_t number, short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)number, .l_len = 1};
}

void clprim__hold(int holds, int64_t number)
{
    struct flock one = lock_of(number, F_RDLCK);
    (void)fcntl(holds, F_OFD_SETLK, &one);
}

bool clprim__is_held(int directory, int64_t number)
{
    struct flock one = lock_of(number, F_WRLCK);
    return fcntl(directory, F_OFD_GETLK, &one) == 0 && one.l_type != F_UNLCK;
}

bool clprim__error_text(char *out, size_t capacity, int code)
{
    out[0] = '\0';
#ifdef __GLIBC__ /* with _GNU_SOURCE, strerror_r is another function */
    const char *text = strerror_r(code, out, capacity);
    if (text != out) {
        out[0] = '\0';
        (void)strncat(out, text, capacity - 1);
    }
    return true;
#else
    return strerror_r(code, out, capacity) == 0;
#endif
}

const char *clprim__environment(const char *name)
{
    return getenv(name);
}

const char clprim__cache_unnamed[] = "none of CLPRIM_CACHE_DIR, XDG_CACHE_HOME and HOME names it";
const char clprim__cache_shared[] = "others may write to it; chmod go-w makes it yours alone";

clprim__user_place clprim__user_place_of(clprim__user_files which)
{
    const char *xdg = getenv(which == CLPRIM__USER_CACHE ? "XDG_CACHE_HOME" : "XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    if (xdg != NULL && xdg[0] == '/') /* the XDG specification says that relative paths must be ignored */
        return (clprim__user_place){xdg, which == CLPRIM__USER_CACHE ? "/clprim" : "/clprim/tuning.txt"};
    if (home != NULL && home[0] != '\0')
        return (clprim__user_place){home,
                                    which == CLPRIM__USER_CACHE ? "/.cache/clprim" : "/.config/clprim/tuning.txt"};
    return (clprim__user_place){NULL, NULL};
}

bool clprim__is_separator(char c)
{
    return c == '/';
}

size_t clprim__root_size(const char *path)
{
    return path[0] == '/';
}

long clprim__process(void)
{
    return (long)getpid();
}

static long long read_clock(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

long long clprim__time(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

long long clprim__date(void)
{
    return read_clock(CLOCK_REALTIME);
}

void clprim__sleep(long nanoseconds)
{
    (void)nanosleep(&(const struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* The thread has the signals that a thread itself causes, for instance by reading an unmapped address. */
bool clprim__thread_begin(pthread_t *out, void *(*run)(void *user), void *user)
{
    static const int of_threads[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL};
    sigset_t masked, before;
    (void)sigfillset(&masked);
    for (size_t i = 0; i < sizeof of_threads / sizeof *of_threads; i++)
        (void)sigdelset(&masked, of_threads[i]);
    (void)pthread_sigmask(SIG_SETMASK, &masked, &before);
    const bool is_begun = pthread_create(out, NULL, run, user) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_begun;
}

#ifdef __linux__
/* The processors of this thread, or, if these are more, of the process's first one: a driver's thread may be bound. */
static int processors(cpu_set_t *out)
{
    cpu_set_t first;
    if (sched_getaffinity(0, sizeof *out, out) != 0)
        return 0;
    if (sched_getaffinity(getpid(), sizeof first, &first) == 0 && CPU_COUNT(&first) > CPU_COUNT(out))
        *out = first;
    return CPU_COUNT(out);
}
#endif

void clprim__thread_spread(pthread_t thread, size_t index, size_t of)
{
#ifdef __linux__
    cpu_set_t set;
    const int count = processors(&set);
    const int own = sched_getcpu();
    if (count < 2 || own < 0 || own >= CPU_SETSIZE)
        return;
    CPU_CLR(own, &set);
    if (of == (size_t)count) { /* a processor for each */
        int k = own;
        for (size_t i = 0; i < index; i++)
            do
                k = (k + 1) % CPU_SETSIZE;
            while (!CPU_ISSET(k, &set));
        CPU_ZERO(&set);
        CPU_SET(k, &set);
    }
    (void)pthread_setaffinity_np(thread, sizeof set, &set);
#else
    (void)thread;
    (void)index;
    (void)of;
#endif
}

void clprim__thread_fetch(pthread_t thread)
{
#ifdef __linux__
    const int own = sched_getcpu();
    cpu_set_t set;
    if (own < 0 || own >= CPU_SETSIZE)
        return;
    CPU_ZERO(&set);
    CPU_SET(own, &set);
    (void)pthread_setaffinity_np(thread, sizeof set, &set);
#else
    (void)thread;
#endif
}

long clprim__processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    const int count = processors(&set);
    if (count > 0)
        return count;
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

enum { PAGE = 4096 };

void *clprim__whole_pages(size_t bytes)
{
    return bytes > SIZE_MAX - PAGE ? NULL : aligned_alloc(PAGE, (bytes + PAGE) / PAGE * PAGE);
}

void clprim__whole_pages_release(void *memory)
{
    free(memory);
}

/* With pages of 4 KiB, the system takes four times as long to provide memory as the bus takes to fill it. */
void *clprim__allocate_pages(size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)2 << 20;
    void *memory = NULL;
    if (bytes < 8 * page)
        return malloc(bytes);
    if (posix_memalign(&memory, page, bytes) != 0)
        return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
#else
    return malloc(bytes);
#endif
}
