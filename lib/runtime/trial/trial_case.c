// SPDX-License-Identifier: MIT
/* trial_case.c: the arrays of a trial, their contents, and the comparison of results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "kinds.h"
#include "order.h"
#include "runtime_internal.h"
#include "sizes.h"
#include "trial.h"

enum { PATTERN_RANDOM = 0, PATTERN_FEW, PATTERN_EQUAL, PATTERN_DESCENDING, NUM_PATTERNS, POISON = 0xa5 };

static bool fail(clprim__trial *trial, clprim_status status)
{
    trial->status = status;
    trial->is_over = true;
    return false;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(clprim__trial *trial)
{
    uint64_t z = trial->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t clprim__trial_count(size_t count, size_t max_count)
{
    return max_count != 0 && count > max_count ? max_count : count;
}

void *clprim__trial_memory(clprim__trial *trial, size_t bytes)
{
    if (trial->is_over)
        return NULL;
    const bool is_had = trial->num_memory < CLPRIM__TRIAL_MAX_ARRAYS && bytes < SIZE_MAX / 2;
    void *block = is_had ? calloc(1, bytes + 1) : NULL;
    if (block == NULL)
        (void)fail(trial, clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a trial"));
    else
        trial->memory[trial->num_memory++] = block;
    return block;
}

/* Special values of the type: zeros of both signs, least and greatest values, infinities and NaNs. */
static uint64_t hostile_bits(clprim_type type, uint64_t which)
{
    const unsigned bits = (unsigned)clprim_type_size(type) * 8;
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t infinity = type == CLPRIM_F16    ? UINT64_C(0x7c00)
                              : type == CLPRIM_BF16 ? UINT64_C(0x7f80)
                              : type == CLPRIM_F32  ? UINT64_C(0x7f800000)
                                                    : UINT64_C(0x7ff) << 52;
    const uint64_t table[] = {0, sign, 1, sign - 1, ~UINT64_C(0), infinity, infinity | sign, infinity + 1};
    return table[which % (sizeof table / sizeof *table)];
}

static uint64_t any_element(clprim__trial *trial, clprim_type type, size_t i)
{
    const uint64_t random = next_random(trial);
    switch (trial->pattern % NUM_PATTERNS) {
    case PATTERN_RANDOM: return random;
    case PATTERN_FEW: return hostile_bits(type, random >> 32);
    case PATTERN_EQUAL: return 1;
    default: return ~(uint64_t)i;
    }
}

static uint64_t element(clprim__trial *trial, clprim_type type, size_t i)
{
    const uint64_t infinity = 0x7c00;
    const uint64_t bits = any_element(trial, type, i);
    const bool is_beyond_numbers = type == CLPRIM_F16 && (bits & infinity) == infinity;
    return trial->without_half_nans && is_beyond_numbers ? bits & 0xfc00 : bits;
}

static void store(void *out, size_t size, size_t i, uint64_t bits)
{
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    const void *from = size == 1   ? (const void *)&u8
                       : size == 2 ? (const void *)&u16
                       : size == 4 ? (const void *)&u32
                                   : &bits;
    memcpy((char *)out + i * size, from, size);
}

void *clprim__trial_elements(clprim__trial *trial, clprim_type type, size_t count)
{
    const size_t size = clprim_type_size(type);
    void *out = clprim__trial_memory(trial, count * size);
    for (size_t i = 0; out != NULL && i < count; i++)
        store(out, size, i, element(trial, type, i));
    return out;
}

