/* risk.h: what is being compiled or tried, noted on disk while it is.
 *
 * A compiler that crashes or hangs takes the process with it. A note that is still there, although the process that took
 * it is gone, tells the next process. Notes are entries of the program cache, so the cache's limit holds for them. A
 * lock of the file, which ends with the process at the latest, tells a note that is left from one of a process that is
 * still at work. Best effort, like the cache: where a note cannot be written, or files cannot be locked, there is none. */
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

/* Whoever takes notes does it in its turn, in a process: so the note that is left by a process is of what ended it, not
 * of what another thread was about. A thread may begin its turn again within it. */
void clprim__risk_turn_begin(void);
void clprim__risk_turn_end(void);

/* What the key of a note begins with, and no other entry's. */
#define CLPRIM__RISK "under way: "

/* Take a note of what the key names. False, and no note is taken, where an earlier process has left one; unless `again`,
 * which takes it over. */
bool clprim__risk_begin(clprim__risk *out, clprim__disk_cache *disk, const char *key, size_t key_size, bool again);

/* Remove the notes that ended processes have left. */
void clprim__risk_forget(clprim__disk_cache *disk);

/* It went well, or failed as it should. Nothing happens without a note, also a zeroed one. */
void clprim__risk_end(clprim__risk *note);

#endif
