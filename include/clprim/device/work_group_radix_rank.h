/* clprim/device/work_group_radix_rank.h: where the keys of a tile go when they are sorted by a digit. OpenCL C 1.2. See
 * base.h for what the macros take, and docs/guides/device_functions.md for examples.
 *
 * KEY is an unsigned integer type. BITS, a constant from 1 to 8, is the most bits that a digit has. A tile has at most
 * 65535 keys.
 *
 *     CLPRIM_WORK_GROUP_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)
 *         NAME_memory                a type. The kernel declares one in local memory: __local NAME_memory memory;
 *         NAME_index(k)              the number in the tile of the work-item's key k, 0 to SIZE * ITEMS - 1. What is
 *                                    fastest depends on the device: do not assume an order
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

/* A sub-group has consecutive keys, and neighbouring lanes have neighbouring ones. Each digit's counters first count the
 * keys of each sub-group so far, and then are where the sub-group's keys begin. */
#define CLPRIM__DEFINE_RADIX_RANK(NAME, KEY, BITS, SIZE, ITEMS)                                                        \
    typedef struct NAME##_memory {                                                                                     \
        NAME##_sums_memory sums;                                                                                       \
        ushort counts[CLPRIM__IF((SIZE) * (ITEMS) < 65536 && (BITS) <= 8, CLPRIM__MOST_SUB_GROUPS(SIZE) << (BITS))];   \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE uint NAME##_index(CLPRIM_PARAMETERS uint k)                                                         \
    {                                                                                                                  \
        return clprim_sub_group_index() * (CLPRIM__WIDTH * (ITEMS)) + k * clprim__sub_group_size(SIZE) +               \
               clprim_sub_group_lane();                                                                                \
    }                                                                                                                  \
    CLPRIM__INLINE void clprim__##NAME##_rank(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks,      \
                                              uint begin, uint mask, uint flip, __local NAME##_memory *memory)         \
    {                                                                                                                  \
        const uint digits = ((1u << (BITS)) + (SIZE)-1) / (SIZE); /* of each work-item */                              \
        const uint first = (uint)get_local_id(0) * digits;                                                             \
        const uint count = first < 1u << (BITS) ? min(digits, (1u << (BITS)) - first) : 0;                             \
        __local ushort *own = memory->counts + (clprim_sub_group_index() << (BITS));                                   \
        for (uint d = clprim_sub_group_lane(); d < 1u << (BITS); d += clprim__sub_group_size(SIZE))                    \
            own[d] = 0;                                                                                                \
        clprim__sub_group_sync(SIZE); /* the counters are 0 */                                                         \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const uint digit = ((uint)(keys[k] >> begin) & mask) ^ flip;                                               \
            const uint4 same = clprim__match(digit, BITS, SIZE);                                                       \
            ranks[k] = own[digit] + clprim_sub_group_ballot_exclusive_scan(same);                                      \
            clprim__sub_group_sync(SIZE); /* all have read */                                                          \
            if (clprim__is_last_lane(same))                                                                            \
                own[digit] = (ushort)(ranks[k] + 1);                                                                   \
            clprim__sub_group_sync(SIZE); /* the counters are up to date */                                            \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */                                                             \
        uint place = 0;                                                                                                \
        uint total;                                                                                                    \
        for (uint d = first; d < first + count; d++)                                                                   \
            for (uint s = 0; s < clprim__sub_group_count(SIZE); s++)                                                   \
                place += memory->counts[(s << (BITS)) + d];                                                            \
        place = NAME##_sums_exclusive(CLPRIM_PASSED place, &total, &memory->sums);                                     \
        for (uint d = first; d < first + count; d++)                                                                   \
            for (uint s = 0; s < clprim__sub_group_count(SIZE); s++) {                                                 \
                const uint theirs = memory->counts[(s << (BITS)) + d];                                                 \
                memory->counts[(s << (BITS)) + d] = (ushort)place;                                                     \
                place += theirs;                                                                                       \
            }                                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE); /* where each sub-group's keys begin */                                          \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            ranks[k] += own[((uint)(keys[k] >> begin) & mask) ^ flip];                                                 \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_begin(CLPRIM_PARAMETERS uint digit, const __local NAME##_memory *memory)                \
    {                                                                                                                  \
        return memory->counts[digit];                                                                                  \
    }
#else
#define CLPRIM__RANKS_ARE_BLOCKED   1

/* Of one round: digits, and words of two counters, of digits d and d + WORDS. Words are in the order of the digits and
 * then of the work-items, with a hole after those that one work-item sums up, which avoids bank conflicts. */
#define CLPRIM__ROUND_BITS(BITS)    ((BITS) < 4 ? (BITS) : 4)
#define CLPRIM__COUNTER_WORDS(BITS) (1u << CLPRIM__ROUND_BITS(BITS) >> 1)
#define CLPRIM__COUNTER_AT(BITS, i) ((BITS) > 1 ? (i) + (i) / CLPRIM__COUNTER_WORDS(BITS) : (i))
#define CLPRIM__COUNTER_OF(BITS, SIZE, digit)                                                                          \
    CLPRIM__COUNTER_AT(BITS, (digit) % CLPRIM__COUNTER_WORDS(BITS) * (SIZE) + (uint)get_local_id(0))

/* Of two rounds, the first one sorts by the lower half of the digits. The second one sees the digits in that order. */
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
    CLPRIM__INLINE void clprim__##NAME##_round(CLPRIM_PARAMETERS const __private uint *digits, __private uint *ranks,  \
                                               uint shift, __local NAME##_memory *memory)                              \
    {                                                                                                                  \
        const uint words = CLPRIM__COUNTER_WORDS(BITS);                                                                \
        const uint lid = (uint)get_local_id(0);                                                                        \
        for (uint w = 0; w < words; w++)                                                                               \
            memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, w)] = 0;                                                      \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const uint digit = digits[k] >> shift & (words * 2 - 1);                                                   \
            const uint word = memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, digit)];                                    \
            ranks[k] = word >> digit / words * 16 & 0xffff;                                                            \
            memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, digit)] = word + (1u << digit / words * 16);                  \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */                                                             \
        uint place = 0;                                                                                                \
        uint total;                                                                                                    \
        for (uint w = 0; w < words; w++)                                                                               \
            place += memory->words[CLPRIM__COUNTER_AT(BITS, lid * words + w)];                                         \
        place = NAME##_sums_exclusive(CLPRIM_PASSED place, &total, &memory->sums);                                     \
        place += total << 16; /* the digits of the upper halves come behind all of the lower ones */                   \
        for (uint w = 0; w < words; w++) {                                                                             \
            const uint own = memory->words[CLPRIM__COUNTER_AT(BITS, lid * words + w)];                                 \
            memory->words[CLPRIM__COUNTER_AT(BITS, lid * words + w)] = place;                                          \
            place += own;                                                                                              \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* where each work-item's keys begin */                                          \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const uint digit = digits[k] >> shift & (words * 2 - 1);                                                   \
            ranks[k] += memory->words[CLPRIM__COUNTER_OF(BITS, SIZE, digit)] >> digit / words * 16 & 0xffff;           \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE void clprim__##NAME##_rank(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks,      \
                                              uint begin, uint mask, uint flip, __local NAME##_memory *memory)         \
    {                                                                                                                  \
        const uint first = (uint)get_local_id(0) * (ITEMS);                                                            \
        uint digits[ITEMS];                                                                                            \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            digits[k] = ((uint)(keys[k] >> begin) & mask) ^ flip;                                                      \
        clprim__##NAME##_round(CLPRIM_PASSED digits, ranks, 0, memory);                                                \
        if ((BITS) > 4) {                                                                                              \
            uint moved[ITEMS];                                                                                         \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                memory->moved[ranks[k]] = (ushort)digits[k];                                                           \
            barrier(CLK_LOCAL_MEM_FENCE); /* the digits, and the counters are free */                                  \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                digits[k] = memory->moved[first + k];                                                                  \
            clprim__##NAME##_round(CLPRIM_PASSED digits, moved, 4, memory);                                            \
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
        clprim__##NAME##_rank(CLPRIM_PASSED keys, ranks, begin, (1u << bits) - 1, 0, memory);                          \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_rank_descending(CLPRIM_PARAMETERS const __private KEY *keys, __private uint *ranks,     \
                                               uint begin, uint bits, __local NAME##_memory *memory)                   \
    {                                                                                                                  \
        clprim__##NAME##_rank(CLPRIM_PASSED keys, ranks, begin, (1u << bits) - 1, (1u << bits) - 1, memory);           \
    }

#endif
