// SPDX-License-Identifier: MIT
/* comparison_sort_reference.c: a stable merge sort on the host, by the caller's order or by the total order. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "bitonic_sort_internal.h"
#include "error.h"
#include "kinds.h"
#include "order.h"

/* Elements with their values next to them. */
typedef struct sorting {
    unsigned char *items, *others; /* source and destination of a pass, which alternate */
    size_t size, item_size;        /* size of an element alone, and with its value */
    clprim_reference_before before;
    clprim_type type; /* used if there is no `before` */
    bool descending;
    uint64_t moved_nans;
} sorting;

/* Map an element of a built-in type to a number with the same order. Of a negative float, all bits are flipped; of
 * other floats and signed integers, the sign bit. The number of NaNs that are moved to the end is subtracted. */
static uint64_t image_of(const unsigned char *element, clprim_type type, uint64_t moved_nans)
{
    const size_t size = clprim_type_size(type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * size);
    const uint64_t sign = all ^ (all >> 1);
    uint64_t x = 0; /* little-endian, like all supported devices */
    memcpy(&x, element, size);
    switch (type) {
    case CLPRIM_BF16: /* fall through */
    case CLPRIM_F16:
    case CLPRIM_F32:
    case CLPRIM_F64: return ((x ^ ((x & sign) != 0 ? all : sign)) - moved_nans) & all;
    case CLPRIM_I8:
    case CLPRIM_I16:
    case CLPRIM_I32:
    case CLPRIM_I64: return x ^ sign;
    default: return x;
    }
}

static bool comes_before(const sorting *s, const unsigned char *a, const unsigned char *b)
{
    const unsigned char *first = s->descending ? b : a;
    const unsigned char *second = s->descending ? a : b;
    if (s->before != NULL)
        return s->before(first, second);
    return image_of(first, s->type, s->moved_nans) < image_of(second, s->type, s->moved_nans);
}

/* Sort items begin .. end - 1. */
static void sort_range(const sorting *s, size_t begin, size_t end)
{
    const size_t size = s->item_size;
    const size_t middle = begin + (end - begin) / 2;
    if (end - begin < 2)
        return;
    sort_range(s, begin, middle);
    sort_range(s, middle, end);
    size_t a = begin;
    size_t b = middle;
    for (size_t i = begin; i < end; i++) {
        const bool takes_second = a == middle || (b < end && comes_before(s, s->items + b * size, s->items + a * size));
        memcpy(s->others + i * size, s->items + (takes_second ? b++ : a++) * size, size);
    }
    memcpy(s->items + begin * size, s->others + begin * size, (end - begin) * size);
}

clprim_status clprim_reference_comparison_sort(void *data, void *values, const clprim_reference_comparison_how *wanted,
                                               size_t count)
{
    clprim_reference_comparison_how how = {.size = 0};
    if (wanted != NULL)
        how = *wanted;
    how.type = how.type != CLPRIM_TYPE_DEFAULT ? how.type : CLPRIM_U32;
    how.size = how.size != 0 ? how.size : clprim_type_size(how.type);
    const char *wrong = clprim__reference_sort_mistake(how.type, how.size, how.before != NULL, how.nan_order, data,
                                                       values, how.value_size, count);
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_comparison_sort: %s", wrong);
    if (count < 2)
        return CLPRIM_SUCCESS;
    const size_t item_size = how.size + how.value_size;
    unsigned char *room = count <= SIZE_MAX / 2 / item_size ? malloc(2 * count * item_size) : NULL;
    if (room == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory to sort %zu elements", count);
    const sorting s = {room,           room + count * item_size,
                       how.size,       item_size,
                       how.before,     how.type,
                       how.descending, clprim__moved_nans(how.type, how.nan_order)};
    for (size_t i = 0; i < count; i++) {
        memcpy(room + i * item_size, (const char *)data + i * how.size, how.size);
        if (how.value_size != 0)
            memcpy(room + i * item_size + how.size, (const char *)values + i * how.value_size, how.value_size);
    }
    sort_range(&s, 0, count);
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)data + i * how.size, room + i * item_size, how.size);
        if (how.value_size != 0)
            memcpy((char *)values + i * how.value_size, room + i * item_size + how.size, how.value_size);
    }
    free(room);
    return CLPRIM_SUCCESS;
}
