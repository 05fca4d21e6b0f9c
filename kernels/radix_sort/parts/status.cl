/* status.cl: what tiles publish of their digits, while a pass is under way.
 *
 * A status word has in its upper two bits what its lower ones are: the tile's count of a digit, or that of all tiles up to
 * it and of all smaller digits. One word holds both, so that no fence is needed. The kinds of passes with even and with odd
 * turns differ, so that nothing needs to be cleared between passes: before turn 1 all words are 0, a kind of even turns.
 *
 *     count_smaller(offsets, totals, sums)     how many keys of all tiles have smaller digits
 *     count_before(status, tile, turn)         what the tiles before have, and all that comes before these
 *
 * Parameters: keys.cl, tile.cl, device_scope.cl; STATUS, an unsigned integer of STATUS_SIZE bytes. */
#define STATUS_SHIFT (STATUS_SIZE * 8 - 2)
#define STATUS_VALUE(word) ((word) & (((STATUS)1 << STATUS_SHIFT) - 1))
#define STATUS_OF(turn, is_prefix, value) ((STATUS)((turn) % 2 * 2 + (is_prefix)) << STATUS_SHIFT | (value))
#define AT_ONCE 4 /* tiles read at once */

#if STATUS_SIZE == 4
#define STATUS_LOAD(p) device_load(p)
#define STATUS_PEEK(p) device_peek(p)
#define STATUS_STORE(p, word) device_store(p, word)
#else
#define STATUS_LOAD(p) tagged_load(p)
#define STATUS_PEEK(p) tagged_load(p)
#define STATUS_STORE(p, word) tagged_store(p, (uint)((word) >> 32), (uint)(word))
#endif

/* What the tiles before have of a digit, and all that comes before these; status is the digit's word of tile 0. An old
 * word shows by its kind that it is old, or is the tile's count where the prefix is there already: neither does harm. Only
 * the nearest tile has to be waited for, and what it has published is asked for again where it seems to be missing. */
TILE_INLINE STATUS count_before(__global STATUS *status, uint tile, uint turn)
{
    STATUS before = 0;
    for (uint end = tile; end > 0;) { /* tiles from `end` on are in before */
        STATUS words[AT_ONCE];
#pragma unroll
        for (uint k = 0; k < AT_ONCE; k++)
            words[k] = k < end ? STATUS_PEEK(status + (size_t)(end - 1 - k) * RADIX) : 0;
        if (SUB_GROUP_MEANS != 1 && words[0] >> (STATUS_SHIFT + 1) != turn % 2)
            words[0] = STATUS_LOAD(status + (size_t)(end - 1) * RADIX);
        uint counted = 0;
        bool is_prefix = false;
#pragma unroll
        for (uint k = 0; k < AT_ONCE; k++) {
            const bool is_ready = k < end && words[k] >> (STATUS_SHIFT + 1) == turn % 2;
            if (is_ready && counted == k && !is_prefix) {
                before += STATUS_VALUE(words[k]);
                is_prefix = (words[k] >> STATUS_SHIFT & 1) != 0;
                counted = k + 1;
            }
        }
        if (is_prefix)
            break;
        end -= counted;
    }
    return before;
}

/* offsets[digit] = how many keys have smaller digits. All work-items call it; a digit's is written by the one that works for
 * the digit from then on, too. With RANK_BY 3 sums has the totals already. */
TILE_INLINE void count_smaller(__local COUNT *offsets, volatile __global uint *totals, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
#if RANK_BY == 0
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        COUNT sum = 0;
        for (uint smaller = 0; smaller < digit; smaller++)
            sum += totals[smaller];
        offsets[digit] = sum;
    }
#elif RANK_BY == 3 /* no barriers: PoCL 3.1 loses code before those that a work-group passes on a condition */
    COUNT sum = 0;
    for (uint smaller = 0; smaller < lid && smaller < RADIX; smaller++)
        sum += sums[smaller];
    if (lid < RADIX)
        offsets[lid] = sum;
#else
    const uint sum = digits_before(lid < RADIX ? totals[lid] : 0, sums);
    if (lid < RADIX)
        offsets[lid] = sum;
#endif
}
