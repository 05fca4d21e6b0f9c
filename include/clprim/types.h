// SPDX-License-Identifier: MIT
/* clprim/types.h: element types, operators, texts in OpenCL C, and the rows that describe variants. */
#ifndef CLPRIM_TYPES_H
#define CLPRIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clprim/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. 0 means the default, which is stated at each member of a description.
 *
 * I8 to U64 are signed and unsigned integers of that many bits. F16 is the IEEE 754 half. It needs no support from the
 * device: kernels convert it to F32 when they load it, and back when they store it. F64 sums and products need a device
 * with double precision (clprim_device_info.has_fp64); F64 minima and maxima do not.
 *
 * BF16 is bfloat16, the upper half of an F32. It is a type of keys: the operations that order elements take it (sorts,
 * merge, search, is_sorted, set_operation, top_k, segmented_top_k, nth_element), with the orders of floats. Expressions
 * for such keys, and the caller's own orders, see floats, as of F16. Other operations, arguments, and .output refuse
 * it with CLPRIM_INVALID_ARGUMENT: for what only moves elements, or compares them bit by bit, pass U16.
 *
 * U128 is an unsigned integer of 128 bits: two U64, the lower bits first. It is a type of the keys of radix_sort and
 * sort_by_key, without expressions; other operations refuse it with CLPRIM_INVALID_ARGUMENT. Such keys are sorted by
 * the variants LOCAL, ONESWEEP and CPU_CHUNK, and run cannot cut the call into pieces. */
typedef enum clprim_type {
    CLPRIM_TYPE_DEFAULT = 0,
    CLPRIM_I8,
    CLPRIM_U8,
    CLPRIM_I16,
    CLPRIM_U16,
    CLPRIM_I32,
    CLPRIM_U32,
    CLPRIM_I64,
    CLPRIM_U64,
    CLPRIM_F16,
    CLPRIM_F32,
    CLPRIM_F64,
    CLPRIM_TYPE_END, /* one past the last type that all operations take */

    /* Types of keys. */
    CLPRIM_BF16,
    CLPRIM_U128,
    CLPRIM_KEY_TYPE_END /* one past the last type */
} clprim_type;

/* Associative operators.
 *
 * Integer sums and products wrap around. AND, OR and XOR are bitwise, for integers only.
 *
 * SUMS OF FLOATS
 *
 * A sum with a float accumulator (F16, F32, F64) is added up in blocks, and the blocks so that nothing adds up to more
 * than a few roundings. So its error does not grow with the number of elements:
 *
 *     |computed - exact| <= min(m - 1, 1024) * u * sum of |x|
 *
 * m is the number of elements, of which an initial value is one more. x are the elements, rounded to the accumulator's
 * type if that does not hold them; exact is their sum. u is the unit roundoff: 2^-24 for F32, 2^-53 for F64. F16 is
 * added up in F32, and the result rounded to F16. The bound holds for every variant if .work_group_size and
 * .items_per_work_item are 0; otherwise m - 1 takes the place of 1024. If run cuts an array into pieces, each piece adds
 * u * sum of |x|. It says nothing if the sum of |x| exceeds the largest float, or if .text has compiler options that
 * let sums be reordered, such as -cl-fast-relaxed-math.
 *
 * Zeros: a sum of elements that are all -0.0 is -0.0, and other sums that are zero are +0.0, as IEEE 754 adds. A sum of
 * no elements is +0.0, or the initial value. An exclusive scan begins with such a sum: without an initial value its
 * results are never -0.0.
 *
 * MIN and MAX, like every order in clPRIM, use one total order of floats on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload bits)
 *
 * The minimum is the element that an ascending sort would put first, bit for bit. This order is the default,
 * CLPRIM_NAN_TOTAL. With CLPRIM_NAN_LAST, NaNs are ordered as in NumPy (clprim_nan_order).
 *
 * ARGMIN and ARGMAX give a clprim_indexed: the value and its index. Of several equal elements the first one wins. */
typedef enum clprim_op {
    CLPRIM_SUM = 0,
    CLPRIM_PROD,
    CLPRIM_MIN,
    CLPRIM_MAX,
    CLPRIM_AND,
    CLPRIM_OR,
    CLPRIM_XOR,
    CLPRIM_ARGMIN,
    CLPRIM_ARGMAX,
    CLPRIM_OP_END /* one past the last operator */
} clprim_op;

