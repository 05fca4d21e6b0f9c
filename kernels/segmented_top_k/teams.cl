// SPDX-License-Identifier: MIT
/* segmented_top_k_teams: the first k of segments of up to TEAM * KEYS_EACH elements, one team of lanes per segment, and
 * a list of all other segments.
 *
 * A team reads its segment once, into registers, and finds its first k elements by planes of bits (planes.cl), or
 * without shuffles by a bound (bound.cl). Their places go to local memory, in any order. Each lane then ranks some of
 * them, by comparing them with all others, and writes them. Segments of more than `longest` elements are left to
 * select.cl, as in short.cl.
 * Parameters: LISTED: k; UNSORTED; GROUP_SIZE. */
#include "radix_sort/parts/keys.cl"
#include "common/packet.cl"
#include "segmented_top_k/args.h"
#include "segmented_top_k/parts/segments.cl"
#include "top_k/parts/target.cl"
#include "segmented_top_k/parts/packets.cl"
#include "segmented_top_k/parts/units.cl"
#include "segmented_top_k/parts/team.cl"
#include "segmented_top_k/parts/planes.cl"
#include "segmented_top_k/parts/exact.cl"
#include "segmented_top_k/parts/bound.cl"

#if !defined(LISTED) || !defined(UNSORTED)
#error "LISTED and UNSORTED must be given"
#endif

#if TEAM_SHUFFLES
#define LIST  ((LISTED + 3) / 4 * 4)     /* slots; a multiple of 4, so that several are read at once */
#define TURNS ((LIST + TEAM - 1) / TEAM) /* in how many turns the lanes go through the list */
#endif
#define LAST_PLACE 0xffffffffu
#define PACK_BITS  ((uint)((PACK >= 2) + (PACK >= 4) + (PACK >= 8) + (PACK >= 16)))

/* The place of a lane's key i. If pack_bits is not 0, neighbouring keys share a packet, and neighbouring lanes have
 * consecutive packets; otherwise neighbouring lanes have consecutive keys. */
static inline uint team_place(uint i, uint pack_bits)
{
    return ((i >> pack_bits << TEAM_BITS | team_lane()) << pack_bits) | (i & ((1u << pack_bits) - 1));
}

/* Load the images of the lane's keys. Returns which of them exist. pack_bits: PACK_BITS if all packets are complete,
 * otherwise 0. */
ALWAYS_INLINE uint team_load(KEY *images, key_run r, uint pack_bits)
{
    const uint lane = team_lane();
    if (pack_bits == PACK_BITS) {
        packet_words x[KEYS_EACH / PACK];
#pragma unroll
        for (uint j = 0; j < KEYS_EACH / PACK; j++) {
            const uint p = j * TEAM + lane;
            x[j] = p * PACK < r.length ? ((const __global packet_words *)r.keys)[p] : (packet_words)0;
        }
#pragma unroll
        for (uint i = 0; i < KEYS_EACH; i++)
            images[i] = image_of(packet_element(x[i / PACK], i % PACK));
    } else {
#pragma unroll
        for (uint i = 0; i < KEYS_EACH; i++)
            images[i] = i * TEAM + lane < r.length ? r.keys[i * TEAM + lane] : (KEY)0;
#pragma unroll
        for (uint i = 0; i < KEYS_EACH; i++)
            images[i] = image_of(images[i]);
    }
    const uint strip_bits = TEAM_BITS + pack_bits; /* a strip has one key of the same number, or one packet, of each
                                                    * lane */
    const uint rest = r.length & ((1u << strip_bits) - 1);
    const uint behind = rest - min(rest, lane << pack_bits);
    const uint count = (r.length >> strip_bits << pack_bits) + min(behind, 1u << pack_bits);
    return count < 32 ? (1u << count) - 1 : 0xffffffffu;
}

#if TEAM_SHUFFLES
/* In local memory. Except for the words, it belongs to the team. */
typedef struct {
    __local uint *places;
    __local KEY *images;
    __local uint *words;
} team_memory;

/* List the places of the taken keys, followed by slots that compare greater than all of them. Unless UNSORTED, also
 * list their images. */
