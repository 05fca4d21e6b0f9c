// SPDX-License-Identifier: MIT
/* test_device.images.c: radix_image.h. For numbers of each type in ascending order, images increase, and are converted
 * back to the same bits. */
#include "test_device.h"

#include "call.h"

#define SIGN64 UINT64_C(0x8000000000000000)

/* Bits, in the total order of floats: NaNs with and without a sign, infinities, the largest and smallest numbers,
 * zeros. */
static const uint64_t halves[] = {0xffff, 0xfe00, 0xfc01, 0xfc00, 0xfbff, 0xbc00, 0x8400, 0x83ff, 0x8001, 0x8000,
                                  0x0000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff};
static const uint64_t floats[] = {0xffffffff, 0xffc00000, 0xff800001, 0xff800000, 0xff7fffff, 0xbf800000, 0x80800000,
                                  0x807fffff, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x007fffff, 0x00800000,
                                  0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
static const uint64_t doubles[] = {UINT64_MAX,
                                   UINT64_C(0xfff8000000000000),
                                   UINT64_C(0xfff0000000000001),
                                   UINT64_C(0xfff0000000000000),
                                   UINT64_C(0xffefffffffffffff),
                                   UINT64_C(0xbff0000000000000),
                                   SIGN64 + 1,
                                   SIGN64,
                                   0,
                                   1,
                                   UINT64_C(0x3ff0000000000000),
                                   UINT64_C(0x7fefffffffffffff),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0x7ff0000000000001),
                                   UINT64_C(0x7ff8000000000000),
                                   UINT64_MAX / 2};
static const uint64_t chars[] = {0x80, 0x81, 0xff, 0x00, 0x01, 0x7f};
static const uint64_t shorts[] = {0x8000, 0x8001, 0xffff, 0x0000, 0x0001, 0x7fff};
static const uint64_t ints[] = {0x80000000, 0x80000001, 0xffffffff, 0x00000000, 0x00000001, 0x7fffffff};
static const uint64_t longs[] = {SIGN64, SIGN64 + 1, UINT64_MAX, 0, 1, UINT64_MAX / 2};

/* For floats, the number of NaNs with a sign. If all NaNs are last, these follow those without a sign. */
static const struct image_case {
    const char *kernel;
    size_t size;
    const uint64_t *numbers;
    size_t count, nans;
} image_cases[] = {
    {"chars", 1, chars, sizeof chars / 8, 0},       {"shorts", 2, shorts, sizeof shorts / 8, 0},
    {"ints", 4, ints, sizeof ints / 8, 0},          {"longs", 8, longs, sizeof longs / 8, 0},
    {"halves", 2, halves, sizeof halves / 8, 3},    {"floats", 4, floats, sizeof floats / 8, 3},
    {"doubles", 8, doubles, sizeof doubles / 8, 3},
};
enum { ROOM = 32 };

/* Images, and numbers from images; for floats also both with all NaNs last. ROOM of each. */
static const char IMAGES[] =
    "#define IMAGES(KERNEL, NAME, TYPE, IMAGE)\\\n"
    "__kernel void KERNEL(const __global TYPE *in, __global IMAGE *out)\\\n"
    "{\\\n"
    "    const uint i = get_local_id(0);\\\n"
    "    out[i] = clprim_##NAME##_to_image(in[i]);\\\n"
    "    ((__global TYPE *)out)[32 + i] = clprim_image_to_##NAME(clprim_##NAME##_to_image(in[i]));\\\n"
    "    NANS_LAST(NAME, TYPE)\\\n"
    "}\n"
    "#define NANS_LAST(NAME, TYPE)\n"
    "IMAGES(chars, char, char, uchar)\n"
    "IMAGES(shorts, short, short, ushort)\n"
    "IMAGES(ints, int, int, uint)\n"
    "IMAGES(longs, long, long, ulong)\n"
    "#undef NANS_LAST\n"
    "#define NANS_LAST(NAME, TYPE)\\\n"
    "    out[64 + i] = clprim_##NAME##_to_image_nan_last(in[i]);\\\n"
    "    ((__global TYPE *)out)[96 + i] = "
    "clprim_image_to_##NAME##_nan_last(clprim_##NAME##_to_image_nan_last(in[i]));\n"
    "IMAGES(halves, half, ushort, ushort)\n"
    "IMAGES(floats, float, float, uint)\n"
    "#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)\n"
    "IMAGES(doubles, double, double, ulong)\n"
    "#endif\n";

static uint64_t number_at(const unsigned char *data, size_t i, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, data + i * size, size);
    return number;
}

static void check_images(const struct image_case *self, const unsigned char *got, size_t nans)
{
    for (size_t i = 0; i < self->count; i++) {
        cr_assert_eq(number_at(got, ROOM + i, self->size), self->numbers[i], "%s: number %zu comes back", self->kernel,
                     i);
        const size_t at = (i + nans) % self->count; /* beginning with the first number after them */
        if (i > 0)
            cr_assert_gt(number_at(got, at, self->size),
                         number_at(got, (at + self->count - 1) % self->count, self->size),
                         "%s: the image of number %zu is larger than that of the one before it", self->kernel, at);
    }
}

Test(device, images)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_program program = device_build(runtime, BY_TEXT, "", IMAGES);
    cl_mem input = test_buffer(runtime, (size_t)ROOM * 8);
    cl_mem output = test_buffer(runtime, (size_t)ROOM * 8 * 4);
    for (size_t c = 0; c < sizeof image_cases / sizeof *image_cases; c++) {
        const struct image_case *self = &image_cases[c];
        unsigned char in[ROOM * 8] = {0};
        unsigned char got[ROOM * 8 * 4];
        if (self->numbers == doubles && !clprim_runtime_info(runtime)->has_fp64)
            continue;
        for (size_t i = 0; i < self->count; i++)
            memcpy(in + i * self->size, &self->numbers[i], self->size);
        test_write(runtime, input, in, sizeof in);
        device_run(runtime, program, self->kernel, input, output, NULL, self->count);
        test_read(runtime, got, output, sizeof got);
        check_images(self, got, 0);
        if (self->nans > 0)
            check_images(self, got + ROOM * 2 * self->size, self->nans);
    }
    ASSERT_CL(clReleaseMemObject(input));
    ASSERT_CL(clReleaseMemObject(output));
    ASSERT_CL(clReleaseProgram(program));
    clprim_runtime_destroy(runtime);
}
