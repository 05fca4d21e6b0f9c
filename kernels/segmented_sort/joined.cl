/* segmented_sort_joined: few segments of a small array in one launch, some of which may not fit a tile: launches take most
 * of the time there, and a second one for long segments mostly finds nothing to do.
 *
 * Ranges of TILE elements divide the array. A long segment, of more than TILE elements, consists of parts: its own group
 * sorts the first one, up to the end of the range in which it begins. Behind the segments' groups there is one for each
 * range but the first: if a long segment that began before goes on there, the group sorts that part of it.
 *
 * Sorted runs are merged in pairs: of two groups that each have finished one run of a pair, the first one leaves, and the
 * second one merges both. Nobody waits. A pair is known by the range in which its right run begins. No range has the
 * beginnings of two long segments, so no other pair has that range. Runs alternate between the outputs and scratch memory,
 * so that the last one is in the outputs. A run without a right neighbour is copied.
 *
 * joined: a word for each range, in which the first group of a pair leaves the epoch of the call; then keys and values in
 * between. All words are 0 before the first epoch. So they need not be reset, and if offsets do not ascend, what is left in
 * them does no harm to later calls.
 * Parameters: whole.cl with its parameters; lanes.cl; device_scope.cl; JOINED_ALIGNMENT, of what is in `joined`, in bytes.
 * Source: merge path, Green, McColl, Bader 2012. */
#ifndef JOINED_ALIGNMENT
#error "JOINED_ALIGNMENT must be given"
#endif

#if HAS_LONG == 2
#define JOINED_BEHIND(bytes) (((bytes) + JOINED_ALIGNMENT - 1) / JOINED_ALIGNMENT * JOINED_ALIGNMENT)
#define MERGE_WINDOW         (TILE / 2)

/* Where runs lie. */
typedef struct {
    __global KEY *keys;
#if VALUE_SIZE
    __global VALUE *values;
#endif
} run_arrays;

#define SWAP_RUNS(x, y)                                                                                                \
    do {                                                                                                               \
        const run_arrays swapped_ = x;                                                                                 \
        x = y;                                                                                                         \
        y = swapped_;                                                                                                  \
    } while (0)

/* What is left of two runs: elements a .. a_end - 1 and b .. b_end - 1. */
typedef struct {
    uint a, a_end, b, b_end;
} run_pair;

/* Does element i of the left window come before element j of the right one? */
static inline bool left_is_first(const __local KEY *windows, uint i, uint j)
{
    return RANKED(windows[i]) <= RANKED(windows[MERGE_WINDOW + j]);
}

/* The next MERGE_WINDOW elements of each run, as far as there are so many. */
TILE_INLINE void load_windows(KEY *next, const __global KEY *keys, run_pair left)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint i = (uint)get_local_id(0) + j * GROUP_SIZE;
        const uint place = i < MERGE_WINDOW ? left.a + i : left.b + (i - MERGE_WINDOW);
        next[j] = place < (i < MERGE_WINDOW ? left.a_end : left.b_end) ? keys[place] : 0;
    }
}

/* Stably merge two runs that lie behind one another. Each turn takes MERGE_WINDOW elements, which are among as many of each
 * run. While they are merged, the windows after them are read. */
