/* serial.c: plain loops. */
#include "serial.h"

#include <stdint.h>

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
