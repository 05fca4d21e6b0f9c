// SPDX-License-Identifier: MIT
/* search.cl: find where the merge of two sorted runs, at a given rank, divides each of them (merge path: Green, McColl
 * and Bader 2012).
 *
 *   search(from, p, rank, low, high)   how many of the merge's first `rank` elements come from the first run, if this
 *                                      number is known to be between low and high. All lanes of a sub-group (LANES)
 *                                      pass the same arguments; each tries another place
 *   split_at(from, p, rank)            the same, if nothing is known */
#include "common/lanes.cl"
#include "common/items.cl"
#include "bitonic_sort/parts/register_tile.cl"

/* Two consecutive runs. The second one, or both, may be shorter than the pass's runs, or empty. */
typedef struct {
    INDEX begin, first, second; /* numbers of elements of the first run, and of the second */
} run_pair;

/* Elements a .. a + first - 1 of one run, and b .. b + second - 1 of the other. */
typedef struct {
    INDEX a, b;
    uint first, second;
} tile_part;

ALWAYS_INLINE run_pair pair_at(INDEX place, INDEX run, INDEX n)
{
    const INDEX begin = place & ~(2 * run - 1);
    const INDEX first = min(run, n - begin);
    return (run_pair){begin, first, min(run, n - begin - first)};
}

/* Whether element i of the first run is among the first `rank` elements of the merge. Among equal elements, those of
 * the first run come first. */
ALWAYS_INLINE bool is_taken(array from, run_pair p, INDEX rank, INDEX i)
{
    return !before(load(from, p.begin + p.first + (rank - 1 - i)), load(from, p.begin + i));
}

ALWAYS_INLINE INDEX search(array from, run_pair p, INDEX rank, INDEX low, INDEX high)
{
    LANES_NARROW(INDEX, low, high, tried, is_taken(from, p, rank, tried))
    return low;
}

/* Whatever LESS returns, the result is within both runs. */
ALWAYS_INLINE INDEX split_at(array from, run_pair p, INDEX rank)
{
    return search(from, p, rank, rank > p.second ? rank - p.second : 0, min(rank, p.first));
}
