/* top_k_keep for CPUs: the first k of a chunk, where k is small: kept.cl has how.
 *
 * The first launch has one work-group per chunk and reads keys. If there are several chunks, a second one with one
 * work-group reads their slots. The work-group that is alone writes the result. Parameters: GROUP_SIZE 1. */
#include "radix_sort/parts/keys.cl"
#include "top_k/parts/search.cl"
#include "top_k/parts/kept.cl"

/* slots: 0 where keys are read, else from how many slots. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
top_k_keep(const __global KEY *keys_in, ulong keys_in_offset, ulong n, __global uchar *scratch, ulong kept_at, uint room,
           uint slots, ulong k, uint sorts, TARGET_PARAMETERS)
{
    n = CALL_COUNT_0(n);
    const ulong group = get_group_id(0);
    const ulong groups = get_num_groups(0);
    kept_slot s = slot_at(scratch, kept_at, room, slots + group);
    s.length = 0;
    if (slots > 0) {
        keep_slots(&s, (uint)k, scratch, kept_at, slots);
    } else {
        const ulong chunk = (n + groups - 1) / groups;
        const ulong begin = min(n, group * chunk);
        keep_keys(&s, (uint)k, keys_in + keys_in_offset, begin, min(n, begin + chunk));
    }
    if (groups > 1) {
        *(__global uint *)((__global uchar *)s.places - SLOT_HEAD) = s.length;
        return;
    }
    if (sorts)
        sort_kept(&s);
    for (uint i = 0; i < s.length; i++)
        put(i, key_of(s.images[i]), s.places[i], TARGET_ARGUMENTS);
}