static int compare_images(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Convert an element to its image in the total order, an integer with the same order, or back. */
static uint64_t turned(uint64_t bits, clprim_type type, bool back)
{
    const unsigned unused = 64 - (unsigned)clprim_type_size(type) * 8;
    const uint64_t sign = (UINT64_C(1) << 63) >> unused;
    if (clprim__is_float(type) && ((bits & sign) != 0) != back)
        return ~bits & (UINT64_MAX >> unused);
    return clprim__is_float(type) || clprim__is_signed(type) ? bits ^ sign : bits;
}

void clprim__trial_sort(clprim__trial *trial, void *elements, const clprim_reference_order *by, size_t count)
{
    const size_t size = clprim_type_size(by->type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * size);
    const uint64_t moved = clprim__moved_nans(by->type, by->nan_order);
    uint64_t *images = clprim__trial_memory(trial, count * sizeof *images);
    for (size_t i = 0; images != NULL && i < count; i++) {
        uint64_t bits = 0; /* little-endian, like all supported devices */
        memcpy(&bits, (const char *)elements + i * size, size);
        images[i] = (turned(bits, by->type, false) - moved) & all;
    }
    if (images == NULL)
        return;
    qsort(images, count, sizeof *images, compare_images);
    for (size_t i = 0; i < count; i++)
        store(elements, size, i, turned((images[by->descending ? count - 1 - i : i] + moved) & all, by->type, true));
}

/* Small integers for sums; for products, powers of two whose product stays one. */
static uint64_t small_number(clprim__trial *trial, clprim_type type, clprim_op op)
{
    const int64_t random = (int64_t)(next_random(trial) >> 62);
    const int64_t number = op == CLPRIM_PROD ? (random % 2 == 0 ? 1 : -1) : (random == 3 ? -3 : random);
    const double value = (double)number;
    const float f32 = (float)number;
    uint64_t bits = clprim_half_from_float(f32);
    uint32_t low = 0;
    memcpy(&low, &f32, sizeof low);
    if (!clprim__is_float(type))
        bits = (uint64_t)(clprim__is_signed(type) || number >= 0 ? number : -number);
    else if (type == CLPRIM_F32)
        bits = low;
    else if (type == CLPRIM_F64)
        memcpy(&bits, &value, sizeof bits);
    return bits;
}

void *clprim__trial_numbers(clprim__trial *trial, clprim_type type, clprim_op op, clprim_type accumulator_type,
                            size_t count)
{
    const size_t size = clprim_type_size(type);
    const bool is_arithmetic = op == CLPRIM_SUM || op == CLPRIM_PROD;
    if (!is_arithmetic || !(clprim__is_float(type) || clprim__is_float(accumulator_type)))
        return clprim__trial_elements(trial, type, count);
    void *out = clprim__trial_memory(trial, count * size);
    for (size_t i = 0; out != NULL && i < count; i++)
        store(out, size, i, small_number(trial, type, op));
    return out;
}

void *clprim__trial_runs(clprim__trial *trial, size_t size, size_t count)
{
    unsigned char *out = clprim__trial_memory(trial, count * size);
    unsigned char value = 0;
    for (size_t i = 0; out != NULL && i < count; i++) {
        const uint64_t random = next_random(trial);
        if (trial->pattern % NUM_PATTERNS != PATTERN_EQUAL && random % 8 == 0)
            value = (unsigned char)(random >> 62);
        out[i * size] = value;
    }
    return out;
}

void *clprim__trial_values(clprim__trial *trial, const void *keys, size_t key_size, size_t value_size, size_t count,
                           bool by_key)
{
    unsigned char *out = clprim__trial_memory(trial, count * value_size);
    for (size_t i = 0; out != NULL && i < count; i++) {
        uint64_t bits = i;
        if (by_key) {
            bits = 0;
            memcpy(&bits, (const char *)keys + i * key_size, key_size < sizeof bits ? key_size : sizeof bits);
            bits = (bits ^ (bits >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
        }
        for (size_t b = 0; b < value_size; b++)
            out[i * value_size + b] = (unsigned char)((bits >> (b % sizeof bits * 8)) + b / sizeof bits);
    }
    return out;
}

void *clprim__trial_offsets(clprim__trial *trial, size_t *num_segments, size_t offset_size, size_t count, size_t most,
                            size_t limit)
{
    static const size_t sizes[] = {3, 0, 40, 1, 700, 2, 0, 9000, 17, 100};
    enum { NUM_SIZES = sizeof sizes / sizeof *sizes, NUM_EMPTY = 2 };
    /* The largest number of segments: if each nonempty segment has one element, and the empty ones are added to
     * that. */
    const size_t rounds = count / (NUM_SIZES - NUM_EMPTY) + 1;
    const size_t segments = clprim__times(rounds, NUM_SIZES);
    unsigned char *out =
        clprim__trial_memory(trial, clprim__times(clprim__plus(segments < limit ? segments : limit, 1), offset_size));
    size_t at = 0;
    *num_segments = 0;
    for (size_t i = 0; out != NULL && at < count && i < limit; i++) {
        const size_t size = sizes[i % NUM_SIZES] < most ? sizes[i % NUM_SIZES] : most;
        at = size < count - at ? at + size : count;
        store(out, offset_size, ++*num_segments, at);
    }
    return out;
}

cl_mem clprim__trial_buffer(clprim__trial *trial, const void *data, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    unsigned char *copy = clprim__trial_memory(trial, bytes); /* OpenCL takes a pointer to non-const */
    if (copy == NULL)
        return NULL;
    if (data != NULL)
        memcpy(copy, data, bytes);
    else
        memset(copy, POISON, bytes);
    cl_mem buffer = clCreateBuffer(trial->runtime->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes + 1, copy,
                                   &code); /* OpenCL has no empty buffers */
    if (code != CL_SUCCESS) {
        (void)fail(trial, clprim__cl(code, "clCreateBuffer for a trial"));
        return NULL;
    }
    trial->buffers[trial->num_buffers++] = buffer; /* at most as many as blocks of memory */
    return buffer;
}

bool clprim__trial_goes_on(clprim__trial *trial, clprim_status status)
{
    if (trial->is_over)
        return false;
    if (status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_INVALID_RANGE)
        trial->is_over = true; /* there are more elements than the plan accepts */
    else if (status != CLPRIM_SUCCESS)
        (void)fail(trial, status);
    return !trial->is_over;
}

void clprim__trial_expect(clprim__trial *trial, const char *what, cl_mem buffer, const void *expected, size_t size,
                          size_t count)
{
    unsigned char *got = clprim__trial_memory(trial, size * count);
    if (got == NULL || size * count == 0)
        return;
    const cl_int code = clEnqueueReadBuffer(trial->queue, buffer, CL_TRUE, 0, size * count, got, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        (void)fail(trial, clprim__cl(code, "clEnqueueReadBuffer of a trial"));
        return;
    }
    for (size_t i = 0; i < count && !trial->is_over; i++) {
        if (memcmp((const char *)expected + i * size, got + i * size, size) == 0)
            continue;
        trial->is_over = true;
        (void)snprintf(trial->why, sizeof trial->why, "%s is wrong from element %zu of %zu on", what, i, count);
    }
}
