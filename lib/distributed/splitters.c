// SPDX-License-Identifier: MIT
/* splitters.c: cut each rank's sorted arrays so that every rank gets exactly its share of the whole. */
#include "splitters.h"

#include <string.h>

enum { DIGIT_BITS = 8, BINS = CLPRIM__SPLITTER_BINS };
_Static_assert(1 << DIGIT_BITS == BINS, "a digit is a bin");

/* The first of the splitter's candidates in array k whose image is in bin `bin` or a higher one, of 2^bits bins. */
static size_t bin_begin(const clprim__splitter *at, const clprim__sorted *sorted, size_t k, unsigned bin,
                        unsigned shift, unsigned bits)
{
    return bin == 0            ? at->begin[k]
           : bin == 1u << bits ? at->end[k]
                               : clprim__images_below(&sorted->image, sorted->keys[k], at->begin[k], at->end[k],
                                                      at->image + ((uint64_t)bin << shift));
}

/* Count this rank's elements by their next digit. */
static void count_digits(uint64_t *counts, const clprim__splitter *at, const clprim__sorted *sorted, unsigned shift,
                         unsigned bits)
{
    memset(counts, 0, BINS * sizeof *counts);
    for (size_t k = 0; k < sorted->num_arrays; k++) {
        size_t begin = at->begin[k];
        for (unsigned bin = 0; bin < 1u << bits && begin < at->end[k]; bin++) {
            const size_t end = bin_begin(at, sorted, k, bin + 1, shift, bits);
            counts[bin] += end - begin;
            begin = end;
        }
    }
}

/* Choose the next digit: that of the element before the place. counts are summed over all ranks. */
static void choose_digit(clprim__splitter *at, const uint64_t *counts, const clprim__sorted *sorted, unsigned shift,
                         unsigned bits)
{
    unsigned bin = 0;
    while (at->below + counts[bin] < at->place)
        at->below += counts[bin++];
    for (size_t k = 0; k < sorted->num_arrays; k++) {
        const size_t end = bin_begin(at, sorted, k, bin + 1, shift, bits);
        at->begin[k] = bin_begin(at, sorted, k, bin, shift, bits);
        at->end[k] = end;
    }
    at->image += (uint64_t)bin << shift;
}

/* How many of the `equal` elements of each array come before the place, of `wanted` elements in all. */
static void divide_equals(uint64_t taken[CLPRIM__SPLIT_ARRAYS], const uint64_t equal[CLPRIM__SPLIT_ARRAYS],
                          uint64_t wanted, bool keeps_pairs)
{
    const uint64_t fewer = equal[0] < equal[1] ? equal[0] : equal[1];
    const uint64_t pairs = !keeps_pairs ? 0 : wanted / 2 < fewer ? wanted / 2 : fewer;
    const uint64_t more = keeps_pairs && pairs < fewer ? 0 : wanted - 2 * pairs; /* elements without a partner */
    const uint64_t first = more < equal[0] - pairs ? more : equal[0] - pairs;
    taken[0] = pairs + first;
    taken[1] = pairs + more - first;
}

/* How many elements equal to splitter r come before its place. Rank r asks all ranks how many they have, takes elements
 * of lower ranks first, and sends each rank its number. */
static clprim_status share_equals(clprim__team *team, uint64_t *const *cuts, const clprim__splitter *splitters,
                                  const clprim__sorted *sorted)
{
    clprim_status status = CLPRIM_SUCCESS;
    const unsigned size = team->comm->size;
    const clprim__splitter *mine = &splitters[team->comm->rank];
    uint64_t sums[CLPRIM__SPLIT_ARRAYS] = {0};
    uint64_t wanted[CLPRIM__SPLIT_ARRAYS];
    for (size_t k = 0; k < sorted->num_arrays; k++) {
        uint64_t *equal = team->numbers;
        for (unsigned r = 0; r < size; r++)
            equal[r] = splitters[r].end[k] - splitters[r].begin[k];
        CLPRIM__TRY(clprim__team_transpose(team, equal, cuts[k]));
        for (unsigned r = 0; r < size; r++)
            sums[k] += cuts[k][r];
    }
    divide_equals(wanted, sums, mine->place - mine->below, sorted->keeps_pairs);
    for (size_t k = 0; k < sorted->num_arrays; k++) {
        uint64_t *taken = team->numbers;
        for (unsigned r = 0; r < size; r++) {
            taken[r] = cuts[k][r] < wanted[k] ? cuts[k][r] : wanted[k];
            wanted[k] -= taken[r];
        }
        CLPRIM__TRY(clprim__team_transpose(team, taken, cuts[k]));
    }
done:
    return status;
}

clprim_status clprim__split(clprim__team *team, uint64_t *const *cuts, const clprim__sorted *sorted, void *memory)
{
    clprim_status status = CLPRIM_SUCCESS;
    const unsigned size = team->comm->size;
    clprim__splitter *splitters = memory;
    uint64_t *counts = (uint64_t *)(void *)(splitters + size);
    uint64_t place = 0;
    for (unsigned r = 0; r < size; r++) {
        splitters[r] = (clprim__splitter){.place = place};
        memcpy(splitters[r].end, sorted->counts, sizeof sorted->counts);
        place += sorted->keeps_pairs ? team->ranks[r].count : team->ranks[r].room;
    }
    for (unsigned left = sorted->image.num_bits; left > 0;) {
        const unsigned bits = left < DIGIT_BITS ? left : DIGIT_BITS;
        left -= bits;
        for (unsigned r = 0; r < size; r++)
            count_digits(counts + (size_t)r * BINS, &splitters[r], sorted, left, bits);
        CLPRIM__TRY(clprim__team_sum(team, counts, (size_t)size * BINS));
        for (unsigned r = 0; r < size; r++)
            choose_digit(&splitters[r], counts + (size_t)r * BINS, sorted, left, bits);
    }
    CLPRIM__TRY(share_equals(team, cuts, splitters, sorted));
    for (size_t k = 0; k < sorted->num_arrays; k++) {
        for (unsigned r = 0; r < size; r++)
            cuts[k][r] += splitters[r].begin[k];
        cuts[k][size] = sorted->counts[k];
    }
done:
    return status;
}

clprim_status clprim__split_lengths(clprim__team *team, uint64_t *out, uint64_t *in, const uint64_t *cuts)
{
    for (unsigned r = 0; r < team->comm->size; r++)
        out[r] = cuts[r + 1] - cuts[r];
    return clprim__team_transpose(team, out, in);
}

clprim_status clprim__split_exchange(clprim__team *team, const void *mine, void *received, size_t size_of,
                                     const uint64_t *out, const uint64_t *in)
{
    const unsigned size = team->comm->size;
    for (unsigned r = 0; r < size; r++) {
        team->bytes[r] = (size_t)out[r] * size_of;
        team->bytes[size + r] = (size_t)in[r] * size_of;
    }
    return clprim__team_exchange(team, mine, team->bytes, received, team->bytes + size);
}
