/* keep.cl: which elements are selected: by the caller's predicate, by flags, or those that begin a run of equal ones.
 *
 *   FLAGS_PARAMETERS, FLAGS_ARGUMENTS    in a parameter list, and to hand them on
 *   PAYLOADS_PARAMETERS, PAYLOADS_ARGUMENTS    the same of the values that go with elements
 *   keep(x, i, in)                       1 or 0 for element x, the i-th of those that lie from `in` on
 *   payload_move(to, i)                  writes the value of element i to place `to`
 *
 * With HEADS it takes an i > 0: the first element is always selected.
 *
 * Parameters: the prelude, with ELEMENT, ELEMENT_SIZE, OUTPUT and OUTPUT_OF(x, i), what is stored for element x, the i-th
 * (lib/runtime/program/expression.h), and differs(a, b) with HEADS, else where FLAGGED is 0 predicate(x, i); HEADS; FLAGGED, then also FLAG, an integer type, and FLAG_BITS (lib/runtime/program/flags.h); COUNT_TYPE of
 * the number that is written; PARTITION: 0, or what becomes of the other elements: 1, they follow in their order, 2, in
 * reverse. Counts are VALUEs, which what comes after sums up. PAYLOAD_SIZE of the value that goes with an element; 0: there are
 * none, else also PAYLOAD, its type, and INDICES: 1, values are the elements' indices, from first_index on. */
#if !defined(FLAGGED) || !defined(HEADS) || !defined(COUNT_TYPE) || !defined(PARTITION)
#error "FLAGGED, HEADS, COUNT_TYPE and PARTITION must be given"
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

#if FLAGGED
#define FLAGS_PARAMETERS , const __global FLAG *flags, ulong flags_offset
#define FLAGS_ARGUMENTS , flags, flags_offset
#else
#define FLAGS_PARAMETERS
#define FLAGS_ARGUMENTS
#endif

#if PAYLOAD_SIZE
#if INDICES
#define PAYLOADS_PARAMETERS , ulong first_index, __global PAYLOAD *payloads_out, ulong payloads_out_offset
#define PAYLOADS_ARGUMENTS , first_index, payloads_out, payloads_out_offset
#define PAYLOAD_AT(i) ((PAYLOAD)(first_index + (i)))
#else
#define PAYLOADS_PARAMETERS                                                                                            \
    , const __global PAYLOAD *payloads, ulong payloads_offset, __global PAYLOAD *payloads_out, ulong payloads_out_offset
#define PAYLOADS_ARGUMENTS , payloads, payloads_offset, payloads_out, payloads_out_offset
#define PAYLOAD_AT(i) payloads[payloads_offset + (i)]
#endif
static inline void payload_move(ulong to, ulong i PAYLOADS_PARAMETERS)
{
    payloads_out[payloads_out_offset + to] = PAYLOAD_AT(i);
}
#else
#define PAYLOADS_PARAMETERS
#define PAYLOADS_ARGUMENTS
#endif

/* Where the j-th of those goes that are not selected, if `all` of n elements are. */
#define OTHER_PLACE(j, all, n) (PARTITION == 2 ? (n)-1 - (j) : (all) + (j))

static inline uint keep(ELEMENT x, ulong i, const __global ELEMENT *in FLAGS_PARAMETERS)
{
#if HEADS
    return differs(ELEMENT_AT(in, i - 1), x);
#elif FLAGGED
    return (flags[flags_offset + i] & (FLAG)FLAG_BITS) != 0;
#else
    return predicate(x, i);
#endif
}