/* Where NaNs stand in the order of floats. It applies to sorts, merges, searches, and the operators MIN, MAX, ARGMIN
 * and ARGMAX. It has no effect on integers. CLPRIM_NAN_LAST together with the caller's own order or operator is refused
 * with CLPRIM_INVALID_ARGUMENT.
 *
 * CLPRIM_NAN_TOTAL, the default, is the total order of clprim_op. The NaN that x86 computes (0.0 / 0.0) has its sign
 * bit set, so it comes first in this order: a sort puts it before -inf, and MAX ignores it.
 *
 * CLPRIM_NAN_LAST puts all NaNs after +inf, as NumPy does:
 *
 *     -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN < -NaN
 *
 * NaNs without the sign bit come before NaNs with it; each of the two groups is in the total order. Different NaNs are
 * never equal in this order either, so every variant gives the same bits on every device. .descending reverses the
 * whole order, so that NaNs come first.
 *
 * With CLPRIM_NAN_LAST, MIN, MAX, ARGMIN and ARGMAX propagate NaNs. If any element is a NaN, the result is the quiet
 * NaN (0x7e00, 0x7fc00000 or 0x7ff8000000000000), as in float sums, and the index is that of the first NaN. If no
 * element is a NaN, the result is the same as with CLPRIM_NAN_TOTAL. */
typedef enum clprim_nan_order { CLPRIM_NAN_TOTAL = 0, CLPRIM_NAN_LAST } clprim_nan_order;

/* How a histogram assigns an element x to a bin. NaNs, and elements that the mapping has no bin for, belong to
 * no bin. */
typedef enum clprim_histogram_mapping {
    /* Bin x. Integers only. */
    CLPRIM_HISTOGRAM_IDENTITY = 0,

    /* `bins` intervals of equal width from `low` to `high`. There is no bin for x < low or x >= high.
     * - Integers: bin floor((x - low) * bins / (high - low)), computed exactly.
     * - Floats: bin floor((x - low) * scale) with scale = bins / (high - low), but never beyond the last bin. low and
     *   scale are rounded once to the element's type, in which the bin is computed (F16: in F32). If the distance of two
     *   elements or the scale can be too large or too small for that type, x and low are multiplied by a power of two
     *   first, and scale is divided by it. So the range may be as wide as the type's, or as narrow as two neighbouring
     *   elements. */
    CLPRIM_HISTOGRAM_EVEN,

    /* The last bin b with boundaries[b] <= x < boundaries[b + 1]. There are bins + 1 boundaries. They must ascend
     * (equal ones are allowed), and none may be a NaN. Their type is int64_t for I64, uint64_t for U64, and double for
     * all other types. */
    CLPRIM_HISTOGRAM_BOUNDARIES,

    /* The value of .bin_of, an OpenCL C expression over the element `x` (F16: a float), converted to long. There is no
     * bin for a negative value, or for a value of `bins` or more. */
    CLPRIM_HISTOGRAM_CUSTOM
} clprim_histogram_mapping;

/* The bins of a channel, where channels differ. Zeroed: those of the first channel. */
typedef struct clprim_histogram_channel {
    /* Number of bins. Default: 0 (the description's .bins). */
    size_t bins;

    /* For EVEN: the ends of the bins. Default: both 0 (the description's .low and .high). */
    double low, high;

    /* For BOUNDARIES: bins + 1 boundaries, which create copies. Only together with .bins. Default: NULL (the
     * description's .boundaries). */
    const void *boundaries;
} clprim_histogram_channel;

/* A set operation of clprim/set_operation.h on two sorted arrays a and b. An element may occur m times in a and n times
 * in b. */
typedef enum clprim_set_op {
    /* max(m, n) of each element. */
    CLPRIM_SET_UNION = 0,

    /* min(m, n) of each element. */
    CLPRIM_SET_INTERSECTION,

    /* max(m - n, 0) of each element. */
    CLPRIM_SET_DIFFERENCE,

    /* |m - n| of each element. */
    CLPRIM_SET_SYMMETRIC_DIFFERENCE
} clprim_set_op;

/* The largest number of arrays that one call of clprim/sort_by_key.h sorts. */
enum { CLPRIM_SORT_BY_KEY_MAX_ARRAYS = 16 };

/* The result of ARGMIN and ARGMAX: 16 bytes. The index counts from the first element of the call. If there are no
 * elements, it is UINT64_MAX, and the value is the operator's identity. Unused bytes of the value are 0. */
typedef struct clprim_indexed {
    uint64_t index;
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        uint16_t f16; /* the bits of a half */
        float f32;
        double f64;
    } value;
} clprim_indexed;

/* The caller's own associative operator, and optionally the caller's own element type, as OpenCL C text.
 *
 *     static const clprim_custom_op longest = {
 *         .type_name = "span", .type_size = 8,
 *         .source = "typedef struct { uint begin, end; } span;",
 *         .combine = "(a.end - a.begin >= b.end - b.begin) ? a : b",
 *         .identity = "(span){0, 0}",
 *     };
 *
 * create copies the strings and compiles them for the device. The rules for all texts (clprim_text) apply. If a text
 * does not compile, create fails with CLPRIM_BUILD_FAILED. In the compiler's log, the texts are the files `source`,
 * `combine` and `identity`.
 *
 * An operator without an identity works with the same variants. Each value then takes 4 more bytes of registers, local
 * memory and scratch memory, and the operands of `combine` are only elements, initial values and its own results. */
