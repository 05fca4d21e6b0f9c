// SPDX-License-Identifier: MIT
/* kept.cl: for CPUs: finds the first k of consecutive keys if k is small. A work-group is one work-item, which runs on
 * one thread.
 *
 * Candidates are kept in a slot of scratch memory. There is a limit: elements after it are not among the first k. So
 * most blocks of elements are skipped after a comparison with the limit. When the slot is full, it keeps only the first
 * k. From then on, later elements must come before the last of these: equal elements lose because of their places.
 *
 * The limit is found by looking ahead. The next elements are divided into small groups. Of the best elements of all
 * groups, the k-th is the limit, because at least k elements are up to it. Fewer than k groups have an element before
 * the limit. So only a small share of the elements ahead is kept, for any input, even if each element is better than
 * the previous one.
 * Parameters: GROUP_SIZE 1; SLOT_HEAD: bytes before a slot's elements. The first four of these bytes are the slot's
 * length. */
#include "common/kernel.h"
#include "radix_sort/parts/keys.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#ifndef SLOT_HEAD
#error "SLOT_HEAD must be given"
#endif

#define KEPT_BLOCK  64 /* elements that are compared with the limit at a time */
#define KEPT_PART   16 /* and if any is up to the limit, in parts of this size */
#define KEPT_GROUP  16 /* elements of a group when looking ahead; KEPT_PART groups are looked at together */
#define KEPT_DIGIT  8  /* bits */
#define KEPT_RANGES (1u << KEPT_DIGIT)
#define KEPT_ALL    ((KEY) ~(KEY)0) /* a limit that keeps everything */

/* The elements that a chunk keeps, in the order of the input: images of keys, and their places. */
typedef struct {
    __global COUNT *places;
    __global KEY *images;
    uint length;
    uint room;
    KEY limit;    /* elements after it are not kept */
    bool is_best; /* no element is better than the kept ones */
} kept_slot;

/* A range that contains the k-th image: low <= it <= low + width. `needed` images of the range are among the first
 * k. */
typedef struct {
    KEY low;
    KEY width;
    uint needed;
} kept_range;

static inline kept_slot slot_at(__global uchar *scratch, ulong kept_at, uint room, ulong number)
{
    __global uchar *memory = scratch + kept_at + number * (SLOT_HEAD + room * (ulong)(sizeof(COUNT) + sizeof(KEY)));
    kept_slot s;
    s.places = (__global COUNT *)(memory + SLOT_HEAD);
    s.images = (__global KEY *)(s.places + room);
    s.length = *(__global uint *)memory;
    s.room = room;
    s.limit = KEPT_ALL;
    s.is_best = false;
    return s;
}

/* Finds the range of the k-th of at least k images. The range is divided by KEPT_RANGES repeatedly. */
static kept_range range_of(const __global KEY *images, uint length, uint k)
{
    KEY low = images[0];
    KEY high = low;
    for (uint i = 1; i < length; i++) {
        low = min(low, images[i]);
        high = max(high, images[i]);
    }
    kept_range r = {low, high - low, k};
    uint candidates = length;
    while (r.width > 0 && r.needed < candidates) {
        uint counts[KEPT_RANGES];
        for (uint d = 0; d < KEPT_RANGES; d++)
            counts[d] = 0;
        const uint bits = (uint)(sizeof(KEY) * 8) - (uint)clz(r.width);
        const uint shift = bits > KEPT_DIGIT ? bits - KEPT_DIGIT : 0;
        for (uint i = 0; i < length; i++) {
            const KEY above = images[i] - r.low;
            if (above <= r.width)
                counts[above >> shift]++;
        }
        uint digit = 0;
        for (; counts[digit] < r.needed; digit++)
            r.needed -= counts[digit];
        candidates = counts[digit];
        r.low += (KEY)digit << shift;
        r.width = (KEY)(((KEY)1 << shift) - 1);
    }
    return r;
}

/* Keep only the first k, if there are more. */
static inline void keep_first(kept_slot *s, uint k)
{
    if (s->length <= k)
        return;
    kept_range r = range_of(s->images, s->length, k);
    uint length = 0;
    KEY last = 0;
    for (uint i = 0; i < s->length; i++) {
        const KEY image = s->images[i];
        const bool is_in_range = image >= r.low && (KEY)(image - r.low) <= r.width && r.needed > 0;
        const bool stays = image < r.low || is_in_range;
        r.needed -= is_in_range;
        s->images[length] = image;
        s->places[length] = s->places[i];
        last = stays ? max(last, image) : last;
        length += stays;
    }
    s->length = length;
    s->is_best = last == 0;
    s->limit = last - 1; /* later elements that are equal lose */
}

