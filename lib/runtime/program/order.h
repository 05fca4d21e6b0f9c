// SPDX-License-Identifier: MIT
/* order.h: elements of a built-in type or of the caller's own type, the values that go with them, and their order. For
 * kernels, descriptions become OpenCL C text for kernels/common/items.cl; references use the same order on the host. */
#ifndef CLPRIM_LIB_ORDER_H
#define CLPRIM_LIB_ORDER_H

#include <clprim/reference.h>
#include <clprim/runtime.h>
#include <clprim/types.h>

#include "nan_order.h"
#include "prelude.h"

/* Copied from a description, from which pointers are borrowed. clprim__order_check fills in the rest. */
typedef struct clprim__order {
    clprim_type type; /* default U32 */
    const char *less, *type_name;
    const clprim_text *text;
    size_t type_size;
    bool descending;
    clprim_nan_order nan_order;
    size_t value_size;
    const char *input; /* the caller's expression for elements; NULL: elements come from an array */
    /* filled in by clprim__order_check */
    size_t key_size;
} clprim__order;

/* Copy the members of a description. All descriptions have these members, with the type as `type_member`. */
#define CLPRIM__ORDER_OF(desc, type_member)                                                                            \
    {                                                                                                                  \
        .type = (desc)->type_member, .less = (desc)->less, .text = &(desc)->text, .type_name = (desc)->type_name,      \
        .type_size = (desc)->type_size, .descending = (desc)->descending, .nan_order = (desc)->nan_order               \
    }

/* Check an order by the rules of clprim/bitonic_sort.h. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double
 * precision). */
clprim_status clprim__order_check(clprim__order *order, const clprim_device_info *info);

/* The size in bytes of an index of index_type (default: U32), which must be able to represent max_count. Errors:
 * CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__index_check(size_t *out, clprim_type index_type, size_t max_count);

/* The size in bytes of what belongs to each key: a value of value_size bytes; 0 for none; or, with `indices`, an index
 * of index_type (default: U32), which must be able to represent max_count. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__value_check(size_t *out, size_t value_size, bool indices, clprim_type index_type,
                                  size_t max_count);

/* Write the prelude: everything that items.cl needs, and INPUT_AT(i) (expression.h). Elements are counted in 64 bits if
 * max_count requires it. Errors: those of clprim__text_write. */
clprim_status clprim__order_write(clprim__prelude *prelude, const clprim__order *order, size_t max_count,
                                  const clprim_device_info *info);

/* Write the order for a reference, with its defaults filled in. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__reference_order_check(clprim_reference_order *out, const clprim_reference_order *wanted);

/* Whether *a must come before *b. The order must have been checked before. */
bool clprim__comes_before(const clprim_reference_order *order, const void *a, const void *b);

#endif
