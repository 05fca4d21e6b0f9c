// SPDX-License-Identifier: MIT
/* clprim/device/radix_image.h: unsigned integers that are in the order of signed integers or floats, for radix sorts.
 * OpenCL C 1.2.
 *
 *     image = clprim_TYPE_to_image(x), x = clprim_image_to_TYPE(image)
 *
 * where TYPE and the image's type are char and uchar, short and ushort, int and uint, long and ulong, float and uint,
 * double and ulong (if the device has fp64), half and ushort. A half is given as its bits, as in an array of ushort.
 *
 * Floats are in the total order of clprim's sorts (clprim/types.h):
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * clprim_float_to_image_nan_last, clprim_image_to_float_nan_last, and the same for double and half, put all NaNs last,
 * as NumPy does. Every x comes back from its image with the same bits, NaNs, too. */
#ifndef CLPRIM_DEVICE_RADIX_IMAGE_H
#define CLPRIM_DEVICE_RADIX_IMAGE_H

#include <clprim/device/base.h>

/* The sign flipped. */
#define CLPRIM__DEFINE_INTEGER_IMAGE(TYPE, IMAGE)                                                                      \
    CLPRIM__INLINE IMAGE clprim_##TYPE##_to_image(TYPE x)                                                              \
    {                                                                                                                  \
        return (IMAGE)((IMAGE)x ^ (IMAGE)((IMAGE)1 << (sizeof(IMAGE) * 8 - 1)));                                       \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE clprim_image_to_##TYPE(IMAGE image)                                                            \
    {                                                                                                                  \
        return (TYPE)(image ^ (IMAGE)((IMAGE)1 << (sizeof(IMAGE) * 8 - 1)));                                           \
    }

/* All bits of negative numbers flipped, the sign of others. INFINITY: the bits of +inf. The images of negative NaNs are
 * the smallest ones, so subtracting their number moves them after all others. */
#define CLPRIM__DEFINE_FLOAT_IMAGE(NAME, TYPE, IMAGE, BITS_OF, OF_BITS, INFINITY_BITS)                                 \
    CLPRIM__INLINE IMAGE clprim_##NAME##_to_image(TYPE x)                                                              \
    {                                                                                                                  \
        const IMAGE sign = (IMAGE)((IMAGE)1 << (sizeof(IMAGE) * 8 - 1));                                               \
        const IMAGE bits = BITS_OF(x);                                                                                 \
        return (IMAGE)((bits & sign) != 0 ? ~bits : bits | sign);                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE clprim_image_to_##NAME(IMAGE image)                                                            \
    {                                                                                                                  \
        const IMAGE sign = (IMAGE)((IMAGE)1 << (sizeof(IMAGE) * 8 - 1));                                               \
        return OF_BITS((IMAGE)((image & sign) != 0 ? image ^ sign : ~image));                                          \
    }                                                                                                                  \
    CLPRIM__INLINE IMAGE clprim_##NAME##_to_image_nan_last(TYPE x)                                                     \
    {                                                                                                                  \
        const IMAGE nans = (IMAGE) ~(IMAGE)(INFINITY_BITS) & (IMAGE)((IMAGE) ~(IMAGE)0 >> 1);                          \
        return (IMAGE)(clprim_##NAME##_to_image(x) - nans);                                                            \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE clprim_image_to_##NAME##_nan_last(IMAGE image)                                                 \
    {                                                                                                                  \
        const IMAGE nans = (IMAGE) ~(IMAGE)(INFINITY_BITS) & (IMAGE)((IMAGE) ~(IMAGE)0 >> 1);                          \
        return clprim_image_to_##NAME((IMAGE)(image + nans));                                                          \
    }

CLPRIM__DEFINE_INTEGER_IMAGE(char, uchar)
CLPRIM__DEFINE_INTEGER_IMAGE(short, ushort)
CLPRIM__DEFINE_INTEGER_IMAGE(int, uint)
CLPRIM__DEFINE_INTEGER_IMAGE(long, ulong)
CLPRIM__DEFINE_FLOAT_IMAGE(half, ushort, ushort, (ushort), (ushort), 0x7c00)
CLPRIM__DEFINE_FLOAT_IMAGE(float, float, uint, as_uint, as_float, 0x7f800000)
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
CLPRIM__DEFINE_FLOAT_IMAGE(double, double, ulong, as_ulong, as_double, 0x7ff0000000000000ul)
#endif

#endif
