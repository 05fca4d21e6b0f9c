// SPDX-License-Identifier: MIT
/* bucket_runs.cl: sort each run of elements whose digits are equal, after passes over upper digits alone
 * (bucket_passes.cl). */
#include "radix_sort/parts/bucket_passes.cl"

#define ASCENDING 32 /* neighbours that it compares together */
#define INSERTED  48 /* elements of a run that it sorts by insertion, at most */

static inline void insert_elements(const bucket *b, ulong begin, ulong end)
{
    for (ulong i = begin + 1; i < end; i++) {
        const KEY key = b->keys_out[i];
        const KEY part = sorted_part(key);
#if VALUE_SIZE
        const VALUE value = b->values_out[i];
#endif
        ulong to = i;
        for (; to > begin && sorted_part(b->keys_out[to - 1]) > part; to--) {
            b->keys_out[to] = b->keys_out[to - 1];
#if VALUE_SIZE
            b->values_out[to] = b->values_out[to - 1];
#endif
        }
        b->keys_out[to] = key;
#if VALUE_SIZE
        b->values_out[to] = value;
#endif
    }
}

/* Sort the elements from `begin` to before `end`, which lie in keys_out, by all bits. */
static inline void sort_run(const bucket *b, ulong begin, ulong end)
{
    bucket run = *b;
    run.keys_out += begin;
    run.keys_between += begin;
    run.keys = run.keys_out;
    run.are_given = false;
#if VALUE_SIZE
    run.values_out += begin;
    run.values_between += begin;
    run.values = run.values_out;
    run.makes_values = false;
#endif
    (void)sort_digits(run, end - begin, digits_of(&run, end - begin, true), true, false);
}

static inline bool are_ascending(const __global KEY *keys, ulong begin, uint count)
{
    uint less = 0;
    for (uint k = 0; k < count; k++)
        less |= sorted_part(keys[begin + k + 1]) < sorted_part(keys[begin + k]);
    return less == 0;
}

/* The elements lie in keys_out in the order of their digits. Sort each run of equal digits that is not in order yet:
 * hardly any, and short ones, if the keys are random. */
static inline void finish_runs(const bucket *b, ulong count, digits d)
{
    const __global KEY *keys = b->keys_out;
    for (ulong i = 0; i + 1 < count;) {
        if (i + ASCENDING < count && are_ascending(keys, i, ASCENDING)) {
            i += ASCENDING;
            continue;
        }
        while (i + 1 < count && are_ascending(keys, i, 1))
            i++;
        if (i + 1 == count)
            break;
        const KEY same = digits_in(keys[i], &d);
        ulong begin = i;
        ulong end = i + 1;
        while (begin > 0 && digits_in(keys[begin - 1], &d) == same)
            begin--;
        while (end < count && digits_in(keys[end], &d) == same)
            end++;
        if (end - begin <= INSERTED)
            insert_elements(b, begin, end);
        else
            sort_run(b, begin, end);
        i = max(end - 1, i + 1); /* on, whatever the keys are */
    }
}
