/* output.c: write an output file. */
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_MARK ".clprim-" /* follows the file's name; then come letters that mkstemp chooses */

enum { MOST_PARTS = 4, MOST_LINKS = 40, PART_LETTERS = 6 };

/* Files that are being written. A signal that ends the process removes them. */
static char *volatile parts[MOST_PARTS];

static void unlink_parts(void)
{
    for (size_t i = 0; i < MOST_PARTS; i++)
        if (parts[i] != NULL)
            (void)unlink(parts[i]);
}

static void remove_parts(int number)
{
    unlink_parts();
    (void)raise(number); /* SA_RESETHAND has restored the default action */
}

/* Handle SIGBUS: a part of a mapped file cannot be read or written. Several threads may find that at once; only the
 * first one writes the message. */
static void end_without_file(int number)
{
    static const char text[] = "clprim: a file in use was truncated, or its disk is full or fails\n";
    static bool is_ending;
    while (__atomic_exchange_n(&is_ending, true, __ATOMIC_RELAXED))
        (void)pause();
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)number, (void)written;
    unlink_parts();
    _exit(CLI_REFUSED);
}

void output_watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    action.sa_handler = remove_parts;
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

/* FOLDER/NAME. The folder is the first `size` bytes of `path`. NULL: out of memory. */
static char *join(const char *path, size_t size, const char *name)
{
    char *joined = malloc(size + strlen(name) + 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, path, size);
    memcpy(joined + size, name, strlen(name) + 1);
    return joined;
}

/* The length of the path's folder, including the slash at its end; 0: the working directory. */
static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

/* Follow all symbolic links of a path, even if its target does not exist yet. The caller frees the result. NULL: errno
 * says why. */
static char *resolve(const char *name)
{
    char target[PATH_MAX];
    char *path = join(name, 0, name);
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
        char *next = join(path, target[0] == '/' ? 0 : folder_size(path), target);
        free(path);
        path = next;
    }
    free(path);
    return NULL;
}

/* Find the status of a path's folder, and the last component of the path. */
static bool find_folder(struct stat *folder, const char **name, const char *path)
{
    const size_t size = folder_size(path);
    char *its_path = join(path, size, ".");
    const bool is_there = its_path != NULL && stat(its_path, folder) == 0;
    *name = path + size;
    free(its_path);
    return is_there;
}

bool output_is_same(const char *first, const char *second)
{
    struct stat facts;
    struct stat folders[2];
    const char *names[2];
    char *paths[] = {resolve(first), resolve(second)};
    const bool is_same = paths[0] != NULL && paths[1] != NULL && find_folder(&folders[0], &names[0], paths[0]) &&
                         find_folder(&folders[1], &names[1], paths[1]) && strcmp(names[0], names[1]) == 0 &&
                         folders[0].st_dev == folders[1].st_dev && folders[0].st_ino == folders[1].st_ino;
    free(paths[0]);
    free(paths[1]);
    return is_same && !(stat(first, &facts) == 0 && S_ISCHR(facts.st_mode));
}

cli_result output_unwritable(const output *self)
{
    return cli_refuse(self->name, "%s", strerror(errno));
}

/* Whether `name` is a temporary name for the file `base`: base.clprim-XXXXXX. */
static bool is_part_of(const char *base, const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const size_t size = strlen(base);
    const size_t mark = sizeof PART_MARK - 1;
    return strncmp(name, base, size) == 0 && strncmp(name + size, PART_MARK, mark) == 0 &&
           strlen(name + size + mark) == PART_LETTERS && strspn(name + size + mark, letters) == PART_LETTERS;
}

/* Remove a temporary file that no process holds: a process that holds it has locked it. */
static void remove_stale(int folder, const char *name)
{
    struct stat facts;
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && facts.st_nlink == 1 &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)unlinkat(folder, name, 0);
    (void)close(fd);
}

/* Remove temporary files of killed processes that were writing the same file. */
static void remove_stale_parts(const char *path)
{
    char *folder_path = join(path, folder_size(path), ".");
    DIR *folder = folder_path != NULL ? opendir(folder_path) : NULL;
    free(folder_path);
    if (folder == NULL)
        return;
    for (const struct dirent *each; (each = readdir(folder)) != NULL;)
        if (is_part_of(path + folder_size(path), each->d_name))
            remove_stale(dirfd(folder), each->d_name);
    (void)closedir(folder);
}

/* Create the temporary file and lock it. Between these two steps, another process may have found it unlocked and
 * removed it; then try again. */
