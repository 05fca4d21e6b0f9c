// SPDX-License-Identifier: MIT
/* risk.h: take notes on disk while something risky is compiled or run.
 *
 * A compiler that crashes or hangs takes the process with it. If a note still exists although the process that took it
 * is gone, it warns the next process. Notes are entries of the program cache, so they count towards its limit. The
 * process that took a note holds a lock on its file, which ends with the process at the latest. So another process can
 * tell whether that process still runs. Notes are best effort, like the cache: if a note cannot be written, or files
 * cannot be locked, there is none. */
#ifndef CLPRIM_LIB_RISK_H
#define CLPRIM_LIB_RISK_H

#include <stdbool.h>
#include <stddef.h>

#include "cache_entry.h"
#include "program_cache.h"

typedef struct clprim__risk {
    bool is_taken;
    int file, directory;
    char name[CLPRIM__CACHE_NAME_SIZE];
} clprim__risk;

/* Within a process, only one thread at a time may take notes: it begins a turn before and ends it after. So a note that
 * is left behind names what ended the process, and not what another thread was doing. A thread may begin its turn again
 * within it. */
void clprim__risk_turn_begin(void);
void clprim__risk_turn_end(void);

/* The keys of notes begin with this, and no other keys in the cache. */
#define CLPRIM__RISK "under way: "

/* Take a note for the key. If an earlier process has left a note for it, returns false and takes none, unless `again`
 * is set: then that note is taken over. */
bool clprim__risk_begin(clprim__risk *out, clprim__disk_cache *disk, const char *key, size_t key_size, bool again);

/* Remove the notes that ended processes have left behind. */
void clprim__risk_forget(clprim__disk_cache *disk);

/* Remove a note: the risky work succeeded, or failed with an error. Without a note, or with a zeroed one, this does
 * nothing. */
void clprim__risk_end(clprim__risk *note);

#endif
