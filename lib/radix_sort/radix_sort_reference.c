/* radix_sort_reference.c: sorting on the host, one byte of the keys after the other, from the lowest to the highest. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "order.h"

/* A key's place in the order, and where it came from. */
typedef struct item {
    uint64_t image;
    uint64_t from;
} item;

/* An unsigned number that orders keys: those without a sign by themselves, signed integers and floats with the sign
 * flipped, and of floats with the sign set all other bits too. Inverted for descending order, in which what is equal
 * then still keeps its order. Of this the bits that count. With CLPRIM_NAN_LAST numbers are counted from -inf on. */
static uint64_t image_of(const clprim_reference_sort_how *how, const void *key)
{
    const unsigned bits = 8 * (unsigned)clprim_type_size(how->key_type);
    const uint64_t all = UINT64_MAX >> (64 - bits);
    const uint64_t sign = all ^ (all >> 1);
    uint64_t image = 0; /* little-endian, as all the devices there are */
    memcpy(&image, key, bits / 8);
    switch (how->key_type) {
    case CLPRIM_I8:
    case CLPRIM_I16:
    case CLPRIM_I32:
    case CLPRIM_I64: image ^= sign; break;
    case CLPRIM_F16:
    case CLPRIM_F32:
    case CLPRIM_F64: image ^= (image & sign) != 0 ? all : sign; break;
    default: break;
    }
    image = (image - clprim__moved_nans(how->key_type, how->nan_order)) & all;
    image = how->descending ? image ^ all : image;
    return how->end_bit == 0 ? 0 : (image & (UINT64_MAX >> (64 - how->end_bit))) >> how->begin_bit;
}

/* By the 8 bits from `shift` on: each item goes behind all those of lesser bytes, and those of its own before it. */
static void sort_by_byte(item *out, const item *in, size_t count, unsigned shift)
{
    size_t places[256 + 1] = {0};
    for (size_t i = 0; i < count; i++)
        places[(in[i].image >> shift & 255) + 1]++;
    for (size_t byte = 0; byte < 256; byte++)
        places[byte + 1] += places[byte];
    for (size_t i = 0; i < count; i++)
        out[places[in[i].image >> shift & 255]++] = in[i];
}

/* copy: room for all the data once more. */
static void rearrange(void *data, size_t size, const item *order, size_t count, void *copy)
{
    memcpy(copy, data, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)data + i * size, (const char *)copy + order[i].from * size, size);
}

static void write_indices(void *out, size_t size, const item *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)out + i * size, &order[i].from, size);
}

static const char *mistake_in(const clprim_reference_sort_how *how, size_t count)
{
    const size_t v = how->value_size;
    if (clprim_type_size(how->key_type) == 0)
        return "unknown key_type";
    if (how->argsort ? v != 4 && v != 8 : v != 0 && v != 1 && v != 2 && v != 4 && v != 8 && v != 16)
        return "value_size is 0, 1, 2, 4, 8 or 16, and with argsort 4 or 8";
    if (!how->bit_range && (how->begin_bit != 0 || how->end_bit != 0))
        return "begin_bit and end_bit are given without bit_range";
    if (how->begin_bit > how->end_bit)
        return "begin_bit is greater than end_bit";
    if (how->argsort && v == 4 && count > 0 && count - 1 > UINT32_MAX)
        return "with so many elements a value_size of 4 does not hold every index";
    if (clprim__nan_order_check(how->nan_order, false) != CLPRIM_SUCCESS)
        return "unknown nan_order";
    return NULL;
}

/* What a zeroed description means. */
static clprim_reference_sort_how resolved(const clprim_reference_sort_how *how)
{
    clprim_reference_sort_how result = *how;
    result.key_type = how->key_type != CLPRIM_TYPE_DEFAULT ? how->key_type : CLPRIM_U32;
    result.value_size = how->argsort && how->value_size == 0 ? 4 : how->value_size;
    if (!how->bit_range && how->begin_bit == 0 && how->end_bit == 0) {
        result.bit_range = true;
        result.end_bit = 8 * (unsigned)clprim_type_size(result.key_type);
    }
    return result;
}

/* The same bits without those that a key does not have; both ends are 0 where no bit is left. */
static void clamp_bits(clprim_reference_sort_how *how)
{
    const unsigned bits = 8 * (unsigned)clprim_type_size(how->key_type);
    how->end_bit = how->end_bit < bits ? how->end_bit : bits;
    if (how->begin_bit >= how->end_bit)
        how->begin_bit = how->end_bit = 0;
}

clprim_status clprim_reference_sort(void *keys, void *values, const clprim_reference_sort_how *wanted, size_t count)
{
    static const clprim_reference_sort_how zeroed = {0};
    clprim_reference_sort_how how = resolved(wanted != NULL ? wanted : &zeroed);
    const size_t size = clprim_type_size(how.key_type);
    const char *wrong = mistake_in(&how, count);
    if (wrong == NULL && count > 0 && (keys == NULL || (values != NULL) != (how.value_size != 0)))
        wrong = keys == NULL ? "keys is NULL" : values == NULL ? "values is NULL" : "values, but a value_size of 0";
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_sort: %s", wrong);
    if (count == 0)
        return CLPRIM_SUCCESS;
    clamp_bits(&how);
    item *order = calloc(count, sizeof *order);
    item *other = calloc(count, sizeof *other); /* also for a copy of keys or values, of which none are larger */
    if (order == NULL || other == NULL) {
        free(order);
        free(other);
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort");
    }
    for (size_t i = 0; i < count; i++)
        order[i] = (item){image_of(&how, (const char *)keys + i * size), i};
    for (unsigned shift = 0; shift < how.end_bit - how.begin_bit; shift += 8) {
        item *sorted = other;
        sort_by_byte(sorted, order, count, shift);
        other = order;
        order = sorted;
    }
    rearrange(keys, size, order, count, other);
    if (values != NULL && how.argsort)
        write_indices(values, how.value_size, order, count);
    else if (values != NULL)
        rearrange(values, how.value_size, order, count, other);
    free(order);
    free(other);
    return CLPRIM_SUCCESS;
}
