/* order.h: elements of a built-in type or of the caller's own, the values that go with them, and which of two comes
 * first: what descriptions say of that, as OpenCL C text for kernels/common/items.cl, and for references on the host.
 */
#ifndef CLPRIM_LIB_ORDER_H
#define CLPRIM_LIB_ORDER_H

#include <clprim/reference.h>
#include <clprim/runtime.h>
#include <clprim/types.h>

#include "nan_order.h"
#include "prelude.h"

/* As in a description, from which it is borrowed; check fills in the rest. */
typedef struct clprim__order {
    clprim_type type; /* default U32 */
    const char *less, *type_name;
    const clprim_text *text;
    size_t type_size;
    bool descending;
    clprim_nan_order nan_order;
    size_t value_size;
    const char *input; /* the caller's expression for elements; NULL: they are in an array */
    /* filled in by clprim__order_check */
    size_t key_size;
} clprim__order;

/* Copies what a description says: all have these members, and the type as `type_member`. */
#define CLPRIM__ORDER_OF(desc, type_member)                                                                            \
    {                                                                                                                  \
        .type = (desc)->type_member, .less = (desc)->less, .text = &(desc)->text, .type_name = (desc)->type_name,      \
        .type_size = (desc)->type_size, .descending = (desc)->descending, .nan_order = (desc)->nan_order               \
    }

/* The rules of clprim/bitonic_sort.h. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__order_check(clprim__order *order, const clprim_device_info *info);

/* Bytes of an index of index_type (default U32), in which max_count fits. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__index_check(size_t *out, clprim_type index_type, size_t max_count);

/* Bytes of the value that belongs to each key: value_size, 0 for none; or of its index, of index_type (default U32),
 * where there are `indices`, in which max_count fits. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__value_check(size_t *out, size_t value_size, bool indices, clprim_type index_type,
                                  size_t max_count);

/* The prelude: all that items.cl asks for, and INPUT_AT(i) (expression.h). Elements are counted in 64 bits where there may
 * be max_count. Errors: those of clprim__text_write. */
clprim_status clprim__order_write(clprim__prelude *prelude, const clprim__order *order, size_t max_count,
                                  const clprim_device_info *info);

/* The order for a reference, with its defaults filled in. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__reference_order_check(clprim_reference_order *out, const clprim_reference_order *wanted);

/* Whether *a must come before *b. The order was checked before. */
bool clprim__comes_before(const clprim_reference_order *order, const void *a, const void *b);

#endif
