// SPDX-License-Identifier: MIT
/* key_image.c: map keys to unsigned integers with the same order. */
#include "key_image.h"

#include "error.h"
#include "kinds.h"
#include "nan_order.h"

static uint64_t low_bits(unsigned count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

clprim_status clprim__key_image_of(clprim__key_image *out, const clprim_key_order *order)
{
    static const clprim_key_order zeroed = {0};
    const clprim_key_order *given = order != NULL ? order : &zeroed;
    const clprim_type type = given->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : given->key_type;
    const size_t size = clprim_type_size(type);
    const unsigned bits = 8 * (unsigned)size;
    if (!clprim__is_key_type(type))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown key_type %d", (int)type);
    if (!given->bit_range && (given->begin_bit != 0 || given->end_bit != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "begin_bit %u and end_bit %u are given without bit_range",
                            given->begin_bit, given->end_bit);
    if (given->begin_bit > given->end_bit)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "begin_bit %u is greater than end_bit %u", given->begin_bit,
                            given->end_bit);
    const clprim_status status = clprim__nan_order_check(given->nan_order, false);
    if (status != CLPRIM_SUCCESS)
        return status;
    const unsigned most = given->bit_range && given->end_bit < bits ? given->end_bit : bits;
    const unsigned begin = given->begin_bit < most ? given->begin_bit : 0;
    const unsigned end = given->begin_bit < most ? most : 0; /* if no bits are compared, both are 0 */
    const uint64_t all = low_bits(bits);
    *out = (clprim__key_image){.key_size = size,
                               .sign = clprim__is_signed(type) || clprim__is_float(type) ? all ^ (all >> 1) : 0,
                               .all = all,
                               .moved = clprim__moved_nans(type, given->nan_order),
                               .flipped = given->descending ? all : 0,
                               .kept = low_bits(end),
                               .begin_bit = begin,
                               .num_bits = end - begin,
                               .is_float = clprim__is_float(type)};
    return CLPRIM_SUCCESS;
}

size_t clprim__images_below(const clprim__key_image *how, const void *keys, size_t begin, size_t end, uint64_t bound)
{
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (clprim__image_at(how, keys, middle) < bound)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}
