// SPDX-License-Identifier: MIT
/* key_image.h: map keys to unsigned integers with the same order (their images). */
#ifndef CLPRIM_LIB_KEY_IMAGE_H
#define CLPRIM_LIB_KEY_IMAGE_H

#include <clprim/pieces.h>
#include <string.h>

/* How a key's bits become its image, for an order that has been checked: flip the sign bit, or all bits for negative
 * floats; subtract the number of NaNs that CLPRIM_NAN_LAST moves to the end; flip all bits for descending order; keep
 * only the bits that are compared. */
typedef struct clprim__key_image {
    size_t key_size;
    uint64_t sign; /* 0 for unsigned integers */
    uint64_t all;
    uint64_t moved;
    uint64_t flipped;
    uint64_t kept;
    unsigned begin_bit;
    unsigned num_bits; /* size of an image in bits */
    bool is_float;
} clprim__key_image;

/* If order is NULL, *out is zeroed. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__key_image_of(clprim__key_image *out, const clprim_key_order *order);

static inline uint64_t clprim__image(const clprim__key_image *how, const void *key)
{
    uint64_t bits = 0; /* little-endian, like all supported devices */
    switch (how->key_size) {
    case 1: memcpy(&bits, key, 1); break;
    case 2: memcpy(&bits, key, 2); break;
    case 4: memcpy(&bits, key, 4); break;
    default: memcpy(&bits, key, 8); break;
    }
    bits ^= how->is_float && (bits & how->sign) != 0 ? how->all : how->sign;
    bits = ((bits - how->moved) & how->all) ^ how->flipped;
    return (bits & how->kept) >> how->begin_bit;
}

/* The bits of the key that has this image, if images keep all bits of a key. */
static inline uint64_t clprim__key_of_image(const clprim__key_image *how, uint64_t image)
{
    const uint64_t bits = ((image ^ how->flipped) + how->moved) & how->all;
    return bits ^ (how->is_float && (bits & how->sign) == 0 ? how->all : how->sign);
}

/* The image of keys[place]. */
static inline uint64_t clprim__image_at(const clprim__key_image *how, const void *keys, size_t place)
{
    return clprim__image(how, (const char *)keys + place * how->key_size);
}

/* Returns begin plus the number of keys in keys[begin .. end), which are sorted, whose image is less than `bound`. */
size_t clprim__images_below(const clprim__key_image *how, const void *keys, size_t begin, size_t end, uint64_t bound);

#endif
