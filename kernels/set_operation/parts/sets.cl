// SPDX-License-Identifier: MIT
/* sets.cl: the arguments of all variants of a set operation, and which elements they keep.
 *
 *   SET_COUNTS                     a_count and b_count, limited by counts on the device
 *   SET_VALUES                     the values
 *   TAKES(from_a, from_b)          whether a step of the balanced path is kept: an element of a alone, an element of b
 *                                  alone, or a pair, which is stored as an element of a
 *   most_kept(a_count, b_count)    for how many elements the output has room
 *   move_out(...)                  write an element to place `to` of the output
 *
 * Only keys are items: a value is read when its element is kept, and is written directly to the output.
 *
 * Parameters: VALUE_SIZE 0; GROUP_SIZE; INDEX_SIZE, the size of INDEX; ONLY_A, IN_BOTH, ONLY_B: whether these elements
 * are kept; COUNT_TYPE, the type of the number that is written; PAYLOAD, the type of the values, if there are any. */
#include "common/items.cl"
#include "set_operation/args.h"

#if !defined(ONLY_A) || !defined(IN_BOTH) || !defined(ONLY_B) || !defined(COUNT_TYPE) || !defined(INDEX_SIZE)
#error "ONLY_A, IN_BOTH, ONLY_B, COUNT_TYPE and INDEX_SIZE must be given"
#endif
#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif
#if VALUE_SIZE
#error "VALUE_SIZE must be 0"
#endif

#define SET_COUNTS                                                                                                     \
    const ulong a_count = CALL_COUNT_0(args.a_count);                                                                  \
    const ulong b_count = CALL_COUNT_1(args.b_count);
#ifdef PAYLOAD
#define SET_VALUES                                                                                                     \
    (set_values)                                                                                                       \
    {                                                                                                                  \
        a_values + args.a_values_offset, b_values + args.b_values_offset, out_values + args.out_values_offset          \
    }
typedef struct {
    const __global PAYLOAD *a, *b;
    __global PAYLOAD *out;
} set_values;
#else
#define SET_VALUES 0
typedef uint set_values; /* none */
#endif

#define TAKES(from_a, from_b) ((from_a) ? ((from_b) ? IN_BOTH : ONLY_A) : ((from_b) && ONLY_B))

/* If the arrays are not sorted, there may seem to be more kept elements. */
ALWAYS_INLINE ulong most_kept(ulong a_count, ulong b_count)
{
    return ONLY_B ? a_count + b_count : ONLY_A ? a_count : min(a_count, b_count);
}

/* Write the element with key x, which is at a_place of a, or at b_place of b. */
ALWAYS_INLINE void move_out(array out, set_values values, ulong to, item x, bool is_a, ulong a_place, ulong b_place)
{
    store(array_from(out, to), 0, x);
#ifdef PAYLOAD
#if ONLY_B
    values.out[to] = *(is_a ? values.a + a_place : values.b + b_place);
#else
    values.out[to] = values.a[a_place];
#endif
#endif
}

/* The type of sums: how many elements are kept, beginning with those of one work-item (words.cl, tile_scan.cl,
 * look_back.cl). */
#undef VALUE_SIZE
#define VALUE         INDEX
#define VALUE_SIZE    INDEX_SIZE
#define IDENTITY      ((INDEX)0)
#define COMBINE(x, y) ((x) + (y))
#define COMMUTATIVE   1
#define ITEMS         1
#if INDEX_SIZE == 4
#define REDUX "add.u32"
#endif