static inline void keep(kept_slot *s, KEY image, ulong place, bool stays)
{
    s->images[s->length] = image;
    s->places[s->length] = (COUNT)place;
    s->length += stays;
}

/* Whether any of `count` elements from `begin` on is up to the limit. */
ALWAYS_INLINE bool any_up_to(const __global KEY *keys, ulong begin, uint count, KEY limit)
{
    KEY found = 0;
    for (uint j = 0; j < count; j++)
        found |= image_of(key_at(keys, begin, j, true)) <= limit;
    return found != 0;
}

/* Find a limit among the elements from `begin` on. Returns where it stopped. It uses the slot's free places for
 * images. */
static inline ulong look_ahead(kept_slot *s, uint k, const __global KEY *keys, ulong begin, ulong end)
{
    const ulong step = KEPT_GROUP * KEPT_PART;
    uint length = s->length;
    ulong i = begin;
    for (; i + step <= end && length + KEPT_PART <= s->room; i += step, length += KEPT_PART) {
        KEY best[KEPT_PART];
        for (uint l = 0; l < KEPT_PART; l++)
            best[l] = KEPT_ALL;
        for (uint j = 0; j < KEPT_GROUP; j++)
#pragma unroll 1 /* so that the compiler vectorises it */
            for (uint l = 0; l < KEPT_PART; l++)
                best[l] = min(best[l], image_of(key_at(keys, i + j * KEPT_PART, l, true)));
        for (uint l = 0; l < KEPT_PART; l++)
            s->images[length + l] = best[l];
    }
    if (i > begin && length >= k) {
        const kept_range r = range_of(s->images, length, k);
        const KEY above = KEPT_ALL - r.low;
        s->limit = min(s->limit, (KEY)(r.low + min(r.width, above)));
    }
    return i;
}

/* Keep the elements of a part that are up to the limit. */
static inline void keep_part(kept_slot *s, const __global KEY *keys, ulong begin, ulong end)
{
    for (ulong i = begin; i < end; i++) {
        const KEY image = image_of(key_at(keys, i, 0, true));
        keep(s, image, i, image <= s->limit);
    }
}

/* Keep the first k keys from `begin` to before `end`. */
static inline void keep_keys(kept_slot *s, uint k, const __global KEY *keys, ulong begin, ulong end)
{
    ulong seen = begin;
    uint room = min(s->room, 2 * k + KEPT_BLOCK); /* at first: if elements are equal, only k are needed */
    for (ulong i = begin; i < end && !s->is_best; i += KEPT_BLOCK) {
        if (i == begin || s->length + KEPT_BLOCK > room) {
            if (i > begin)
                room = s->room;
            keep_first(s, k);
            if (i >= seen)
                seen = look_ahead(s, k, keys, i, end);
        }
        if (i + KEPT_BLOCK > end) {
            keep_part(s, keys, i, end);
        } else if (any_up_to(keys, i, KEPT_BLOCK, s->limit)) {
            for (ulong part = i; part < i + KEPT_BLOCK; part += KEPT_PART)
                if (any_up_to(keys, part, KEPT_PART, s->limit))
                    keep_part(s, keys, part, part + KEPT_PART);
        }
    }
    keep_first(s, k);
}

/* Keep the first k elements from the slots of other chunks. */
static inline void keep_slots(kept_slot *s, uint k, __global uchar *scratch, ulong kept_at, uint slots)
{
    for (uint number = 0; number < slots && !s->is_best; number++) {
        const kept_slot from = slot_at(scratch, kept_at, s->room, number);
        for (uint i = 0; i < from.length; i++) {
            keep(s, from.images[i], from.places[i], from.images[i] <= s->limit);
            if (s->length == s->room)
                keep_first(s, k);
        }
    }
    keep_first(s, k);
}

/* Stable, because elements are kept in the order of their places. */
static inline void sort_kept(const kept_slot *s)
{
    for (uint i = 1; i < s->length; i++) {
        const KEY image = s->images[i];
        const COUNT place = s->places[i];
        uint j = i;
        for (; j > 0 && s->images[j - 1] > image; j--) {
            s->images[j] = s->images[j - 1];
            s->places[j] = s->places[j - 1];
        }
        s->images[j] = image;
        s->places[j] = place;
    }
}
