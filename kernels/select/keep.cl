/* keep.cl: which elements are selected: by the caller's predicate, or by flags.
 *
 *   FLAGS_PARAMETERS, FLAGS_ARGUMENTS    in a parameter list, and to hand them on
 *   keep(x, i)                           1 or 0 for element x, the i-th of the call
 *
 * Parameters: the prelude, with ELEMENT, ELEMENT_SIZE and where FLAGGED is 0 predicate(x, i); FLAGGED, then also FLAG, an
 * integer type. Counts are VALUEs, which what comes after sums up. */
#ifndef FLAGGED
#error "FLAGGED must be given"
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

static inline uint keep(ELEMENT x, ulong i FLAGS_PARAMETERS)
{
#if FLAGGED
    return flags[flags_offset + i] != 0;
#else
    return predicate(x, i);
#endif
}
