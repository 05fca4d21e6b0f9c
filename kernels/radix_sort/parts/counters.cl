// SPDX-License-Identifier: MIT
/* counters.cl: a group counts the digits of keys, in local memory.
 *
 *     counters_clear(counters)
 *     counters_add(counters, keys, first, end, stride, are_given, from, like)
 *                                      counts for COUNTED_PASSES passes, beginning with pass `from`
 *     counters_sum(counters, slot)     slot: the digit, after all digits of earlier passes
 *     passes_of(differing)             the passes whose digits differ, one bit each
 *
 * There must be a barrier between any two of these. In counters_add, `first` is the work-item's first key, and `stride`
 * is the number of keys that all groups together count at once. It returns the bits in which any of the work-item's
 * images differs from `like`.
 *
 * Parameters: COUNTED_PASSES; COPIES of the counters, a power of two, which lanes use in turn, so that they rarely
 * collide; COUNT_ITEMS keys that a work-item loads at once; COUNT_GROUP_SIZE. */
#include "common/kernel.h"
#include "radix_sort/parts/keys.cl"

#if !defined(COUNTED_PASSES) || !defined(COPIES) || !defined(COUNT_ITEMS) || !defined(COUNT_GROUP_SIZE)
#error "COUNTED_PASSES, COPIES, COUNT_ITEMS and COUNT_GROUP_SIZE must be given"
#endif
#define COUNTERS   (COUNTED_PASSES * RADIX)
#define COUNT_TILE (COUNT_GROUP_SIZE * COUNT_ITEMS)

ALWAYS_INLINE void counters_clear(__local uint *counters)
{
    for (uint i = (uint)get_local_id(0); i < COUNTERS * COPIES; i += COUNT_GROUP_SIZE)
        counters[i] = 0;
}

/* A key as the passes see it. */
ALWAYS_INLINE KEY counted_image(KEY key, bool is_given)
{
    return HAS_IMAGES && is_given ? image_of(key) : key;
}

ALWAYS_INLINE KEY count_key(__local uint *counters, KEY key, bool is_given, uint from)
{
    const KEY image = counted_image(key, is_given);
#pragma unroll
    for (uint pass = 0; pass < COUNTED_PASSES; pass++)
        (void)atomic_inc(counters + (pass * RADIX + digit_of(image, shift_of(from + pass))) * COPIES +
                         get_local_id(0) % COPIES);
    return image;
}

ALWAYS_INLINE KEY counters_add(__local uint *counters, const __global KEY *keys, ulong first, ulong end, ulong stride,
                               bool are_given, uint from, KEY like)
{
    KEY differing = like ^ like;
    for (; first + COUNT_GROUP_SIZE * (COUNT_ITEMS - 1) < end; first += stride) {
        KEY loaded[COUNT_ITEMS];
#pragma unroll
        for (uint j = 0; j < COUNT_ITEMS; j++)
            loaded[j] = key_at(keys, first, j * COUNT_GROUP_SIZE, are_given);
#pragma unroll
        for (uint j = 0; j < COUNT_ITEMS; j++)
            differing |= count_key(counters, loaded[j], are_given, from) ^ like;
    }
    for (uint j = 0; j < COUNT_ITEMS; j++) /* the remaining keys, if they are not enough for every work-item */
        if (first + j * COUNT_GROUP_SIZE < end)
            differing |=
                count_key(counters, key_at(keys, first, j * COUNT_GROUP_SIZE, are_given), are_given, from) ^ like;
    return differing;
}

ALWAYS_INLINE uint counters_sum(const __local uint *counters, uint slot)
{
    uint sum = 0;
    for (uint c = 0; c < COPIES; c++) /* each lane begins with another copy: no bank conflicts */
        sum += counters[slot * COPIES + (c + slot) % COPIES];
    return sum;
}

/* The passes whose digits differ, if images differ in these bits. */
static inline uint passes_of(KEY differing)
{
    uint mask = 0;
    for (uint pass = 0; pass < PASSES; pass++)
        mask |= (digit_of(differing, shift_of(pass)) != 0 ? 1u : 0u) << pass;
    return mask;
}
