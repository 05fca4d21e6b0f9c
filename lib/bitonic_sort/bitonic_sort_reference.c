// SPDX-License-Identifier: MIT
/* bitonic_sort_reference.c: bitonic sort on the host, in five steps from recursion to a loop that can become a kernel
 * (bitonic_sort_ladder.h). Elements of built-in types are first mapped to unsigned integers with the same order, and
 * mapped back at the end. */
#include <clprim/reference.h>
#include <string.h>

#include "bitonic_sort_internal.h"
#include "error.h"
#include "kinds.h"
#include "order.h"

/* The article's comparator. It has no branch, because the condition depends on the data and is hard to predict. */
#define EXCHANGE_NUMBERS(T, a, i, j, down)                                                                             \
    do {                                                                                                               \
        const T first = (a)[i];                                                                                        \
        const T second = (a)[j];                                                                                       \
        const bool wrong = (second < first) != (down);                                                                 \
        (a)[i] = wrong ? second : first;                                                                               \
        (a)[j] = wrong ? first : second;                                                                               \
    } while (0)

#define LADDER(name)            name##_8
#define ARRAY                   uint8_t *
#define EXCHANGE(a, i, j, down) EXCHANGE_NUMBERS(uint8_t, a, i, j, down)
#include "bitonic_sort_ladder.h"

#define LADDER(name)            name##_16
#define ARRAY                   uint16_t *
#define EXCHANGE(a, i, j, down) EXCHANGE_NUMBERS(uint16_t, a, i, j, down)
#include "bitonic_sort_ladder.h"

#define LADDER(name)            name##_32
#define ARRAY                   uint32_t *
#define EXCHANGE(a, i, j, down) EXCHANGE_NUMBERS(uint32_t, a, i, j, down)
#include "bitonic_sort_ladder.h"

#define LADDER(name)            name##_64
#define ARRAY                   uint64_t *
#define EXCHANGE(a, i, j, down) EXCHANGE_NUMBERS(uint64_t, a, i, j, down)
#include "bitonic_sort_ladder.h"

/* Elements of any size, with or without values, in the caller's order or that of unsigned integers. */
typedef struct elements {
    unsigned char *data, *values;
    size_t size, value_size;
    clprim_reference_before before; /* NULL: as unsigned integers */
    bool descending;
} elements;

static void swap_bytes(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static uint64_t number_at(const unsigned char *data, size_t size)
{
    uint64_t number = 0; /* little-endian, like all supported devices */
    memcpy(&number, data, size);
    return number;
}

static bool is_before(const elements *e, const unsigned char *a, const unsigned char *b)
{
    if (e->before == NULL)
        return number_at(a, e->size) < number_at(b, e->size);
    return e->descending ? e->before(b, a) : e->before(a, b);
}

static void exchange_elements(const elements *e, size_t i, size_t j, bool down)
{
    unsigned char *a = e->data + i * e->size;
    unsigned char *b = e->data + j * e->size;
    if (down ? !is_before(e, a, b) : !is_before(e, b, a))
        return;
    swap_bytes(a, b, e->size);
    if (e->values != NULL)
        swap_bytes(e->values + i * e->value_size, e->values + j * e->value_size, e->value_size);
}

#define LADDER(name)            name##_any
#define ARRAY                   const elements *
#define EXCHANGE(a, i, j, down) exchange_elements(a, i, j, down)
#include "bitonic_sort_ladder.h"

/* Map elements to numbers with the same order, or back; as in radix_sort_reference.c. */
static void turn(unsigned char *data, const clprim_reference_bitonic_how *how, size_t count, bool back)
{
    const clprim_type type = how->type;
    const bool descending = how->descending;
    const uint64_t moved_nans = clprim__moved_nans(type, how->nan_order);
    const size_t size = clprim_type_size(type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * size);
    const uint64_t sign = all ^ (all >> 1);
    const bool is_float = clprim__is_float(type);
    const bool is_signed = clprim__is_signed(type);
    if (!is_float && !is_signed && !descending)
        return;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = number_at(data + i * size, size);
        x ^= descending && back ? all : 0;
        x = back ? (x + moved_nans) & all : x;
        const bool is_negative = ((x & sign) != 0) != back;
        x ^= is_float ? (is_negative ? all : sign) : is_signed ? sign : 0;
        x = back ? x : (x - moved_nans) & all;
        x ^= descending && !back ? all : 0;
        memcpy(data + i * size, &x, size);
    }
}

const char *clprim__reference_sort_mistake(clprim_type type, size_t size, bool is_custom, clprim_nan_order nan_order,
                                           const void *data, const void *values, size_t value_size, size_t count)
{
    if (!clprim__is_key_type(type))
        return "unknown type";
    if (!is_custom && size != clprim_type_size(type))
        return "size differs from that of the type, but before is NULL";
    if (clprim__nan_order_check(nan_order, is_custom) != CLPRIM_SUCCESS)
        return "nan_order is unknown, or given together with `before`";
    if (count > 0 && data == NULL)
        return "data is NULL";
    if (count > 0 && (values != NULL) != (value_size != 0))
        return values == NULL ? "values is NULL" : "values is given, but value_size is 0";
    return NULL;
}

clprim_status clprim_reference_bitonic_sort(void *data, void *values, const clprim_reference_bitonic_how *wanted,
                                            size_t count)
{
    clprim_reference_bitonic_how how = {.size = 0};
    if (wanted != NULL)
        how = *wanted;
    how.type = how.type != CLPRIM_TYPE_DEFAULT ? how.type : CLPRIM_U32;
    how.size = how.size != 0 ? how.size : clprim_type_size(how.type);
    const char *wrong = clprim__reference_sort_mistake(how.type, how.size, how.before != NULL, how.nan_order, data,
                                                       values, how.value_size, count);
    if (wrong == NULL && ((int)how.step < 0 || (int)how.step >= CLPRIM_REFERENCE_BITONIC_STEP_END))
        wrong = "unknown step";
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_bitonic_sort: %s", wrong);
    if (count < 2)
        return CLPRIM_SUCCESS;
    const elements any = {data, values, how.size, how.value_size, how.before, how.descending};
    if (how.before != NULL) {
        by_step_any(how.step, &any, count);
        return CLPRIM_SUCCESS;
    }
    turn(data, &how, count, false);
    if (how.value_size != 0)
        by_step_any(how.step, &any, count);
    else
        switch (how.size) {
        case 1: by_step_8(how.step, data, count); break;
        case 2: by_step_16(how.step, data, count); break;
        case 4: by_step_32(how.step, data, count); break;
        default: by_step_64(how.step, data, count); break;
        }
    turn(data, &how, count, true);
    return CLPRIM_SUCCESS;
}
