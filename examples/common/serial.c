// SPDX-License-Identifier: MIT
/* serial.c: plain loops. */
#include "serial.h"

#include <stdint.h>
#include <string.h>

/* RESULT a = first; for every element b: a = next. */
#define DEFINE_LOOP(name, T, RESULT, first, next)                                                                      \
    void name(void *out, const void *in, size_t n)                                                                     \
    {                                                                                                                  \
        const T *x = in;                                                                                               \
        RESULT a = first;                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const T b = x[i];                                                                                          \
            a = next;                                                                                                  \
        }                                                                                                              \
        *(RESULT *)out = a;                                                                                            \
    }

DEFINE_LOOP(serial_sum_u8, uint8_t, uint64_t, 0, a + b)
DEFINE_LOOP(serial_min_u8, uint8_t, uint8_t, x[0], b < a ? b : a)
DEFINE_LOOP(serial_max_u8, uint8_t, uint8_t, x[0], b > a ? b : a)
DEFINE_LOOP(serial_argmax_u8, uint8_t, size_t, 0, b > x[a] ? i : a)
DEFINE_LOOP(serial_sum_f32, float, float, 0, a + b)
DEFINE_LOOP(serial_max_f32, float, float, x[0], b > a ? b : a)

void serial_sum_i32(void *out, const void *in, size_t n)
{
    const int32_t *x = in;
    uint32_t a = 0; /* wraps around, as on the device */
    for (size_t i = 0; i < n; i++)
        a += (uint32_t)x[i];
    *(int32_t *)out = (int32_t)a;
}

/* out[i] = the sum of what comes before in[i]. */
#define DEFINE_SCAN(name, T, RESULT, SUM)                                                                              \
    void name(void *out, const void *in, size_t n)                                                                     \
    {                                                                                                                  \
        const T *x = in;                                                                                               \
        RESULT *y = out;                                                                                               \
        SUM a = 0;                                                                                                     \
        for (size_t i = 0; i < n; i++) {                                                                               \
            y[i] = (RESULT)a;                                                                                          \
            a += (SUM)x[i];                                                                                            \
        }                                                                                                              \
    }

DEFINE_SCAN(serial_scan_u8, uint8_t, uint32_t, uint32_t)
DEFINE_SCAN(serial_scan_i32, int32_t, int32_t, uint32_t) /* wraps around, as on the device */
DEFINE_SCAN(serial_scan_f32, float, float, float)

/* Count each x by its bin. */
#define DEFINE_HISTOGRAM(name, bins, bin)                                                                              \
    void name(void *out, const void *in, size_t n)                                                                     \
    {                                                                                                                  \
        const uint8_t *values = in;                                                                                    \
        uint32_t *counts = out;                                                                                        \
        for (size_t i = 0; i < (bins); i++)                                                                            \
            counts[i] = 0;                                                                                             \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const uint8_t x = values[i];                                                                               \
            counts[bin]++;                                                                                             \
        }                                                                                                              \
    }

DEFINE_HISTOGRAM(serial_histogram_u8, 256, x)
DEFINE_HISTOGRAM(serial_histogram64_u8, 64, x / 4)

size_t serial_select_u8(uint8_t *out, const uint8_t *in, size_t n, uint8_t level)
{
    size_t selected = 0;
    for (size_t i = 0; i < n; i++)
        if (in[i] > level)
            out[selected++] = in[i];
    return selected;
}

void serial_sort_u8(void *out, const void *in, size_t n)
{
    const uint8_t *x = in;
    uint8_t *y = out;
    size_t counts[256] = {0};
    for (size_t i = 0; i < n; i++)
        counts[x[i]]++;
    for (int value = 0; value < 256; value++) {
        memset(y, value, counts[value]);
        y += counts[value];
    }
}

/* How many there are -> where the first of each value goes. */
static void add_up(size_t *places)
{
    size_t before = 0;
    for (size_t value = 0; value < 256; value++) {
        const size_t count = places[value];
        places[value] = before;
        before += count;
    }
}

void serial_sort_pairs_u8(uint8_t *out, uint32_t *values_out, const uint8_t *in, const uint32_t *values, size_t n)
{
    size_t places[256] = {0};
    for (size_t i = 0; i < n; i++)
        places[in[i]]++;
    add_up(places);
    for (size_t i = 0; i < n; i++) {
        const size_t to = places[in[i]]++;
        out[to] = in[i];
        values_out[to] = values[i];
    }
}

/* other: room for as many. The number of passes is even, so that they end where they begin. */
static void sort_words(uint32_t *x, uint32_t *other, size_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t places[256] = {0};
        uint32_t *const sorted = other;
        for (size_t i = 0; i < n; i++)
            places[x[i] >> shift & 255]++;
        add_up(places);
        for (size_t i = 0; i < n; i++)
            sorted[places[x[i] >> shift & 255]++] = x[i];
        other = x;
        x = sorted;
    }
}

void serial_sort_u32(void *out, const void *in, size_t n)
{
    uint32_t *y = out;
    memcpy(y, in, n * sizeof *y);
    sort_words(y, y + n, n);
}

/* By integers in the order of floats: all bits of a negative one are flipped, of any other its sign. */
void serial_sort_f32(void *out, const void *in, size_t n)
{
    const uint32_t sign = UINT32_C(1) << 31;
    uint32_t *y = out;
    memcpy(y, in, n * sizeof *y);
    for (size_t i = 0; i < n; i++)
        y[i] = (y[i] & sign) != 0 ? ~y[i] : y[i] ^ sign;
    sort_words(y, y + n, n);
    for (size_t i = 0; i < n; i++)
        y[i] = (y[i] & sign) != 0 ? y[i] ^ sign : ~y[i];
}
