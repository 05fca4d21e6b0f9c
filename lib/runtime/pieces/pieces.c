// SPDX-License-Identifier: MIT
/* pieces.c: images of keys, samples, and partitions by splitters. */
#include <clprim/pieces.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "key_image.h"

clprim_status clprim_key_images(uint64_t *out, const clprim_key_order *order, const void *keys, size_t count)
{
    clprim__key_image how;
    const clprim_status status = clprim__key_image_of(&how, order);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (count > 0 && (out == NULL || keys == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_key_images: %s is NULL", out == NULL ? "out" : "keys");
    for (size_t i = 0; i < count; i++)
        out[i] = clprim__image_at(&how, keys, i);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_keys_sample(void *out, size_t num_samples, clprim_type key_type, const void *keys, size_t count)
{
    const size_t size = clprim_type_size(key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : key_type);
    if (size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown key_type %d", (int)key_type);
    if (num_samples > 0 && count == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_keys_sample: num_samples is %zu, but count is 0",
                            num_samples);
    if (num_samples > 0 && (out == NULL || keys == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_keys_sample: %s is NULL", out == NULL ? "out" : "keys");
    for (size_t i = 0; i < num_samples; i++) { /* (2 i + 1) / (2 num_samples) of count, without overflow */
        const size_t whole = count / num_samples;
        const size_t rest = count % num_samples;
        const size_t place = i * whole + whole / 2 + (size_t)((double)rest * (double)i / (double)num_samples);
        memcpy((char *)out + i * size, (const char *)keys + place * size, size);
    }
    return CLPRIM_SUCCESS;
}

/* The input of a partition. */
typedef struct partition {
    clprim__key_image how;
    const void *splitters;
    size_t num_splitters;
} partition;

static clprim_status begin(partition *out, const clprim_key_order *order, const void *keys, size_t count,
                           const void *splitters, size_t num_splitters)
{
    const clprim_status status = clprim__key_image_of(&out->how, order);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (keys == NULL && count > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "keys is NULL");
    if (splitters == NULL && num_splitters > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "splitters is NULL");
    if (num_splitters >= SIZE_MAX / sizeof(size_t))
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu splitters are more than memory can hold", num_splitters);
    for (size_t i = 1; i < num_splitters; i++)
        if (clprim__image_at(&out->how, splitters, i) < clprim__image_at(&out->how, splitters, i - 1))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "splitters[%zu] is before splitters[%zu] in the order", i,
                                i - 1);
    out->splitters = splitters;
    out->num_splitters = num_splitters;
    return CLPRIM_SUCCESS;
}

/* The piece to which a key belongs: the number of splitters that do not come after the key. */
static size_t piece_of(const partition *self, const void *keys, size_t place)
{
    const uint64_t image = clprim__image_at(&self->how, keys, place);
    size_t first = 0;
    for (size_t end = self->num_splitters; first < end;) {
        const size_t middle = first + (end - first) / 2;
        if (clprim__image_at(&self->how, self->splitters, middle) <= image)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void count_pieces(size_t *counts, const partition *self, const void *keys, size_t count)
{
    memset(counts, 0, (self->num_splitters + 1) * sizeof *counts);
    for (size_t i = 0; i < count; i++)
        counts[piece_of(self, keys, i)]++;
}

clprim_status clprim_keys_count(size_t *counts, const clprim_key_order *order, const void *keys, size_t count,
                                const void *splitters, size_t num_splitters)
{
    partition self;
    const clprim_status status = begin(&self, order, keys, count, splitters, num_splitters);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (counts == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_keys_count: counts is NULL");
    count_pieces(counts, &self, keys, count);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_keys_partition(void *keys_out, void *values_out, size_t *counts, const clprim_key_order *order,
                                    const void *keys, const void *values, size_t value_size, size_t count,
                                    const void *splitters, size_t num_splitters)
{
    partition self;
    const clprim_status status = begin(&self, order, keys, count, splitters, num_splitters);
    if (status != CLPRIM_SUCCESS)
        return status;
    const bool has_values = value_size > 0;
    if (count > 0 && (keys_out == NULL || (has_values && (values == NULL || values_out == NULL))))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_keys_partition: %s is NULL",
                            keys_out == NULL ? "keys_out"
                            : values == NULL ? "values"
                                             : "values_out");
    size_t *places = calloc(num_splitters + 1, sizeof *places);
    if (places == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu pieces", num_splitters + 1);
    count_pieces(places, &self, keys, count);
    if (counts != NULL)
        memcpy(counts, places, (num_splitters + 1) * sizeof *counts);
    size_t before = 0;
    for (size_t p = 0; p <= num_splitters; p++) {
        const size_t in_piece = places[p];
        places[p] = before;
        before += in_piece;
    }
    const size_t size = self.how.key_size;
    for (size_t i = 0; i < count; i++) {
        const size_t to = places[piece_of(&self, keys, i)]++;
        memcpy((char *)keys_out + to * size, (const char *)keys + i * size, size);
        if (has_values)
            memcpy((char *)values_out + to * value_size, (const char *)values + i * value_size, value_size);
    }
    free(places);
    return CLPRIM_SUCCESS;
}
