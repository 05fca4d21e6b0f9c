// SPDX-License-Identifier: MIT
/* keys.h: one rank's piece of the keys: where it comes from, and whether the ranks' pieces are sorted. */
#ifndef CLPRIM_EXAMPLES_KEYS_H
#define CLPRIM_EXAMPLES_KEYS_H

#include <clprim/comm.h>
#include <stdbool.h>
#include <stddef.h>

/* What all ranks have: a count, and a hash that does not depend on the order of the keys. */
typedef struct keys_summary {
    uint64_t count;
    uint64_t hash;
} keys_summary;

/* How many keys are in the file, u32 in the machine's byte order. False, and a sentence on stderr: it cannot be read. */
bool keys_in_file(const char *path, uint64_t *count);
/* Read keys[0 .. count) from the file, from key number `first` on. */
bool keys_read(const char *path, uint64_t first, size_t count, uint32_t *keys);
/* Pseudo-random keys: the numbers `first` up to first + count - 1 of one sequence, whatever the number of ranks. */
void keys_generate(uint64_t first, size_t count, uint32_t *keys);

/* Both are collective, as the callbacks of the communicator that they call. False: communication failed. */
bool keys_summarise(const clprim_comm *comm, const uint32_t *keys, size_t count, keys_summary *out);
/* Whether each rank's keys are sorted, and no key is below one of a lower rank. */
bool keys_are_sorted(const clprim_comm *comm, const uint32_t *keys, size_t count, bool *out);

#endif
