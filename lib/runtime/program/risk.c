/* risk.c: take notes on disk while something risky is compiled or run. */
#define _GNU_SOURCE /* for F_OFD_SETLK */
#include "risk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_limit.h"

static pthread_mutex_t turn;

static void make_turn(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&turn, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void clprim__risk_turn_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_turn);
    pthread_mutex_lock(&turn);
}

void clprim__risk_turn_end(void)
{
    pthread_mutex_unlock(&turn);
}

typedef enum locking { LOCKED, ANOTHERS, IMPOSSIBLE } locking;

/* Lock a note. If its previous owner has removed the file meanwhile, it counts as another process's. */
static locking lock(int file)
{
    struct stat facts;
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_OFD_SETLK, &whole) != 0)
        return errno == EAGAIN || errno == EACCES ? ANOTHERS : IMPOSSIBLE;
    return fstat(file, &facts) != 0 || facts.st_nlink == 0 ? ANOTHERS : LOCKED;
}

/* Write a note and flush it to the disk: if a kernel hangs the GPU, the user may have to restart the machine. */
static bool write_note(const clprim__risk *note, const char *key, size_t key_size)
{
    const bool is_written = ftruncate(note->file, 0) == 0 && lseek(note->file, 0, SEEK_SET) == 0 &&
                            clprim__cache_entry_write(note->file, key, key_size, "", 1);
    if (is_written) {
        (void)fsync(note->file);
        (void)fsync(note->directory);
    }
    return is_written;
}

static bool has_note(int file, const char *key, size_t key_size)
{
    size_t size = 0;
    char *bytes = clprim__cache_entry_read(file, &size, key, key_size);
    free(bytes);
    return bytes != NULL;
}

static void close_note(clprim__risk *note)
{
    if (note->file >= 0)
        (void)close(note->file);
    if (note->directory >= 0)
        (void)close(note->directory);
    note->is_taken = false;
}

bool clprim__risk_begin(clprim__risk *out, clprim__disk_cache *disk, const char *key, size_t key_size, bool again)
{
    *out = (clprim__risk){.file = -1, .directory = clprim__disk_cache_directory(disk)};
    clprim__cache_entry_name(out->name, key, key_size);
    if (out->directory >= 0)
        out->file = openat(out->directory, out->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    const locking locked = out->file >= 0 ? lock(out->file) : ANOTHERS;
    const bool is_left = locked == LOCKED && has_note(out->file, key, key_size);
    out->is_taken = locked == LOCKED && (is_left ? again : write_note(out, key, key_size));
    if (is_left && !again)
        clprim__cache_touch(out->file); /* still needed, so it must not become the oldest entry */
    else if (locked != ANOTHERS && !out->is_taken)
        (void)unlinkat(out->directory, out->name, 0);
    if (!out->is_taken)
        close_note(out);
    return !is_left || again;
}

static void forget(int directory, const char *name)
{
    const int file =
        clprim__cache_entry_has_name(name) ? openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file < 0)
        return;
    if (clprim__cache_entry_key_begins(file, CLPRIM__RISK) && lock(file) == LOCKED)
        (void)unlinkat(directory, name, 0);
    (void)close(file);
}

void clprim__risk_forget(clprim__disk_cache *disk)
{
    const int directory = clprim__disk_cache_directory(disk);
    DIR *list = directory >= 0 ? fdopendir(directory) : NULL;
    if (list == NULL && directory >= 0)
        (void)close(directory);
    if (list == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        forget(directory, entry->d_name);
    (void)closedir(list);
}

/* If a note cannot be removed, it is emptied, so that it is not taken for one that was left behind. */
void clprim__risk_end(clprim__risk *note)
{
    if (!note->is_taken)
        return;
    if (unlinkat(note->directory, note->name, 0) != 0 && ftruncate(note->file, 0) != 0) {
        /* nothing more can be done: the next process will skip something that worked */
    }
    close_note(note);
}
