// SPDX-License-Identifier: MIT
/* deal.c: redistribute an array over the ranks, in proportion to the room that each rank has. */
#include "deal.h"

/* floor(n * part / whole). The product may not fit 64 bits, so it is computed bit by bit of `part`. Requires part <=
 * whole < 2^63. */
static uint64_t share_of(uint64_t n, uint64_t part, uint64_t whole)
{
    const uint64_t rest = whole > 0 ? n % whole : 0;
    uint64_t quotient = 0;
    uint64_t remainder = 0;
    for (int bit = 63; bit >= 0 && whole > 0; bit--) {
        quotient *= 2;
        remainder *= 2;
        if (remainder >= whole) {
            quotient++;
            remainder -= whole;
        }
        remainder += (part >> bit & 1) != 0 ? rest : 0;
        if (remainder >= whole) {
            quotient++;
            remainder -= whole;
        }
    }
    return whole > 0 ? n / whole * part + quotient : 0;
}

/* The beginning of a rank's share, if the ranks before it have this much room together. */
static uint64_t begin_of(const clprim__team *team, const clprim__deal *deal, uint64_t room_before)
{
    return share_of(deal->total, room_before, team->total_room);
}

clprim_status clprim__deal_make(clprim__deal *out, const clprim__team *team, uint64_t total)
{
    if (total > team->total_room)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "clprim_distributed_%s: the ranks have room for %llu elements, but there are %llu",
                            team->name, (unsigned long long)team->total_room, (unsigned long long)total);
    if (team->total_room > CLPRIM__MOST_IN_ALL)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "clprim_distributed_%s: the ranks have room for 2^63 elements or more", team->name);
    out->total = total;
    out->begin = begin_of(team, out, team->first_room);
    out->end = begin_of(team, out, team->first_room + team->ranks[team->comm->rank].room);
    return CLPRIM_SUCCESS;
}

/* The number of elements that two ranges have in common. */
static uint64_t common(uint64_t begin, uint64_t end, uint64_t other_begin, uint64_t other_end)
{
    begin = begin > other_begin ? begin : other_begin;
    end = end < other_end ? end : other_end;
    return begin < end ? end - begin : 0;
}

clprim_status clprim__deal_exchange(clprim__team *team, const clprim__deal *deal, void *out, const void *mine,
                                    size_t size_of, const uint64_t *counts, uint64_t first)
{
    const unsigned size = team->comm->size;
    uint64_t begin = first; /* the beginning of the elements that rank r has */
    uint64_t my_begin = first;
    uint64_t room = 0;
    for (unsigned r = 0; r < team->comm->rank; r++)
        my_begin += counts[r];
    for (unsigned r = 0; r < size; r++) {
        const uint64_t to = begin_of(team, deal, room);
        const uint64_t to_end = begin_of(team, deal, room + team->ranks[r].room);
        team->bytes[r] = (size_t)common(my_begin, my_begin + counts[team->comm->rank], to, to_end) * size_of;
        team->bytes[size + r] = (size_t)common(begin, begin + counts[r], deal->begin, deal->end) * size_of;
        room += team->ranks[r].room;
        begin += counts[r];
    }
    const uint64_t skipped = first > deal->begin ? first - deal->begin : 0;
    return clprim__team_exchange(team, mine, team->bytes, out != NULL ? (char *)out + skipped * size_of : NULL,
                                 team->bytes + size);
}