typedef struct clprim_custom_op {
    /* OpenCL C name of the element type, which .source may declare. Default: NULL (.type of the description). */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Declarations in front of the operator. Default: NULL (none). */
    const char *source;

    /* An expression over `a` and `b`, the left and the right operand. Required. */
    const char *combine;

    /* An expression for the identity e, with e OP x == x == x OP e for every x. Default: NULL (none). */
    const char *identity;

    /* The operator does not commute. Only variants that keep the order of elements then take it. Default: false. */
    bool non_commutative;
} clprim_custom_op;

/* The largest number of parameters of a description. */
enum { CLPRIM_MAX_PARAMETERS = 16 };

/* A name that the texts of a description may use for a number, a struct or an array of the call. .arguments of each
 * call has the values, in the same order. New values need no new plan and no compilation. The list of parameters ends
 * before the first one without a name. */
typedef struct clprim_parameter {
    /* An identifier of OpenCL C. It must not be a keyword or `i`, begin with clprim__, or equal another's name. If an
     * expression has an operand of this name, the name means the operand there. */
    const char *name;

    /* The type of the number, or of the array's elements. Default: I32. In texts an F16 number is a float, and the
     * elements of an F16 array are read by vload_half(index, name). */
    clprim_type type;

    /* Instead of .type: the OpenCL C name of a type, such as a struct that .text.source declares. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* The parameter is an array, `const __global TYPE *name`. Default: false (one number or struct, `TYPE name`). */
    bool is_array;
} clprim_parameter;

/* What all OpenCL C texts of a description share. create copies the strings. Zeroed: none.
 *
 * A text is code: never take it from someone you would not let run code on your device.
 *
 * Functions, types, variables and macros in .source may have any name that OpenCL C does not reserve and that does not
 * begin with clprim_ or CLPRIM_. They cannot clash with names in the library's kernels. The headers of clprim/device/ may
 * be part of .source. In an expression, the names of its operands mean the operands, even if .source has macros of these
 * names. */
typedef struct clprim_text {
    /* Declarations in front of the expressions. Default: NULL (none). */
    const char *source;

    /* Names that the expressions may use besides their operands. Default: none. */
    clprim_parameter parameters[CLPRIM_MAX_PARAMETERS];

    /* Options for the compiler, separated by spaces: -DNAME and -DNAME=VALUE, which only the texts see, -I, and
     * anything else that clBuildProgram takes. A text with an #include is compiled anew in each process, because the
     * cache on disk cannot know whether the included file has changed. Default: NULL (none). */
    const char *options;
} clprim_text;

/* The largest number of keys of a sort, the first one included. */
enum { CLPRIM_MAX_KEYS = 8 };

/* Further keys of a sort whose first key is the expression .input. The order is lexicographic: each further key decides
 * between elements that are equal by all keys before it. The list ends before the first key without an expression. The
 * widths of the types of all keys add up to at most 64 bits. */
typedef struct clprim_sort_keys {
    /* Expressions like .input, over `i` and the parameters of .text. */
    const char *inputs[CLPRIM_MAX_KEYS - 1];

    /* The type that each value is converted to (F16, BF16: from a float). Default: U32. */
    clprim_type types[CLPRIM_MAX_KEYS - 1];

    /* The larger key comes first. Default: false (the smaller key comes first). */
    bool descending[CLPRIM_MAX_KEYS - 1];
} clprim_sort_keys;

/* A row of an operation's table of variants (clprim_operation.variants, clprim/operation.h). */
typedef struct clprim_variant_info {
    int id;              /* the enumerator for .variant of a description */
    const char *name;    /* such as "single_pass": as in benchmarks, in traces, and in the kernel's file name */
    const char *summary; /* one line: how it works */
    const char *needs;   /* what the device or the call must have, such as "A, and B or C"; "" for nothing */
    const char *origin;  /* the paper, or the step of the course, that it comes from */
    bool keeps_order;    /* it also takes operators that do not commute */
} clprim_variant_info;

/* Size of one element in bytes; 0 for an unknown type. */
CLPRIM_API size_t clprim_type_size(clprim_type type);
/* "i32", "f64", ...; "unknown" for an unknown type. The string is static. */
CLPRIM_API const char *clprim_type_name(clprim_type type);
/* "sum", "argmin", ...; "unknown" for an unknown operator. The string is static. */
CLPRIM_API const char *clprim_op_name(clprim_op op);

/* Convert the IEEE 754 half, for hosts that have no such type. The conversion to float is exact; the conversion from
 * float rounds to nearest, ties to even. */
CLPRIM_API float clprim_half_to_float(uint16_t half);
CLPRIM_API uint16_t clprim_half_from_float(float value);

#ifdef __cplusplus
}
#endif
#endif
