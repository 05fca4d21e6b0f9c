// SPDX-License-Identifier: MIT
/* radix_sort_reference.c: sorting on the host, by one byte of the keys after the other, from the lowest to the
 * highest. */
#include <clprim/reference.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "key_image.h"

/* A key's image, and the key's original place. */
typedef struct item {
    uint64_t image;
    uint64_t from;
} item;

/* Sort by the 8 bits from `shift` on. Stable. */
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

/* copy: room for a copy of the data. */
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
    if (how->argsort ? v != 4 && v != 8 : v != 0 && v != 1 && v != 2 && v != 4 && v != 8 && v != 16)
        return "value_size must be 0, 1, 2, 4, 8 or 16, or with argsort 4 or 8";
    if (how->argsort && v == 4 && count > 0 && count - 1 > UINT32_MAX)
        return "a value_size of 4 cannot hold the indices of so many elements";
    return NULL;
}

/* Stably sort by 64 bits of each key, from the key's byte `at` on, as far as `image` uses them. Both arrays are used;
 * the result is in the first one. */
static void sort_by_image(item **order, item **other, const clprim__key_image *image, const void *keys, size_t key_size,
                          size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (*order)[i].image = clprim__image(image, (const char *)keys + (*order)[i].from * key_size + at);
    for (unsigned shift = 0; shift < image->num_bits; shift += 8) {
        item *sorted = *other;
        sort_by_byte(sorted, *order, count, shift);
        *other = *order;
        *order = sorted;
    }
}

/* The order of word number `word` of a key with two words, or of the key. */
static clprim_key_order order_of(const clprim_reference_sort_how *how, unsigned word)
{
    const unsigned first = 64 * word;
    clprim_key_order order = {.key_type = how->key_type,
                              .descending = how->descending,
                              .nan_order = how->nan_order,
                              .bit_range = how->bit_range,
                              .begin_bit = how->begin_bit,
                              .end_bit = how->end_bit};
    if (how->key_type != CLPRIM_U128 || !how->bit_range || how->begin_bit > how->end_bit)
        return order;
    order.begin_bit = how->begin_bit > first ? how->begin_bit - first : 0;
    order.end_bit = how->end_bit > first ? how->end_bit - first : 0;
    return order;
}

/* Fill in the defaults of a zeroed description. */
static clprim_reference_sort_how resolved(const clprim_reference_sort_how *how)
{
    clprim_reference_sort_how result = *how;
    result.key_type = how->key_type != CLPRIM_TYPE_DEFAULT ? how->key_type : CLPRIM_U32;
    result.value_size = how->argsort && how->value_size == 0 ? 4 : how->value_size;
    return result;
}

clprim_status clprim_reference_sort(void *keys, void *values, const clprim_reference_sort_how *wanted, size_t count)
{
    static const clprim_reference_sort_how zeroed = {0};
    const clprim_reference_sort_how how = resolved(wanted != NULL ? wanted : &zeroed);
    const bool is_wide = how.key_type == CLPRIM_U128;
    const size_t size = clprim_type_size(how.key_type);
    clprim__key_image images[2];
    for (unsigned word = 0; word < 2; word++) {
        clprim_key_order one = order_of(&how, word);
        one.key_type = is_wide ? CLPRIM_U64 : how.key_type;
        const clprim_status status = clprim__key_image_of(&images[word], &one);
        if (status != CLPRIM_SUCCESS)
            return status;
    }
    const char *wrong = mistake_in(&how, count);
    if (wrong == NULL && count > 0 && (keys == NULL || (values != NULL) != (how.value_size != 0)))
        wrong = keys == NULL     ? "keys is NULL"
                : values == NULL ? "values is NULL"
                                 : "values is given, but value_size is 0";
    if (wrong != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_sort: %s", wrong);
    if (count == 0)
        return CLPRIM_SUCCESS;
    item *order = calloc(count, sizeof *order);
    item *other = calloc(count, sizeof *other); /* also for a copy of keys or values, which are no larger */
    if (order == NULL || other == NULL) {
        free(order);
        free(other);
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort");
    }
    for (size_t i = 0; i < count; i++)
        order[i] = (item){0, i};
    for (unsigned word = 0; word < (is_wide ? 2 : 1); word++)
        sort_by_image(&order, &other, &images[word], keys, size, word * sizeof(uint64_t), count);
    rearrange(keys, size, order, count, other);
    if (values != NULL && how.argsort)
        write_indices(values, how.value_size, order, count);
    else if (values != NULL)
        rearrange(values, how.value_size, order, count, other);
    free(order);
    free(other);
    return CLPRIM_SUCCESS;
}
