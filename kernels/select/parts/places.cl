/* places.cl: where elements go: the selected ones, which are the first part of a partition; then the second part, with
 * THREE_WAY; and the rest.
 *
 *   PARTS_PARAMETERS, PARTS_ARGUMENTS    in a parameter list, and to hand them on
 *   PREFIX_OF(v)                         for look_back.cl, what a VALUE counts
 *   FIRSTS_BEFORE(p), SECONDS_BEFORE(p)  how many elements of each part a PREFIX counts
 *
 * Parameters: with OUTPUT; COUNT_TYPE of the numbers that are written; PARTITION: where the rest goes: 0, nowhere (then
 * there is no second part either); 1, behind the other parts; 2, to the end of `out`, in reverse; 3, to an array of its
 * own, and so does the second part. Elements have values (PAYLOAD_SIZE) only where it is 0. */
#include "select/parts/keep.cl"

#if !defined(COUNT_TYPE) || !defined(PARTITION)
#error "COUNT_TYPE and PARTITION must be given"
#endif
#if THREE_WAY && PARTITION != 1 && PARTITION != 3
#error "the second part must follow the first one, or have an array of its own"
#endif
#if PAYLOAD_SIZE && PARTITION
#error "only where there is one part can its elements have values"
#endif

#if THREE_WAY
#define SECOND_COUNT_PARAMETERS , __global COUNT_TYPE *second_count, ulong second_count_offset
#define SECOND_COUNT_ARGUMENTS , second_count, second_count_offset
#else
#define SECOND_COUNT_PARAMETERS
#define SECOND_COUNT_ARGUMENTS
#endif
#if THREE_WAY && PARTITION == 3
#define SECOND_OUT_PARAMETERS , __global OUTPUT *second_out, ulong second_out_offset, ulong second_room
#define SECOND_OUT_ARGUMENTS , second_out, second_out_offset, second_room
#else
#define SECOND_OUT_PARAMETERS
#define SECOND_OUT_ARGUMENTS
#endif
#if PARTITION == 3
#define REST_PARAMETERS                                                                                                \
    , __global COUNT_TYPE *rest_count, ulong rest_count_offset, __global OUTPUT *rest_out, ulong rest_out_offset,      \
        ulong rest_room
#define REST_ARGUMENTS , rest_count, rest_count_offset, rest_out, rest_out_offset, rest_room
#else
#define REST_PARAMETERS
#define REST_ARGUMENTS
#endif
#define PARTS_PARAMETERS SECOND_COUNT_PARAMETERS SECOND_OUT_PARAMETERS REST_PARAMETERS
#define PARTS_ARGUMENTS SECOND_COUNT_ARGUMENTS SECOND_OUT_ARGUMENTS REST_ARGUMENTS

/* Tiles count in 16 bits, what look_back.cl sums up has 32. */
#if THREE_WAY
#define PREFIX uint2
#define PREFIX_SIZE 8
#define PREFIX_REDUCE_REVERSED(pair) ((uint2)(subgroup_reduce_reversed((pair).x), subgroup_reduce_reversed((pair).y)))
#define PREFIX_OF(counted) ((uint2)(FIRSTS(counted), SECONDS(counted)))
#define FIRSTS_BEFORE(prefix) ((prefix).x)
#define SECONDS_BEFORE(prefix) ((prefix).y)
#else
#define PREFIX VALUE
#define PREFIX_SIZE VALUE_SIZE
#define PREFIX_REDUCE_REVERSED(x) subgroup_reduce_reversed(x)
#define PREFIX_OF(counted) (counted)
#define FIRSTS_BEFORE(prefix) (prefix)
#define SECONDS_BEFORE(prefix) 0u
#endif

#define ALL_FIT (PARTITION == 1 || PARTITION == 2) /* no output has less room than there are elements */
#define REST_STEP (PARTITION == 2 ? -1l : 1l) /* from one element of the rest to the next */

/* How many elements the parts have, the rest excepted. */
typedef struct {
    ulong first, second;
} part_counts;

/* Where the next element of each part goes, and how many elements of the part still fit: those that do not are counted, but
 * not written. */
typedef struct {
    __global OUTPUT *first, *second, *rest;
    ulong first_room, second_room, rest_room;
} part_places;

static inline void counts_add(part_counts *sum, VALUE counted)
{
    sum->first += FIRSTS(counted);
    sum->second += SECONDS(counted);
}

/* Where the parts begin. room: elements that `out` has room for: with ALL_FIT it is n. all: of n elements; only with
 * PARTITION 1. */
static inline part_places places_of(__global OUTPUT *out, ulong room, part_counts all, ulong n PARTS_PARAMETERS)
{
    part_places p;
    p.first_room = p.second_room = p.rest_room = room;
    p.first = out;
    p.second = out + all.first;
    p.rest = p.second + all.second;
#if PARTITION == 2
    p.rest = out + n - 1;
#elif PARTITION == 3
    p.rest = rest_out + rest_out_offset;
    p.rest_room = rest_room;
#endif
#if THREE_WAY && PARTITION == 3
    p.second = second_out + second_out_offset;
    p.second_room = second_room;
#endif
    return p;
}

/* Go past `elements` elements, of which so many are in the parts. */
static inline void places_advance(part_places *p, part_counts counts, ulong elements)
{
    const ulong rest = elements - counts.first - counts.second;
    p->first += counts.first;
    p->second += counts.second;
    p->rest += REST_STEP * (long)rest;
    p->first_room -= min(p->first_room, counts.first);
    p->second_room -= min(p->second_room, counts.second);
    p->rest_room -= min(p->rest_room, rest);
}

/* Write how many of all n elements are in which part. */
static inline void store_numbers(__global COUNT_TYPE *out_count, part_counts all, ulong n PARTS_PARAMETERS)
{
    *out_count = (COUNT_TYPE)all.first;
#if THREE_WAY
    second_count[second_count_offset] = (COUNT_TYPE)all.second;
#endif
#if PARTITION == 3
    rest_count[rest_count_offset] = (COUNT_TYPE)(n - all.first - all.second);
#endif
}
