// SPDX-License-Identifier: MIT
/* system_posix.c: Linux, macOS and others with POSIX. */
#ifdef __APPLE__
#define _DARWIN_C_SOURCE /* for MAP_ANONYMOUS, _SC_PHYS_PAGES */
#include <xlocale.h>
#else
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#endif
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void system_begin(int *argc, char ***argv)
{
    /* the terminal's characters */
    const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    (void)argc;
    (void)argv;
    if (locale != (locale_t)0)
        (void)uselocale(locale);
}

static void (*clean)(void);
static const char *end_text;
static int end_code;

static void end_by_signal(int number)
{
    clean();
    (void)raise(number); /* SA_RESETHAND has restored the default action */
}

/* Handle SIGBUS: a part of a mapped file cannot be read or written. Several threads may find that at once; only the
 * first one writes the message. */
static void end_without_file(int number)
{
    static bool is_ending;
    while (__atomic_exchange_n(&is_ending, true, __ATOMIC_RELAXED))
        (void)pause();
    const ssize_t written = write(STDERR_FILENO, end_text, strlen(end_text));
    (void)number, (void)written;
    clean();
    _exit(end_code);
}

void system_watch(void (*clean_up)(void), const char *text, int code)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    clean = clean_up;
    end_text = text;
    end_code = code;
    action.sa_handler = end_by_signal;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) /* keep what nohup set */
            (void)sigaction(numbers[i], &action, NULL);
    action.sa_handler = end_without_file;
    action.sa_flags = 0;
    (void)sigaction(SIGBUS, &action, NULL);
    action.sa_handler = SIG_IGN; /* exceeding the file size limit should be an ordinary write error */
    (void)sigaction(SIGXFSZ, &action, NULL);
}

size_t system_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
}

size_t system_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool system_has_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool system_has_watcher(void)
{
    return isatty(STDERR_FILENO) == 1;
}

int system_open(const char *path, bool writes)
{
    if (!writes)
        return open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts;
    const bool is_file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    return open(path, O_WRONLY | O_CLOEXEC | (is_file ? O_TRUNC : 0));
}

int system_duplicate(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

void *system_map(int fd, size_t begin, size_t bytes, bool writes)
{
    const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *memory = mmap(NULL, bytes, writes ? PROT_READ | PROT_WRITE : PROT_READ, flags, fd, (off_t)begin);
    if (memory == MAP_FAILED)
        return NULL;
    if (!writes)
        (void)posix_madvise(memory, bytes, POSIX_MADV_SEQUENTIAL);
    return memory;
}

void system_unmap(void *memory, size_t bytes)
{
    (void)munmap(memory, bytes);
}

bool system_make_long(int fd, size_t bytes, bool is_whole)
{
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
    const int code = is_whole ? posix_fallocate(fd, 0, (off_t)bytes) : EOPNOTSUPP;
    if (code == 0)
        return true;
    if (code != EINVAL && code != EOPNOTSUPP) {
        errno = code;
        return false;
    }
#endif
    (void)is_whole;
    return ftruncate(fd, (off_t)bytes) == 0;
}

const char *system_temporary_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}

void system_set_variable(const char *name, const char *value)
{
    if (value != NULL)
        (void)setenv(name, value, 1);
    else
        (void)unsetenv(name);
}

void system_remove_folder(const char *path)
{
    (void)rmdir(path);
}

int system_capture(int fd)
{
    (void)fflush(stdout);
    const int before = system_duplicate(STDOUT_FILENO);
    if (before < 0 || dup2(fd, STDOUT_FILENO) >= 0)
        return before;
    (void)close(before);
    return -1;
}

void system_release(int before)
{
    if (before < 0)
        return;
    (void)fflush(stdout);
    (void)dup2(before, STDOUT_FILENO);
    (void)close(before);
}

system_kind system_look(const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return errno == ENOENT ? SYSTEM_NOTHING : SYSTEM_UNKNOWN;
    return S_ISREG(facts.st_mode) ? SYSTEM_FILE : S_ISDIR(facts.st_mode) ? SYSTEM_DIRECTORY : SYSTEM_DEVICE;
}

bool system_is_same(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

size_t system_folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

char *system_resolve(const char *name)
{
    enum { MOST_LINKS = 40 };
    char target[PATH_MAX];
    char *path = system_join(name, 0, name);
    for (unsigned links = 0; path != NULL; links++) {
        struct stat facts;
        if (lstat(path, &facts) != 0 || !S_ISLNK(facts.st_mode))
            return path;
        const ssize_t size = readlink(path, target, sizeof target - 1);
        if (size < 0 || links == MOST_LINKS) {
            errno = size < 0 ? errno : ELOOP;
            break;
        }
        target[size] = '\0';
        char *next = system_join(path, target[0] == '/' ? 0 : system_folder_size(path), target);
        free(path);
        path = next;
    }
    free(path);
    return NULL;
}

bool system_may_replace(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && (facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 && access(path, W_OK) == 0;
}

void system_permit(int fd, const char *path)
{
    struct stat facts;
    const mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(fd, stat(path, &facts) == 0 ? facts.st_mode & 0777 : 0666 & ~mask);
}