ALWAYS_INLINE void list_taken(team_memory m, key_run r, uint taken, uint wanted, uint pack_bits)
{
    const uint lane = team_lane();
    uint at = team_before((uint)popcount(taken), m.words);
    while (taken != 0) {
        const uint i = 31 - (uint)clz(taken);
        m.places[at++] = team_place(i, pack_bits);
        taken ^= 1u << i;
    }
    for (uint i = wanted + lane; i < LIST; i += TEAM)
        m.places[i] = LAST_PLACE;
    team_sync(); /* wait for the places */
#if !UNSORTED
#pragma unroll
    for (uint turn = 0; turn < TURNS; turn++) {
        const uint i = turn * TEAM + lane;
        if (i < LIST)
            m.images[i] = i < wanted ? image_of(r.keys[m.places[i]]) : LAST_IMAGE;
    }
    team_sync(); /* wait for the images */
#endif
}

/* How many slots of the list come before slot i. */
static inline uint team_rank(team_memory m, uint i)
{
    const uint place = m.places[i];
    uint rank = 0;
#if UNSORTED
#pragma unroll
    for (uint j = 0; j < LIST; j++)
        rank += m.places[j] < place;
#else
    const KEY image = m.images[i];
#pragma unroll
    for (uint j = 0; j < LIST; j++)
        rank += m.images[j] < image || (m.images[j] == image && m.places[j] < place);
#endif
    return rank;
}

/* Write the first keys of the segment. */
ALWAYS_INLINE void team_segment(team_memory m, const KEY *held, uint there, uint wanted, uint pack_bits, key_run r,
                                ulong at, segment own, target to)
{
    const uint taken = first_keys(held, there, wanted, pack_bits, m.words);
    list_taken(m, r, taken, wanted, pack_bits);
#pragma unroll
    for (uint turn = 0; turn < TURNS; turn++) {
        const uint i = turn * TEAM + team_lane();
        if (i < wanted)
            put(at + team_rank(m, i), r.keys[m.places[i]], own, m.places[i], to);
    }
    team_sync(); /* all are done with the list */
}
#else
typedef struct {
    bound_memory list;
    __local KEY *lists; /* the memory of all teams' lists */
    __local uint *words;
} team_memory;

/* List the taken keys, from place `at` on. */
static inline void list_keys(bound_memory m, const KEY *held, key_run r, uint taken, uint at, uint pack_bits)
{
#if IS_EXACT /* most keys are taken: by conditions, because registers cannot be indexed */
#pragma unroll
    for (uint i = 0; i < KEYS_EACH; i++)
        if ((taken >> i & 1) != 0) {
            m.places[at] = team_place(i, pack_bits);
            m.images[at] = held[i];
            at++;
        }
#else
    for (; taken != 0 && at < ROOM; at++) {
        const uint i = 31 - (uint)clz(taken);
        const uint place = team_place(i, pack_bits);
        m.places[at] = place;
        m.images[at] = image_of(r.keys[place]);
        taken ^= 1u << i;
    }
#endif
}

/* How many listed keys come before one with this image and place. If the whole list of an exact team is wanted, the
 * count is constant. */
#define IS_LISTED(count) (IS_EXACT && (count) == LISTED)
static inline bool is_before(bound_memory m, uint j, KEY image, uint place)
{
    const KEY other = m.images[j];
    return other < image || (other == image && m.places[j] < place);
}
static inline uint rank_in_list(bound_memory m, uint count, KEY image, uint place)
{
    uint rank = 0;
    if (IS_LISTED(count)) {
#pragma unroll
        for (uint j = 0; j < LISTED; j++)
            rank += is_before(m, j, image, place);
    } else {
        for (uint j = 0; j < count; j++)
            rank += is_before(m, j, image, place);
    }
    return rank;
}

