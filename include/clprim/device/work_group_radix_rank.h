// SPDX-License-Identifier: MIT
/* clprim/device/work_group_radix_rank.h: where the keys of a tile go when they are sorted by a digit. OpenCL C 1.2. See
 * base.h for what the macros take, and docs/guides/device_functions.md for examples.
 *
 * KEY is an unsigned integer type. BITS, a constant from 1 to 8, is the most bits that a digit has. A tile has at most
 * 65535 keys.
 *
 *     CLPRIM_WORK_GROUP_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)
 *         NAME_memory                a type. The kernel declares one in local memory: __local NAME_memory memory;
 *         NAME_index(k)              the number in the tile of the work-item's key k, 0 to SIZE * ITEMS - 1. What is
 *                                    fastest depends on the device: do not rely on one
 *         NAME_rank(keys, ranks, begin, bits, &memory)
 *                                    ranks[k] (uints) = the place of keys[k] among the tile's keys, sorted by the digit
 *                                    key >> begin & ((1 << bits) - 1). The sort is stable: keys with the same digit are
 *                                    in the order of NAME_index
 *         NAME_rank_descending(keys, ranks, begin, bits, &memory)
 *                                    the same with the largest digit first; it is stable, too
 *         NAME_begin(digit, &memory) after NAME_rank and the next barrier: the place of the first key that has this
 *                                    digit or a larger one; for rank_descending, digit 0 is the largest one. `digit` is
 *                                    less than 1 << BITS
 *
 * Each function to rank has three barriers, or four without shuffles. Without sub-groups of constant width, and
 * if BITS is more than 4, it has eight, or ten without shuffles. Before `memory` is used again there must be
 * another barrier.
 *
 * Two algorithms: With sub-groups of constant width (NVIDIA, AMD, CLPRIM_SUB_GROUP_WIDTH), lanes with the same digit
 * find each other by ballots, and each sub-group has a counter for each digit (Adinets and Merrill 2022). Otherwise each
 * work-item has a counter of 16 bits for each digit of up to four bits (Merrill and Grimshaw 2011; Satish, Harris and
 * Garland 2009), and larger digits are ranked in two rounds. There are no atomics in them. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_RADIX_RANK_H
#define CLPRIM_DEVICE_WORK_GROUP_RADIX_RANK_H

#include <clprim/device/base.h>
#include <clprim/device/sub_group.h>
#include <clprim/device/work_group_scan.h>

#ifdef CLPRIM__WIDTH
#define CLPRIM__RANKS_ARE_BLOCKED 0

/* A sub-group has consecutive keys, and neighbouring lanes have neighbouring keys. Each digit's counters first count
 * the keys of each sub-group so far; later they contain where the sub-group's keys begin. The counters of digits 2 * d
 * and 2 * d + 1 share a word, so that summing them takes half as many steps. Ranks are shifted by `at` and added to the
 * value in `ranks`, whose bits from `at` on must be 0. */
