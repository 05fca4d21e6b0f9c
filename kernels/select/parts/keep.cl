// SPDX-License-Identifier: MIT
/* keep.cl: which elements are selected: by the caller's predicate, by flags, or the first element of each run of equal
 * elements. With THREE_WAY, also which of the other elements are in the second part: by another predicate.
 *
 *   FLAGS, PAYLOADS                      the flags and the values of elements, which a kernel passes on
 *   keep(x, i, in, flags)                for element x, the i-th from `in` on: 1 if it is selected, IS_SECOND if it is
 *                                        in the second part, otherwise 0
 *   FIRSTS(v), SECONDS(v)                how many elements of each of these parts a VALUE counts. A VALUE is a sum of
 *                                        results of keep; with THREE_WAY, of fewer than 2^16 elements
 *   payload_move(to, i, payloads)        writes the value of element i to place `to`, if there is room for it
 *
 * With HEADS, keep must be called with i > 0: the first element is always selected.
 *
 * Parameters: the prelude, with ELEMENT, ELEMENT_SIZE, OUTPUT and OUTPUT_OF(x, i), what is stored for element x, which
 * has index i (lib/runtime/program/expression.h); differs(a, b) with HEADS, otherwise, if FLAGGED is 0, predicate(x,
 * i); HEADS; FLAGGED, then also FLAG, an integer type, and FLAG_BITS (lib/runtime/program/flags.h); THREE_WAY, then
 * also second_predicate(x, i), which is called only for elements that are not selected. Counts are VALUEs, which the
 * including file sums up. PAYLOAD_SIZE, the size of an element's value; 0 if there are no values, otherwise also
 * PAYLOAD, its type, and INDICES: if it is 1, values are the elements' indices, from first_index on. */
#include "select/args.h"

#if !defined(FLAGGED) || !defined(HEADS) || !defined(THREE_WAY)
#error "FLAGGED, HEADS and THREE_WAY must be given"
#endif
#if !defined(PAYLOAD_SIZE) || (PAYLOAD_SIZE && (!defined(PAYLOAD) || !defined(INDICES)))
#error "PAYLOAD_SIZE must be given, and if it is not 0, PAYLOAD and INDICES"
#endif
#ifndef OUTPUT
#error "OUTPUT must be given"
#endif
#if FLAGGED && (!defined(FLAG) || !defined(FLAG_BITS))
#error "FLAG and FLAG_BITS must be given"
#endif

#define VALUE         uint
#define VALUE_SIZE    4
#define IDENTITY      0u
#define COMBINE(a, b) ((a) + (b))
#define COMMUTATIVE   1
#define REDUX         "add.u32"

#if THREE_WAY /* two 16-bit counts */
#define IS_SECOND  0x10000u
#define FIRSTS(v)  ((v) % IS_SECOND)
#define SECONDS(v) ((v) / IS_SECOND)
#else
#define FIRSTS(v)  (v)
#define SECONDS(v) 0u
#endif

#if FLAGGED
/* pointer and offset separately, because their sum would take registers all the time */
typedef struct {
    const __global FLAG *from;
    ulong offset;
} flag_source;
#define FLAGS ((flag_source){flags, args.flags_offset})
#else
typedef uint flag_source; /* none */
#define FLAGS 0
#endif

#if PAYLOAD_SIZE
typedef struct {
#if INDICES
    ulong first_index;
#else
    const __global PAYLOAD *in;
#endif
    __global PAYLOAD *out;
    ulong room;
} payload_arrays;
#if INDICES
#define PAYLOADS ((payload_arrays){args.first_index, payloads_out + args.payloads_out_offset, args.payloads_room})
/* the value of element i */
#define PAYLOAD_AT(p, i) ((PAYLOAD)((p).first_index + (i)))
#else
#define PAYLOADS                                                                                                       \
    ((payload_arrays){payloads + args.payloads_offset, payloads_out + args.payloads_out_offset, args.payloads_room})
#define PAYLOAD_AT(p, i) ((p).in[i])
#endif

static inline void payload_move(ulong to, ulong i, payload_arrays p)
{
    if (to < p.room)
        p.out[to] = PAYLOAD_AT(p, i);
}
#endif

static inline uint is_selected(ELEMENT x, ulong i, const __global ELEMENT *in, flag_source flags)
{
#if HEADS
    return differs(ELEMENT_AT(in, i - 1), x);
#elif FLAGGED
    return (flags.from[flags.offset + i] & (FLAG)FLAG_BITS) != 0;
#else
    return predicate(x, i);
#endif
}

static inline uint keep(ELEMENT x, ulong i, const __global ELEMENT *in, flag_source flags)
{
#if THREE_WAY
    return is_selected(x, i, in, flags) ? 1 : second_predicate(x, i) * IS_SECOND;
#else
    return is_selected(x, i, in, flags);
#endif
}