static bool make_part(output *self)
{
    struct stat facts = {.st_nlink = 1};
    char *letters = self->part + strlen(self->part) - PART_LETTERS;
    do {
        if (self->fd >= 0)
            (void)close(self->fd);
        memset(letters, 'X', PART_LETTERS);
        self->fd = mkstemp(self->part);
        if (self->fd < 0)
            return false;
        while (flock(self->fd, LOCK_EX) != 0 && errno == EINTR) /* without locks, nobody else gets one, either */
            continue;
    } while (fstat(self->fd, &facts) == 0 && facts.st_nlink == 0);
    self->lock = fcntl(self->fd, F_DUPFD_CLOEXEC, 0);
    return true;
}

/* Create the temporary file next to the output file. It gets the permissions of the existing file, or those of a new
 * file. */
static cli_result open_part(output *self, const struct stat *before)
{
    const mode_t mask = umask(0);
    (void)umask(mask);
    remove_stale_parts(self->path);
    self->part = join(self->path, strlen(self->path), PART_MARK "XXXXXX");
    if (self->part == NULL)
        return cli_refuse(self->name, "out of memory");
    while (self->slot < MOST_PARTS - 1 && parts[self->slot] != NULL)
        self->slot++;
    parts[self->slot] = self->part;
    if (!make_part(self)) {
        const cli_result result = output_unwritable(self);
        parts[self->slot] = NULL;
        free(self->part);
        self->part = NULL;
        return result;
    }
    (void)fchmod(self->fd, before != NULL ? before->st_mode & 0777 : 0666 & ~mask);
    return CLI_OK;
}

/* Whether the existing file may be replaced. A file without any write permission may not, even by root. */
static bool may_replace(const char *name, const struct stat *facts)
{
    return (facts->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 && access(name, W_OK) == 0;
}

static void release_lock(output *self)
{
    if (self->lock >= 0)
        (void)close(self->lock);
    self->lock = -1;
}

cli_result output_open(output *out, const char *name)
{
    struct stat facts;
    struct stat resolved;
    const bool is_there = stat(name, &facts) == 0;
    *out = OUTPUT_NONE;
    out->name = name;
    if (!is_there && errno != ENOENT)
        return output_unwritable(out);
    if (is_there && S_ISDIR(facts.st_mode))
        return cli_refuse(name, "is a directory");
    if (is_there && S_ISREG(facts.st_mode) && !may_replace(name, &facts))
        return cli_refuse(name, "is read-only");
    if (!is_there || S_ISREG(facts.st_mode)) {
        out->path = resolve(name);
        if (out->path == NULL)
            return output_unwritable(out);
        /* A link in /proc may refer to a file that has no name any more. */
        if (!is_there ||
            (stat(out->path, &resolved) == 0 && resolved.st_dev == facts.st_dev && resolved.st_ino == facts.st_ino))
            return open_part(out, is_there ? &facts : NULL);
    }
    out->fd = open(name, O_WRONLY | O_CLOEXEC | (is_there && S_ISREG(facts.st_mode) ? O_TRUNC : 0));
    return out->fd < 0 ? output_unwritable(out) : CLI_OK;
}

cli_result output_stream(output *self)
{
    self->stream = fdopen(self->fd, "w");
    return self->stream != NULL ? CLI_OK : output_unwritable(self);
}

static bool close_file(output *self)
{
    const bool is_whole = self->stream == NULL || (fflush(self->stream) == 0 && ferror(self->stream) == 0);
    const int reason = errno;
    const bool is_closed = (self->stream != NULL ? fclose(self->stream) : close(self->fd)) == 0;
    self->stream = NULL;
    self->fd = -1;
    if (!is_whole)
        errno = reason;
    return is_whole && is_closed;
}

cli_result output_finish(output *self)
{
    if (!close_file(self))
        return output_unwritable(self);
    if (self->part != NULL) {
        if (rename(self->part, self->path) != 0)
            return output_unwritable(self);
        release_lock(self);
        parts[self->slot] = NULL;
        free(self->part);
        self->part = NULL;
    }
    return CLI_OK;
}

void output_abandon(output *self)
{
    if (self->fd >= 0)
        (void)close_file(self);
    if (self->part != NULL) {
        (void)unlink(self->part);
        release_lock(self);
        parts[self->slot] = NULL;
        free(self->part);
    }
    free(self->path);
    *self = OUTPUT_NONE;
}
