/* compat.h: what tests and tools that are made over the names of all operations need while some operations have plans of
 * a type of their own and others a clprim_plan. Goes when the last one has. */
#ifndef CLPRIM_TEST_COMPAT_H
#define CLPRIM_TEST_COMPAT_H

#include <clprim/clprim.h>

#define CLPRIM_COMPAT_PLAN(op)                                                                                         \
    typedef clprim_plan clprim_##op;                                                                                   \
    static inline void clprim_##op##_destroy(clprim_plan *plan)                                                        \
    {                                                                                                                  \
        clprim_plan_destroy(plan);                                                                                     \
    }
#define CLPRIM_COMPAT(op)                                                                                              \
    CLPRIM_COMPAT_PLAN(op)                                                                                             \
    static inline const clprim_variant_info *clprim_##op##_variants(size_t *count)                                     \
    {                                                                                                                  \
        return clprim_##op##_operation.variants(count);                                                                \
    }

CLPRIM_COMPAT(select)
CLPRIM_COMPAT(histogram)
CLPRIM_COMPAT(unique)
CLPRIM_COMPAT(bitonic_sort)
CLPRIM_COMPAT(comparison_sort)
CLPRIM_COMPAT(merge)
CLPRIM_COMPAT(search)
CLPRIM_COMPAT(is_sorted)
CLPRIM_COMPAT(reduce)
CLPRIM_COMPAT(scan)
CLPRIM_COMPAT(run_length_encode)
CLPRIM_COMPAT(reduce_by_key)
CLPRIM_COMPAT(radix_sort)
CLPRIM_COMPAT(top_k)
CLPRIM_COMPAT_PLAN(sort_by_key)
CLPRIM_COMPAT(segmented_sort)

#endif
