// SPDX-License-Identifier: MIT
/* passes.cl: what the kernels of variants with several passes share.
 *
 * Such a kernel is launched repeatedly until one value is left: the first pass reads ELEMENTs, later passes read the
 * VALUEs that the pass before wrote; the last pass writes the OUTPUT. Offsets are in the elements that are read or
 * written.
 *
 * Parameters: ELEMENT, VALUE, OUTPUT, OUTPUT_OF, VALUE_AT, RESULT_OF, OR_NOTHING, FROM_INITIAL, INITIAL_OR_NOTHING,
 * IDENTITY, COMBINE (see lib/runtime/program/operator.h); GROUP_SIZE. */
#include "reduce/args.h"

#if !defined(VALUE) || !defined(COMBINE) || !defined(IDENTITY) || !defined(RESULT) || !defined(OUTPUT)
#error "the operator's prelude must come before"
#endif

#if !defined(FIRST_PASS) || !defined(LAST_PASS)
#error "FIRST_PASS and LAST_PASS must be given"
#endif

#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

/* Write the result of no elements. The operator is not called, because the arrays that its text reads may also have no
 * elements. */
__kernel GROUP_OF(GROUP_SIZE) void reduce_nothing(ARGS_OF(REDUCE_OUTPUT))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    if (get_local_id(0) == 0)
        ((__global OUTPUT *)out)[args.out_offset] = OUTPUT_OF(RESULT_OF(INITIAL_OR_NOTHING), 0);
}

/* The number of elements to read. */
static inline ulong pass_count(const reduce_args args)
{
    return args.pass & FIRST_PASS ? CALL_COUNT_0(args.n) : args.n;
}

static inline VALUE pass_load(const __global uchar *in, ulong i, const reduce_args args)
{
    if (args.pass & FIRST_PASS) {
#ifdef INPUT_AT
        const ELEMENT x = INPUT_AT(i);
#else
        const ELEMENT x = ((const __global ELEMENT *)in)[args.in_offset + i];
#endif
        return VALUE_AT(x, i);
    }
    return ((const __global VALUE *)in)[args.in_offset + i];
}

/* n: the number of elements that were to be read. */
static inline void pass_store(__global uchar *out, ulong i, VALUE x, ulong n, const reduce_args args)
{
    if (args.pass & LAST_PASS)
        ((__global OUTPUT *)out)[args.out_offset + i] = OUTPUT_OF(RESULT_OF(FROM_INITIAL(x, n == 0)), i);
    else
        ((__global VALUE *)out)[args.out_offset + i] = OR_NOTHING(x, n == 0);
}
