// SPDX-License-Identifier: MIT
/* cache_limit.h: limit the size of the directory of compiled programs by removing entries. */
#ifndef CLPRIM_LIB_CACHE_LIMIT_H
#define CLPRIM_LIB_CACHE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* Read the limit in bytes from CLPRIM_CACHE_SIZE (runtime.h). UINT64_MAX: no limit. Returns false if the variable is
 * malformed; then *out is the default. */
bool clprim__cache_limit(uint64_t *out);

/* Keep the entry of this name, whatever the limit, until the process ends or `holder` is closed, which
 * clprim__holds_open has opened. If the file system has no locks, this does nothing. */
void clprim__cache_hold(int holder, const char *name);

/* Clean up the open directory. Removes temporary files that killed writers left behind more than an hour ago. If the
 * entries together have more than `limit` bytes, removes the least recently used ones, until at most seven eighths of
 * the limit remain. Never removes the entry `kept`, held entries, or files that are not the user's own entries. Several
 * processes may do this at the same time: they remove the same entries. */
void clprim__cache_tidy(int directory, const char *kept, uint64_t limit);

#endif
