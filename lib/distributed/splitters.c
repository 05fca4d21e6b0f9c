// SPDX-License-Identifier: MIT
/* splitters.c: cut each rank's sorted part so that every rank gets exactly its share of the whole. */
#include "splitters.h"

#include <string.h>

enum { DIGIT_BITS = 8, BINS = CLPRIM__SPLITTER_BINS };
_Static_assert(1 << DIGIT_BITS == BINS, "a digit is a bin");

/* The first of the splitter's candidate elements whose image is in bin `bin` or a higher one, of 2^bits bins. */
static size_t bin_begin(const clprim__splitter *at, const clprim__key_image *image, const void *keys, unsigned bin,
                        unsigned shift, unsigned bits)
{
    return bin == 0 ? at->begin
           : bin == 1u << bits
               ? at->end
               : clprim__images_below(image, keys, at->begin, at->end, at->image + ((uint64_t)bin << shift));
}

/* Count this rank's elements by their next digit. */
static void count_digits(uint64_t *counts, const clprim__splitter *at, const clprim__key_image *image, const void *keys,
                         unsigned shift, unsigned bits)
{
    size_t begin = at->begin;
    memset(counts, 0, BINS * sizeof *counts);
    for (unsigned bin = 0; bin < 1u << bits && begin < at->end; bin++) {
        const size_t end = bin_begin(at, image, keys, bin + 1, shift, bits);
        counts[bin] = end - begin;
        begin = end;
    }
}

/* Choose the next digit: that of the element before the place. counts are summed over all ranks. */
static void choose_digit(clprim__splitter *at, const uint64_t *counts, const clprim__key_image *image, const void *keys,
                         unsigned shift, unsigned bits)
{
    unsigned bin = 0;
    while (at->below + counts[bin] < at->place)
        at->below += counts[bin++];
    const size_t end = bin_begin(at, image, keys, bin + 1, shift, bits);
    at->begin = bin_begin(at, image, keys, bin, shift, bits);
    at->end = end;
    at->image += (uint64_t)bin << shift;
}

/* How many elements equal to splitter r come before its place. Rank r asks all ranks how many they have, takes elements
 * of lower ranks first, and sends each rank its number. */
static clprim_status share_equals(clprim__team *team, uint64_t *taken, const clprim__splitter *splitters)
{
    clprim_status status = CLPRIM_SUCCESS;
    const unsigned size = team->comm->size;
    const clprim__splitter *mine = &splitters[team->comm->rank];
    uint64_t *equal = team->numbers;
    uint64_t wanted = mine->place - mine->below;
    for (unsigned r = 0; r < size; r++)
        taken[r] = splitters[r].end - splitters[r].begin;
    CLPRIM__TRY(clprim__team_transpose(team, taken, equal));
    for (unsigned r = 0; r < size; r++) {
        equal[r] = equal[r] < wanted ? equal[r] : wanted;
        wanted -= equal[r];
    }
    CLPRIM__TRY(clprim__team_transpose(team, equal, taken));
done:
    return status;
}

clprim_status clprim__split(clprim__team *team, uint64_t *cuts, const clprim__key_image *image, const void *keys,
                            size_t count, void *memory)
{
    clprim_status status = CLPRIM_SUCCESS;
    const unsigned size = team->comm->size;
    clprim__splitter *splitters = memory;
    uint64_t *counts = (uint64_t *)(void *)(splitters + size);
    uint64_t place = 0;
    for (unsigned r = 0; r < size; r++) {
        splitters[r] = (clprim__splitter){.place = place, .end = count};
        place += team->ranks[r].room;
    }
    for (unsigned left = image->num_bits; left > 0;) {
        const unsigned bits = left < DIGIT_BITS ? left : DIGIT_BITS;
        left -= bits;
        for (unsigned r = 0; r < size; r++)
            count_digits(counts + (size_t)r * BINS, &splitters[r], image, keys, left, bits);
        CLPRIM__TRY(clprim__team_sum(team, counts, (size_t)size * BINS));
        for (unsigned r = 0; r < size; r++)
            choose_digit(&splitters[r], counts + (size_t)r * BINS, image, keys, left, bits);
    }
    CLPRIM__TRY(share_equals(team, cuts, splitters));
    for (unsigned r = 0; r < size; r++)
        cuts[r] += splitters[r].begin;
    cuts[size] = count;
done:
    return status;
}
