/* least.cl: from here on a VALUE is a place: that of the first element that is not in order, of those looked at; NOWHERE if
 * all are. Folded, it is the least one. What of items.cl depends on values, of which there are none, is defined by now.
 *
 * Parameters: items.cl comes before; VALUE_SIZE 0; RESULT, an unsigned integer for the output. */
#if VALUE_SIZE != 0 || !defined(RESULT)
#error "RESULT must be given, and elements have no values"
#endif
#undef VALUE_SIZE
#define VALUE ulong
#define VALUE_SIZE 8
#define NOWHERE (~0ul)
#define IDENTITY NOWHERE
#define COMBINE(a, b) min(a, b)

#define IS_SORTED_KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))

/* Must element begin + k come before the one before it? `own` begins with element `begin`. */
static inline bool is_descent(const __global ELEMENT *own, ulong begin, ulong k)
{
#ifdef INPUT_AT
    const ELEMENT x = INPUT_AT(begin + k);
    const ELEMENT y = INPUT_AT(begin + k - 1);
#else
    const __global ELEMENT *earlier = own - 1;
    const ELEMENT x = own[k];
    const ELEMENT y = earlier[k];
#endif
    return before(IMAGE_OF(x), IMAGE_OF(y));
}

/* How many of n elements are in order, from the first one on. */
static inline RESULT sorted_of(VALUE least, ulong n)
{
    return (RESULT)min(least, n);
}