#define CLPRIM__DEFINE_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)                                                        \
    typedef struct NAME##_memory {                                                                                     \
        NAME##_sums_memory sums;                                                                                       \
        union {                                                                                                        \
            ushort counts[CLPRIM__MOST_SUB_GROUPS(SIZE) << (BITS)];                                                    \
            uint words[CLPRIM__IF((SIZE) * (ITEMS) < 65536 && (BITS) <= 8, CLPRIM__MOST_SUB_GROUPS(SIZE)               \
                                                                               << ((BITS)-1))];                        \
        } of;                                                                                                          \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE uint NAME##_index(CLPRIM_PARAMETERS uint k)                                                         \
    {                                                                                                                  \
        return clprim_sub_group_index() * (CLPRIM__WIDTH * (ITEMS)) + k * clprim__sub_group_size(SIZE) +               \
               clprim_sub_group_lane();                                                                                \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_add(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks,           \
                                         uint begin, uint mask, uint flip, uint at, __local NAME##_memory *memory)     \
    {                                                                                                                  \
        const uint words = 1u << ((BITS)-1);                                                                           \
        const uint each = (words + (SIZE)-1) / (SIZE); /* per work-item, if there are so many */                       \
        const uint first = (uint)get_local_id(0) * each;                                                               \
        const uint size = clprim__sub_group_size(SIZE);                                                                \
        const uint lane = clprim_sub_group_lane();                                                                     \
        __local uint *all = memory->of.words;                                                                          \
        __local ushort *own = memory->of.counts + (clprim_sub_group_index() << (BITS));                                \
        for (uint w = 0; w < words; w += size)                                                                         \
            if (words % size == 0 || w + lane < words)                                                                 \
                all[clprim_sub_group_index() * words + w + lane] = 0;                                                  \
        clprim__sub_group_sync(SIZE); /* the counters are 0 */                                                         \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const uint digit = ((uint)(keys[k] >> begin) & mask) ^ flip;                                               \
            const uint4 same = clprim__match(digit, BITS, SIZE);                                                       \
            const uint before = own[digit] + clprim_sub_group_ballot_exclusive_scan(same);                             \
            clprim__sub_group_sync(SIZE); /* all have read */                                                          \
            if (clprim__is_last_lane(same))                                                                            \
                own[digit] = (ushort)(before + 1);                                                                     \
            ranks[k] |= before << at;                                                                                  \
            clprim__sub_group_sync(SIZE); /* the counters are up to date */                                            \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */                                                             \
        uint sum = 0;                 /* for the lower and the upper digits */                                         \
        uint total;                                                                                                    \
        for (uint w = first; w < first + each; w++)                                                                    \
            if (each * (SIZE) == words || w < words)                                                                   \
                for (uint s = 0; s < clprim__sub_group_count(SIZE); s++)                                               \
                    sum += all[s * words + w];                                                                         \
        uint place = NAME##_sums_exclusive(CLPRIM_PASSED(sum & 0xffff) + (sum >> 16), &total, &memory->sums);          \
        for (uint w = first; w < first + each; w++)                                                                    \
            if (each * (SIZE) == words || w < words) {                                                                 \
                if (each > 1)                                                                                          \
                    sum = 0;                                                                                           \
                for (uint s = 0; each > 1 && s < clprim__sub_group_count(SIZE); s++)                                   \
                    sum += all[s * words + w];                                                                         \
                uint places = place | (place + (sum & 0xffff)) << 16;                                                  \
                place += (sum & 0xffff) + (sum >> 16);                                                                 \
                for (uint s = 0; s < clprim__sub_group_count(SIZE); s++) {                                             \
                    const uint theirs = all[s * words + w];                                                            \
                    all[s * words + w] = places;                                                                       \
                    places += theirs;                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE); /* it is known where each sub-group's keys begin */                              \
        begin = clprim__anew(begin);  /* the digits' addresses need not be kept */                                     \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            ranks[k] += (uint)own[((uint)(keys[k] >> begin) & mask) ^ flip] << at;                                     \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_begin(CLPRIM_PARAMETERS uint digit, const __local NAME##_memory *memory)                \
    {                                                                                                                  \
        return memory->of.counts[digit];                                                                               \
    }
#else
#define CLPRIM__RANKS_ARE_BLOCKED   1

/* For one round: the digits, and the words, each with two counters, of digits d and d + WORDS. Words are in the order
 * of the digits and then of the work-items. After the words that one work-item sums up there is a gap, which avoids
 * bank conflicts. */
#define CLPRIM__ROUND_BITS(BITS)    ((BITS) < 4 ? (BITS) : 4)
#define CLPRIM__COUNTER_WORDS(BITS) (1u << CLPRIM__ROUND_BITS(BITS) >> 1)
#define CLPRIM__COUNTER_AT(BITS, i) ((BITS) > 1 ? (i) + (i) / CLPRIM__COUNTER_WORDS(BITS) : (i))
#define CLPRIM__COUNTER_OF(BITS, SIZE, digit)                                                                          \
    CLPRIM__COUNTER_AT(BITS, (digit) % CLPRIM__COUNTER_WORDS(BITS) * (SIZE) + (uint)get_local_id(0))

/* If there are two rounds, the first one sorts by the lower half of the digits. The second one gets the digits in that
 * order. */
#define CLPRIM__DEFINE_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)                                                        \
    typedef struct NAME##_memory {                                                                                     \
        NAME##_sums_memory sums;                                                                                       \
        uint words[CLPRIM__IF((SIZE) * (ITEMS) < 65536 && (BITS) <= 8,                                                 \
                              CLPRIM__COUNTER_AT(BITS, CLPRIM__COUNTER_WORDS(BITS) * (SIZE)))];                        \
        ushort moved[(BITS) > 4 ? (SIZE) * (ITEMS) : 1]; /* digits in the order of the first round; final places */    \
        uchar sorted[(BITS) > 4 ? (SIZE) * (ITEMS) : 1]; /* digits */                                                  \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE uint NAME##_index(CLPRIM_PARAMETERS uint k)                                                         \
    {                                                                                                                  \
        return (uint)get_local_id(0) * (ITEMS) + k;                                                                    \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_round(CLPRIM_PARAMETERS const __private uint *digits, __private uint *ranks,      \
                                           uint shift, uint at, __local NAME##_memory *memory)                         \
    {                                                                                                                  \
        const uint words = CLPRIM__COUNTER_WORDS(BITS);                                                                \
        const uint lid = (uint)get_local_id(0);                                                                        \
        for (uint w = 0; w < words; w++)                                                                               \
            memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, w)] = 0;                                                      \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const uint digit = digits[k] >> shift & (words * 2 - 1);                                                   \
            const uint word = memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, digit)];                                    \
            ranks[k] |= (word >> digit / words * 16 & 0xffff) << at;                                                   \
            memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, digit)] = word + (1u << digit / words * 16);                  \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */                                                             \
        uint place = 0;                                                                                                \
        uint total;                                                                                                    \
        for (uint w = 0; w < words; w++)                                                                               \
            place += memory->words[CLPRIM__COUNTER_AT(BITS, lid * words + w)];                                         \
        place = NAME##_sums_exclusive(CLPRIM_PASSED place, &total, &memory->sums);                                     \
        place += total << 16; /* the digits of the upper halves come after all digits of the lower ones */             \
        for (uint w = 0; w < words; w++) {                                                                             \
            const uint own = memory->words[CLPRIM__COUNTER_AT(BITS, lid * words + w)];                                 \
            memory->words[CLPRIM__COUNTER_AT(BITS, lid * words + w)] = place;                                          \
            place += own;                                                                                              \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* it is known where each work-item's keys begin */                              \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const uint digit = digits[k] >> shift & (words * 2 - 1);                                                   \
            ranks[k] += (memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, digit)] >> digit / words * 16 & 0xffff) << at;   \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_add(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks,           \
                                         uint begin, uint mask, uint flip, uint at, __local NAME##_memory *memory)     \
    {                                                                                                                  \
        const uint first = (uint)get_local_id(0) * (ITEMS);                                                            \
        uint digits[ITEMS];                                                                                            \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            digits[k] = ((uint)(keys[k] >> begin) & mask) ^ flip;                                                      \
        NAME##_inner_round(CLPRIM_PASSED digits, ranks, 0, at, memory);                                                \
        if ((BITS) > 4) {                                                                                              \
            uint moved[ITEMS];                                                                                         \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++) {                                                                       \
                memory->moved[ranks[k]] = (ushort)digits[k];                                                           \
                moved[k] = 0;                                                                                          \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE); /* the digits, and the counters are free */                                  \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                digits[k] = memory->moved[first + k];                                                                  \
            NAME##_inner_round(CLPRIM_PASSED digits, moved, 4, 0, memory);                                             \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++) {                                                                       \
                memory->moved[first + k] = (ushort)moved[k];                                                           \
                memory->sorted[moved[k]] = (uchar)digits[k];                                                           \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE); /* where the first round's places go */                                      \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                ranks[k] = memory->moved[ranks[k]];                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_begin(CLPRIM_PARAMETERS uint digit, const __local NAME##_memory *memory)                \
    {                                                                                                                  \
        const uint words = CLPRIM__COUNTER_WORDS(BITS);                                                                \
        if ((BITS) <= 4)                                                                                               \
            return memory->words[CLPRIM__COUNTER_AT(BITS, digit % words * (SIZE))] >> digit / words * 16 & 0xffff;     \
        uint begin = 0;                                                                                                \
        uint end = (SIZE) * (ITEMS);                                                                                   \
        while (begin < end) {                                                                                          \
            const uint middle = (begin + end) / 2;                                                                     \
            const bool is_smaller = memory->sorted[middle] < digit;                                                    \
            begin = is_smaller ? middle + 1 : begin;                                                                   \
            end = is_smaller ? end : middle;                                                                           \
        }                                                                                                              \
        return begin;                                                                                                  \
    }
#endif

#define CLPRIM_WORK_GROUP_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)                                                     \
    CLPRIM_WORK_GROUP_SCAN(NAME##_sums, uint, a + b, 0, SIZE)                                                          \
    CLPRIM__DEFINE_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)                                                            \
    CLPRIM__INLINE void NAME##_rank(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks, uint begin,    \
                                    uint bits, __local NAME##_memory *memory)                                          \
    {                                                                                                                  \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            ranks[k] = 0;                                                                                              \
        NAME##_inner_add(CLPRIM_PASSED keys, ranks, begin, (1u << bits) - 1, 0, 0, memory);                            \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_rank_descending(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks,     \
                                               uint begin, uint bits, __local NAME##_memory *memory)                   \
    {                                                                                                                  \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            ranks[k] = 0;                                                                                              \
        NAME##_inner_add(CLPRIM_PASSED keys, ranks, begin, (1u << bits) - 1, (1u << bits) - 1, 0, memory);             \
    }

#endif
