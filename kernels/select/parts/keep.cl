/* keep.cl: which elements are selected: by the caller's predicate, by flags, or those that begin a run of equal ones;
 * and with THREE_WAY, which of the others are in the second part: by another predicate.
 *
 *   FLAGS_PARAMETERS, FLAGS_ARGUMENTS    in a parameter list, and to hand them on
 *   PAYLOADS_PARAMETERS, PAYLOADS_ARGUMENTS    the same of the values that go with elements
 *   keep(x, i, in)                       for element x, the i-th of those that lie from `in` on: 1 if it is selected,
 *                                        IS_SECOND if it is in the second part, else 0
 *   FIRSTS(v), SECONDS(v)                how many elements of each of these parts a VALUE counts: the sum of what keep
 *                                        says of them; with THREE_WAY of fewer than 2^16 elements
 *   payload_move(to, i)                  writes the value of element i to place `to`, if there is room for it
 *
 * With HEADS it takes an i > 0: the first element is always selected.
 *
 * Parameters: the prelude, with ELEMENT, ELEMENT_SIZE, OUTPUT and OUTPUT_OF(x, i), what is stored for element x, the i-th
 * (lib/runtime/program/expression.h), and differs(a, b) with HEADS, else where FLAGGED is 0 predicate(x, i); HEADS;
 * FLAGGED, then also FLAG, an integer type, and FLAG_BITS (lib/runtime/program/flags.h); THREE_WAY, then also
 * second_predicate(x, i), which is asked only about elements that are not selected. Counts are VALUEs, which what comes
 * after sums up. PAYLOAD_SIZE of the value that goes with an element; 0: there are none, else also PAYLOAD, its type,
 * and INDICES: 1, values are the elements' indices, from first_index on. */
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

#define VALUE uint
#define VALUE_SIZE 4
#define IDENTITY 0u
#define COMBINE(a, b) ((a) + (b))
#define COMMUTATIVE 1
#define REDUX "add.u32"

#if THREE_WAY /* two counts of 16 bits */
#define IS_SECOND 0x10000u
#define FIRSTS(v) ((v) % IS_SECOND)
#define SECONDS(v) ((v) / IS_SECOND)
#else
#define FIRSTS(v) (v)
#define SECONDS(v) 0u
#endif

#if FLAGGED
#define FLAGS_PARAMETERS , const __global FLAG *flags, ulong flags_offset
#define FLAGS_ARGUMENTS , flags, flags_offset
#else
#define FLAGS_PARAMETERS
#define FLAGS_ARGUMENTS
#endif

#if PAYLOAD_SIZE
#if INDICES
#define PAYLOADS_PARAMETERS                                                                                            \
    , ulong first_index, __global PAYLOAD *payloads_out, ulong payloads_out_offset, ulong payloads_room
#define PAYLOADS_ARGUMENTS , first_index, payloads_out, payloads_out_offset, payloads_room
#define PAYLOAD_AT(i) ((PAYLOAD)(first_index + (i)))
#else
#define PAYLOADS_PARAMETERS                                                                                            \
    , const __global PAYLOAD *payloads, ulong payloads_offset, __global PAYLOAD *payloads_out,                         \
        ulong payloads_out_offset, ulong payloads_room
#define PAYLOADS_ARGUMENTS , payloads, payloads_offset, payloads_out, payloads_out_offset, payloads_room
#define PAYLOAD_AT(i) payloads[payloads_offset + (i)]
#endif
static inline void payload_move(ulong to, ulong i PAYLOADS_PARAMETERS)
{
    if (to < payloads_room)
        payloads_out[payloads_out_offset + to] = PAYLOAD_AT(i);
}
#else
#define PAYLOADS_PARAMETERS
#define PAYLOADS_ARGUMENTS
#endif

static inline uint is_selected(ELEMENT x, ulong i, const __global ELEMENT *in FLAGS_PARAMETERS)
{
#if HEADS
    return differs(ELEMENT_AT(in, i - 1), x);
#elif FLAGGED
    return (flags[flags_offset + i] & (FLAG)FLAG_BITS) != 0;
#else
    return predicate(x, i);
#endif
}

static inline uint keep(ELEMENT x, ulong i, const __global ELEMENT *in FLAGS_PARAMETERS)
{
#if THREE_WAY
    return is_selected(x, i, in FLAGS_ARGUMENTS) ? 1 : second_predicate(x, i) * IS_SECOND;
#else
    return is_selected(x, i, in FLAGS_ARGUMENTS);
#endif
}