TILE_INLINE void merge_runs(const tile_memory *m, run_arrays from, run_arrays to, run_pair left)
{
    const uint lid = (uint)get_local_id(0);
    const uint each = (MERGE_WINDOW + GROUP_SIZE - 1) / GROUP_SIZE;
    KEY next[ITEMS];
    load_windows(next, from.keys, left);
    for (uint out = left.a; out < left.b_end;) {
        const uint firsts = min(left.a_end - left.a, (uint)MERGE_WINDOW);
        const uint seconds = min(left.b_end - left.b, (uint)MERGE_WINDOW);
        const uint count = min(firsts + seconds, (uint)MERGE_WINDOW);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            m->keys[lid + j * GROUP_SIZE] = image_of(next[j]);
        barrier(CLK_LOCAL_MEM_FENCE); /* both windows */
        uint taken = count - min(count, seconds); /* of the left one */
        uint most = min(count, firsts);
        LANES_NARROW(uint, taken, most, tried, left_is_first(m->keys, tried, count - 1 - tried))
        const run_pair now = left;
        left.a += taken;
        left.b += count - taken;
        if (out + count < left.b_end)
            load_windows(next, from.keys, left);
        const uint rank = min(lid * each, count);
        const uint end = min(rank + each, count);
        uint i = rank - min(rank, seconds);
        uint high = min(rank, firsts);
        while (i < high) {
            const uint tried = (i + high) / 2;
            if (left_is_first(m->keys, tried, rank - 1 - tried))
                i = tried + 1;
            else
                high = tried;
        }
        for (uint k = rank, j = rank - i; k < end; k++) {
            const bool takes_left = i < firsts && (j >= seconds || left_is_first(m->keys, i, j));
            m->places[k] = (ushort)(takes_left ? i++ : MERGE_WINDOW + j++);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the places of all elements */
        for (uint k = lid; k < count; k += GROUP_SIZE) {
            const uint place = m->places[k];
            to.keys[out + k] = key_of(m->keys[place]);
#if VALUE_SIZE
            to.values[out + k] = from.values[place < MERGE_WINDOW ? now.a + place : now.b + (place - MERGE_WINDOW)];
#endif
        }
        out += count;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read keys and places */
    }
}

/* Where part `number` of a long segment begins; its end, if it has no such part. */
static inline uint part_begin(uint begin, uint end, uint number)
{
    return min(end, max(begin, (begin / TILE + number) * TILE));
}

__kernel SORT_GROUP_SIZE void segmented_sort_joined(ARRAY_PARAMETERS, FEW_PARAMETERS, __global uchar *joined, uint epoch)
{
    TILE_MEMORY_HERE(1)
    __local uint shared_is_second;
    FEW_HERE
    const uint lid = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const bool is_own = group < all.count;
    const uint range = is_own ? 0 : group - all.count + 1;
    uint s = is_own ? group : 0;
    uint high = is_own ? group : all.count;
    LANES_NARROW(uint, s, high, tried, segment_begin(&all, tried + 1) <= range * TILE)
    const uint begin = s < all.count ? (uint)segment_begin(&all, s) : 0;
    const uint end = s < all.count ? max(begin, (uint)segment_begin(&all, s + 1)) : 0;
    const bool is_long = end - begin > TILE;
    const bool has_part = is_own || (is_long && begin < range * TILE && range * TILE < end);
    const uint number = is_own ? 0 : range - begin / TILE;
    const uint parts = is_long && has_part ? (end - 1) / TILE - begin / TILE + 1 : 1;
    const uint levels = 32 - clz(parts - 1);
    const uint first = is_own ? begin : range * TILE;
    const uint beyond = parts > 1 ? part_begin(begin, end, number + 1) : end;

    volatile __global uint *const firsts_of_pairs = (volatile __global uint *)joined;
    const ulong keys_at = JOINED_BEHIND((n / TILE + 1) * sizeof(uint));
    run_arrays to = {keys_out + keys_out_offset};
    run_arrays from = {(__global KEY *)(joined + keys_at)};
#if VALUE_SIZE
    to.values = values_out + values_out_offset;
    from.values = (__global VALUE *)(joined + keys_at + JOINED_BEHIND(n * sizeof(KEY)));
#endif
    if (levels % 2 != 0)
        SWAP_RUNS(from, to);
#if VALUE_SIZE
    sort_tile(keys_in, keys_in_offset, to.keys, 0, values_in, values_in_offset, to.values, 0, &m, first,
              has_part ? beyond - first : 0);
#else
    sort_tile(keys_in, keys_in_offset, to.keys, 0, &m, first, has_part ? beyond - first : 0);
#endif
    for (uint level = 0; level < levels; level++) {
        const uint left = number >> (level + 1) << (level + 1);
        const uint right = left + (1u << level);
        const uint middle = part_begin(begin, end, right);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the group's run is written */
        if (lid == 0) {
            device_fence(); /* the run before the word */
            shared_is_second = right >= parts || atomic_xchg(firsts_of_pairs + begin / TILE + right, epoch) == epoch;
            device_fence(); /* the word before the other run */
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* whether to go on; the other run */
        if (!shared_is_second)
            return;
        SWAP_RUNS(from, to);
        const run_pair pair = {part_begin(begin, end, left), middle, middle, part_begin(begin, end, left + (2u << level))};
        merge_runs(&m, from, to, pair);
    }
}
#endif
