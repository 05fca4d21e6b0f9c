// SPDX-License-Identifier: MIT
/* order.c: write the order of elements as OpenCL C text, and compare elements on the host. */
#include "order.h"

#include <string.h>

#include "error.h"
#include "expression.h"
#include "kinds.h"
#include "operator.h"

clprim_status clprim__order_check(clprim__order *order, const clprim_device_info *info)
{
    const bool is_struct = order->type_name != NULL;
    const clprim_type type = order->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : order->type;
    const bool has_expression = order->less != NULL || order->input != NULL;
    clprim_status status = clprim__key_check(type, order->type_name, order->type_size, has_expression, info);
    if (status == CLPRIM_SUCCESS)
        status = clprim__value_check(&order->value_size, order->value_size, false, CLPRIM_TYPE_DEFAULT, 0);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (is_struct && order->less == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "type_name %s requires an order, but less is NULL",
                            order->type_name);
    if (clprim__has_text(order->text) && !has_expression)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given without less",
                            order->text->source != NULL ? "source" : "text");
    order->type = type;
    order->key_size = is_struct ? order->type_size : clprim_type_size(type);
    return clprim__nan_order_check(order->nan_order, order->less != NULL);
}

clprim_status clprim__index_check(size_t *out, clprim_type index_type, size_t max_count)
{
    const clprim_type type = index_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : index_type;
    if (type != CLPRIM_U32 && type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "index_type must be U32 or U64, not %s", clprim_type_name(type));
    if (type == CLPRIM_U32 && max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_count %zu requires an index_type of U64", max_count);
    *out = clprim_type_size(type);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__value_check(size_t *out, size_t value_size, bool indices, clprim_type index_type,
                                  size_t max_count)
{
    size_t index_size = 0;
    if (value_size > 16 || (value_size & (value_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "value_size %zu is not 0, 1, 2, 4, 8 or 16", value_size);
    if (indices && value_size != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "value_size %zu is given, but the values are indices", value_size);
    const clprim_status status = clprim__index_check(&index_size, index_type, indices ? max_count : 0);
    if (status == CLPRIM_SUCCESS)
        *out = indices ? index_size : value_size;
    return status;
}

static void write_less(clprim__prelude *prelude, const clprim__order *order, const char *element)
{
    const bool is_struct = order->type_name != NULL;
    const char *to_float = is_struct ? NULL : clprim__type_to_float(order->type);
    const char *seen = is_struct ? element : clprim__input_type(order->type, NULL);
    const char *turn = is_struct ? "" : to_float != NULL ? to_float : "as_";
    const char *into = is_struct || to_float != NULL ? "" : seen;
    clprim__prelude_expression(prelude, &(clprim__expression){.name = "less",
                                                              .type = "bool",
                                                              .operands = {{seen, "a"}, {seen, "b"}},
                                                              .text = order->less,
                                                              .is_condition = true});
    clprim__text_format(&prelude->own, "#define LESS(a, b) clprim__callers_less(%s%s(a), %s%s(b))\n", turn, into, turn,
                        into);
}

/* Elements of built-in types are moved as integers, so that none of their bits change. */
clprim_status clprim__order_write(clprim__prelude *prelude, const clprim__order *order, size_t max_count,
                                  const clprim_device_info *info)
{
    static const char *const values[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const bool is_struct = order->type_name != NULL;
    clprim__text *text = &prelude->own;
    clprim__prelude_begin(prelude, info);
    const clprim_status status = clprim__text_write(prelude, order->text, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    const char *element =
        is_struct ? clprim__prelude_type(prelude, order->type_name, order->type_size) : clprim__type_bits(order->type);
    clprim__text_format(text, "#define ELEMENT %s\n#define ELEMENT_SIZE %zu\n#define ELEMENT_BITS %zu\n", element,
                        order->key_size, order->key_size * 8);
    clprim__text_format(text, "#define ELEMENT_KIND %d\n#define MOVED_NANS 0x%llxul\n",
                        clprim__key_kind(order->type, order->nan_order),
                        (unsigned long long)clprim__moved_nans(order->type, order->nan_order));
    clprim__text_format(text, "#define CUSTOM %d\n#define DESCENDING %d\n#define VALUE_SIZE %zu\n#define INDEX %s\n",
                        order->less != NULL, order->descending, order->value_size,
                        max_count > UINT32_MAX ? "ulong" : "uint");
    if (order->value_size > 0)
        clprim__text_format(text, "#define VALUE %s\n", values[order->value_size]);
    if (!is_struct)
        clprim__text_format(text, "#define ELEMENT_OF_BITS(b) ((%s)(b))\n", element);
    if (order->less != NULL)
        write_less(prelude, order, element);
    clprim__input_write(prelude, order->input, order->type, is_struct ? element : NULL);
    return clprim__prelude_status(prelude);
}

clprim_status clprim__reference_order_check(clprim_reference_order *out, const clprim_reference_order *wanted)
{
    clprim_reference_order order = {.size = 0};
    if (wanted != NULL)
        order = *wanted;
    order.type = order.type != CLPRIM_TYPE_DEFAULT ? order.type : CLPRIM_U32;
    order.size = order.size != 0 ? order.size : clprim_type_size(order.type);
    if (!clprim__is_key_type(order.type))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown type %d", (int)order.type);
    if (order.before == NULL && order.size != clprim_type_size(order.type))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "size differs from that of the type, but before is NULL");
    *out = order;
    return clprim__nan_order_check(order.nan_order, order.before != NULL);
}

/* Map an element to an unsigned number with the order of its type. */
static uint64_t image_of(const clprim_reference_order *order, const void *element)
{
    const clprim_type type = order->type;
    const size_t size = clprim_type_size(type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * size);
    const uint64_t sign = all ^ (all >> 1);
    uint64_t x = 0; /* little-endian, like all supported devices */
    memcpy(&x, element, size);
    if (clprim__is_float(type)) {
        x ^= (x & sign) != 0 ? all : sign;
        return (x - clprim__moved_nans(type, order->nan_order)) & all;
    }
    return clprim__is_signed(type) ? x ^ sign : x;
}

bool clprim__comes_before(const clprim_reference_order *order, const void *a, const void *b)
{
    const void *first = order->descending ? b : a;
    const void *second = order->descending ? a : b;
    if (order->before != NULL)
        return order->before(first, second);
    return image_of(order, first) < image_of(order, second);
}
