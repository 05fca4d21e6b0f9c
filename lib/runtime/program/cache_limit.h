/* cache_limit.h: how large the directory of compiled programs may get, and what is removed from it. */
#ifndef CLPRIM_LIB_CACHE_LIMIT_H
#define CLPRIM_LIB_CACHE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* The limit in bytes, from CLPRIM_CACHE_SIZE (runtime.h). UINT64_MAX: no limit. False where the variable is malformed;
 * then it is the default. */
bool clprim__cache_limit(uint64_t *out);

/* The entry open as `fd` was used just now. */
void clprim__cache_touch(int fd);

/* The entry of this name stays, whatever the limit, until `holder`, a descriptor of its directory, is closed, or the
 * process ends. Nothing happens where the file system has no locks. */
void clprim__cache_hold(int holder, const char *name);

/* Remove what killed writers left in the open directory an hour ago or earlier; and where its entries have more than
 * `limit` bytes together, those that were used least recently, until they have no more than seven eighths of it. The
 * entry `kept` stays, and so do held ones, and every file that is no entry of the user's own. Several processes may do so at once:
 * they remove the same entries. */
void clprim__cache_tidy(int directory, const char *kept, uint64_t limit);

#endif