/* Write the listed keys that are among the first, in order. */
ALWAYS_INLINE void put_listed(bound_memory m, uint count, uint wanted, ulong at, segment own, target to)
{
#if UNSORTED
    /* The places of the listed keys that are among the first. If these are not the whole list, they are found first.
     * Results are written in the order of these places. */
    const __local uint *taken = IS_LISTED(count) ? m.places : m.taken;
    for (uint i = team_lane(); i < count && !IS_LISTED(count); i += TEAM)
        m.taken[i] = rank_in_list(m, count, m.images[i], m.places[i]) < wanted ? m.places[i] : LAST_PLACE;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the places */
    for (uint i = team_lane(); i < count; i += TEAM) {
        const uint place = taken[i];
        uint rank = 0;
        if (IS_LISTED(count)) {
#pragma unroll
            for (uint j = 0; j < LISTED; j++)
                rank += taken[j] < place;
        } else {
            for (uint j = 0; j < count; j++)
                rank += taken[j] < place;
        }
        if (place != LAST_PLACE)
            put(at + rank, key_of(m.images[i]), own, place, to);
    }
#else
    for (uint i = team_lane(); i < count; i += TEAM) {
        const KEY image = m.images[i];
        const uint place = m.places[i];
        const uint rank = rank_in_list(m, count, image, place);
        if (rank < wanted)
            put(at + rank, key_of(image), own, place, to);
    }
#endif
}

/* Write the first keys of the segment. A loop replaces a condition, because there are barriers inside. */
ALWAYS_INLINE void team_segment(team_memory m, const KEY *held, uint there, uint wanted, uint pack_bits, key_run r,
                                ulong at, segment own, target to)
{
    uint from = 0;
    find_bound(m.list, held, there, wanted, m.lists);
    uint taken = up_to_bound(m.list, held, there, &from);
    uint count = *m.list.count;
    const uint are_many = *m.list.are_many;
    for (uint again = 0; again < are_many; again++) {
        taken = first_keys(held, there, wanted, pack_bits, m.words);
        from = team_before((uint)popcount(taken), m.words);
        count = wanted;
    }
    list_keys(m.list, held, r, taken, from, pack_bits);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the list */
    put_listed(m.list, count, wanted, at, own, to);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the list */
}
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_top_k_teams(ARGS_OF(SEGMENTED_TOP_K_SHORT))
{
    const segmented_top_k_args args = ARGS(SEGMENTED_TOP_K_NUMBERS);
    __local uint words[TEAM_WORDS];
    const uint team = (uint)get_local_id(0) / TEAM;
#if TEAM_SHUFFLES
    __local uint places[TEAMS * LIST] __attribute__((aligned(16)));
    __local KEY images[UNSORTED ? 1 : TEAMS * LIST] __attribute__((aligned(16)));
    const team_memory m = {places + team * LIST, UNSORTED ? images : images + team * LIST, words};
#else
    __local KEY images[TEAMS * STRIDE], bounds[TEAMS];
    __local uint places[TEAMS * STRIDE], counts[TEAMS], are_many;
    __local uint taken[UNSORTED ? TEAMS * STRIDE : 1];
    const team_memory m = {{images + team * STRIDE, places + team * STRIDE, UNSORTED ? taken + team * STRIDE : taken,
                            bounds + team, counts + team, &are_many},
                           images,
                           words};
#endif
    for (ulong first = (ulong)get_group_id(0) * TEAMS; first < args.segments;
         first += (ulong)get_num_groups(0) * TEAMS) {
        const ulong s = first + team;
        segment own = {0, 0};
        if (s < args.segments)
            own = SEGMENT_AT(s);
#if HAS_OFFSETS
        if (own.length > args.longest) {
            if (team_lane() == 0)
                enter_segment(scratch, args, (uint)s, own);
            own.length = 0;
        }
#endif
        KEY held[KEYS_EACH];
        const key_run r = run_of(keys_in + args.keys_in_offset + own.begin, (uint)own.length);
        const uint wanted = (uint)min((ulong)LISTED, own.length);
        const uint pack_bits = r.shift == 0 && r.length % PACK == 0 ? PACK_BITS : 0;
        const uint there = team_load(held, r, pack_bits);
        team_segment(m, held, there, wanted, pack_bits, r, s * LISTED, own, TARGET);
    }
}
