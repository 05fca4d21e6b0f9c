// SPDX-License-Identifier: MIT
/* segmented_top_k_cpu_chunk: for CPUs. A work-group is one work-item, which runs on one thread. It has a share of the
 * segments, and finds the first k of each in turn.
 *
 * If k is small, they are kept sorted in a short list, into which better elements are inserted; most blocks of elements
 * are skipped after a comparison with the last element of the list. Otherwise they are kept in a slot of scratch
 * memory.
 * Parameters: LISTED: slots of the list, as many as k, or 0; UNSORTED; GROUP_SIZE 1. */
#include "radix_sort/parts/keys.cl"
#include "top_k/parts/kept.cl"
#include "segmented_top_k/args.h"
#include "segmented_top_k/parts/segments.cl"
#include "top_k/parts/target.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#if !defined(LISTED) || !defined(UNSORTED)
#error "LISTED and UNSORTED must be given"
#endif

#if LISTED
typedef struct {
    KEY images[LISTED];
    ulong places[LISTED];
    uint length;
} sorted_list;

/* Insert after elements that are not greater, so that equal ones stay in the order of their places. by_place: order by
 * places alone. */
static inline void list_insert(sorted_list *list, KEY image, ulong place, uint wanted, bool by_place)
{
    uint i = list->length < wanted ? list->length++ : wanted - 1;
    for (; i > 0 && (by_place ? list->places[i - 1] > place : list->images[i - 1] > image); i--) {
        list->images[i] = list->images[i - 1];
        list->places[i] = list->places[i - 1];
    }
    list->images[i] = image;
    list->places[i] = place;
}

static inline void list_keys(sorted_list *list, uint wanted, const __global KEY *keys, ulong length)
{
    list->length = 0;
    for (ulong i = 0; i < length; i += KEPT_PART) {
        const bool is_full = list->length == wanted;
        const KEY last = is_full ? list->images[wanted - 1] : KEPT_ALL;
        if (is_full && last == 0)
            return;
        if (is_full && i + KEPT_PART <= length && !any_up_to(keys, i, KEPT_PART, last - 1))
            continue;
        for (ulong j = i; j < min(length, i + KEPT_PART); j++) {
            const KEY image = image_of(keys[j]);
            if (list->length < wanted || image < list->images[wanted - 1])
                list_insert(list, image, j, wanted, false);
        }
    }
}

static inline void find(ulong at, segment own, const __global KEY *keys, uint wanted, __global uchar *scratch,
                        uint room, target to)
{
    sorted_list list;
    list_keys(&list, wanted, keys, own.length);
#if UNSORTED
    const sorted_list by_image = list;
    list.length = 0;
    for (uint i = 0; i < by_image.length; i++)
        list_insert(&list, by_image.images[i], by_image.places[i], wanted, true);
#endif
    for (uint i = 0; i < list.length; i++)
        put(at + i, key_of(list.images[i]), own, list.places[i], to);
}
#else
#define SORTED_BY_INSERTION 64 /* elements */
#define SORT_DIGIT          8  /* bits */

/* By digits, back and forth between the halves of the slot, which has room for at least twice the elements. */
static inline void sort_by_digits(kept_slot *s)
{
    kept_slot from = *s;
    kept_slot to = *s;
    to.images += s->room / 2;
    to.places += s->room / 2;
    for (uint shift = 0; shift < KEY_BITS; shift += SORT_DIGIT) {
        uint counts[1 << SORT_DIGIT];
        uint before = 0;
        for (uint d = 0; d < 1 << SORT_DIGIT; d++)
            counts[d] = 0;
        for (uint i = 0; i < s->length; i++)
            counts[(uint)(from.images[i] >> shift) & ((1 << SORT_DIGIT) - 1)]++;
        if (counts[(uint)(from.images[0] >> shift) & ((1 << SORT_DIGIT) - 1)] == s->length)
            continue;
        for (uint d = 0; d < 1 << SORT_DIGIT; d++) {
            const uint own = counts[d];
            counts[d] = before;
            before += own;
        }
        for (uint i = 0; i < s->length; i++) {
            const uint rank = counts[(uint)(from.images[i] >> shift) & ((1 << SORT_DIGIT) - 1)]++;
            to.images[rank] = from.images[i];
            to.places[rank] = from.places[i];
        }
        const kept_slot other = from;
        from = to;
        to = other;
    }
    s->images = from.images;
    s->places = from.places;
}

static inline void find(ulong at, segment own, const __global KEY *keys, uint wanted, __global uchar *scratch,
                        uint room, target to)
{
    kept_slot s = slot_at(scratch, 0, room, get_group_id(0));
    s.length = 0;
    keep_keys(&s, wanted, keys, 0, own.length);
#if !UNSORTED
    if (s.length <= SORTED_BY_INSERTION)
        sort_kept(&s);
    else
        sort_by_digits(&s);
#endif
    for (uint i = 0; i < s.length; i++)
        put(at + i, key_of(s.images[i]), own, s.places[i], to);
}
#endif

__kernel GROUP_OF(GROUP_SIZE) void segmented_top_k_cpu_chunk(ARGS_OF(SEGMENTED_TOP_K_ALL))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    const ulong segments = args.segments;
    const ulong share = (segments + get_num_groups(0) - 1) / get_num_groups(0);
    const ulong end = min(segments, (get_group_id(0) + 1) * share);
    for (ulong s = get_group_id(0) * share; s < end; s++) {
        const segment own = SEGMENT_AT(s);
        if (own.length > 0)
            find(s * args.k, own, keys_in + args.keys_in_offset + own.begin, (uint)min(args.k, own.length), scratch,
                 args.room, TARGET);
    }
}
