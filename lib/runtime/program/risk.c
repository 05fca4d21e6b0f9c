// SPDX-License-Identifier: MIT
/* risk.c: take notes on disk while something risky is compiled or run. */
#include "risk.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform.h"

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

/* Lock a note. If its previous owner has removed the file meanwhile, it counts as another process's. */
static clprim__locking lock(int file)
{
    clprim__facts facts;
    const clprim__locking locked = clprim__file_lock(file);
    if (locked != CLPRIM__LOCKED)
        return locked;
    return !clprim__facts_of(&facts, file) || facts.num_names == 0 ? CLPRIM__LOCKED_BY_ANOTHER : CLPRIM__LOCKED;
}

/* Write a note and flush it to the disk: if a kernel hangs the GPU, the user may have to restart the machine. */
static bool write_note(const clprim__risk *note, const char *key, size_t key_size)
{
    const bool is_written = clprim__file_truncate(note->file, 0) && clprim__file_rewind(note->file) &&
                            clprim__cache_entry_write(note->file, key, key_size, "", 1);
    if (is_written) {
        clprim__file_sync(note->file);
        clprim__file_sync(note->directory);
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
        clprim__file_close(note->file);
    if (note->directory >= 0)
        clprim__file_close(note->directory);
    note->is_taken = false;
}

bool clprim__risk_begin(clprim__risk *out, clprim__disk_cache *disk, const char *key, size_t key_size, bool again)
{
    *out = (clprim__risk){.file = -1, .directory = clprim__disk_cache_directory(disk)};
    clprim__cache_entry_name(out->name, key, key_size);
    if (out->directory >= 0)
        out->file = clprim__file_open(out->directory, out->name, CLPRIM__OPEN_KEEP);
    const clprim__locking locked = out->file >= 0 ? lock(out->file) : CLPRIM__LOCKED_BY_ANOTHER;
    const bool is_left = locked == CLPRIM__LOCKED && has_note(out->file, key, key_size);
    out->is_taken = locked == CLPRIM__LOCKED && (is_left ? again : write_note(out, key, key_size));
    if (is_left && !again)
        clprim__file_touch(out->file); /* still needed, so it must not become the oldest entry */
    else if (locked != CLPRIM__LOCKED_BY_ANOTHER && !out->is_taken)
        (void)clprim__file_remove(out->directory, out->name);
    if (!out->is_taken)
        close_note(out);
    return !is_left || again;
}

static void forget(void *user, int directory, const char *name)
{
    const int file = clprim__cache_entry_has_name(name) ? clprim__file_open(directory, name, CLPRIM__OPEN_CHANGE) : -1;
    (void)user;
    if (file < 0)
        return;
    if (clprim__cache_entry_key_begins(file, CLPRIM__RISK) && lock(file) == CLPRIM__LOCKED)
        (void)clprim__file_remove(directory, name);
    clprim__file_close(file);
}

void clprim__risk_forget(clprim__disk_cache *disk)
{
    const int directory = clprim__disk_cache_directory(disk);
    if (directory < 0)
        return;
    clprim__directory_list(directory, forget, NULL);
    clprim__file_close(directory);
}

/* If a note cannot be removed, it is emptied, so that it is not taken for one that was left behind. */
void clprim__risk_end(clprim__risk *note)
{
    if (!note->is_taken)
        return;
    if (!clprim__file_remove(note->directory, note->name) && !clprim__file_truncate(note->file, 0)) {
        /* nothing more can be done: the next process will skip something that worked */
    }
    close_note(note);
}
