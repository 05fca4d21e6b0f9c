/* clprim/types.h: element types, operators, a caller's own operator, and how variants describe themselves. */
#ifndef CLPRIM_TYPES_H
#define CLPRIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clprim/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. 0 is "the default": each field of a description says what that is. F16 is the IEEE 754 half, held in
 * 16 bits; it needs no support from the device, which converts it on loading and storing. F64 sums and products need
 * a device with double precision; F64 minima and maxima do not. */
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
    CLPRIM_TYPE_END /* one past the last type */
} clprim_type;

/* Associative operators. Integers wrap around. AND, OR and XOR are for integers only.
 *
 * MIN and MAX, like every order in clPRIM, follow one total order of the floats on every device:
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN     (NaNs among themselves by their payload's bits)
 * so that the minimum is what an ascending sort would put first, bit for bit. That is the default, CLPRIM_NAN_TOTAL;
 * see clprim_nan_order below for the order of numpy.
 *
 * ARGMIN and ARGMAX yield a clprim_indexed: the value and its index, the first one where several are equal. */
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

/* Where NaNs stand among floats. Without effect on integers, which have none, and on operators other than MIN, MAX,
 * ARGMIN and ARGMAX. CLPRIM_INVALID_ARGUMENT together with an order or operator of the caller's.
 *
 * CLPRIM_NAN_TOTAL, the default, is the total order above. The NaN that x86 computes (0.0 / 0.0) has its sign bit set,
 * so in the total order it comes first: a sort puts it before -inf, and MAX passes over it.
 *
 * CLPRIM_NAN_LAST puts all NaNs behind +inf, as numpy does:
 *     -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN < -NaN
 * NaNs without the sign bit come before those with it, and each of these two groups keeps its total order. So it is one
 * strict order, too: every variant gives the same bits on every device. Where a sort is .descending, the whole order is
 * reversed: NaNs come first. MIN, MAX, ARGMIN and ARGMAX propagate NaNs: if any element is a NaN, so is the result, and
 * it is written as the quiet NaN that float sums have (0x7e00, 0x7fc00000, 0x7ff8000000000000); the index is that of
 * the first NaN. Without a NaN, or without any element, the result is that of the total order. */
typedef enum clprim_nan_order { CLPRIM_NAN_TOTAL = 0, CLPRIM_NAN_LAST } clprim_nan_order;

/* Which bin of a histogram an element x belongs to. NaNs, and what no bin holds, belong to none.
 *   IDENTITY    bin x; integers only
 *   EVEN        `bins` intervals of one width from low to high: for integers floor((x - low) * bins / (high - low)),
 *               exactly; for floats that of (x - low) * (bins / (high - low)) in the element's type (F16: F32), where
 *               low and bins / (high - low) are rounded to it once, and never beyond the last bin. None where x < low
 *               or x >= high
 *   BOUNDARIES  bin b has boundaries[b] <= x < boundaries[b + 1], the last such b. There are bins + 1 boundaries, none
 *               less than the one before it, no NaN: int64_t for I64, uint64_t for U64, double for all other types
 *   CUSTOM      bin_of, an OpenCL C expression over the element `x` (a float for F16); none where its value is
 *               negative, or `bins` or more. The text is code: never take it from someone you would not let run code
 *               on your device */
typedef enum clprim_histogram_mapping {
    CLPRIM_HISTOGRAM_IDENTITY = 0,
    CLPRIM_HISTOGRAM_EVEN,
    CLPRIM_HISTOGRAM_BOUNDARIES,
    CLPRIM_HISTOGRAM_CUSTOM
} clprim_histogram_mapping;

/* Arrays that one call of clprim/sort_by_key.h sorts, at most. */
enum { CLPRIM_SORT_BY_KEY_MAX_ARRAYS = 16 };

/* What ARGMIN and ARGMAX write: 16 bytes. The index counts from the first element reduced; where there was none it is
 * UINT64_MAX and the value is the operator's identity. Unused bytes of the value are 0. */
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
        uint16_t f16; /* bits */
        float f32;
        double f64;
    } value;
} clprim_indexed;

/* A caller's own associative operator, and if wanted their own element type, as OpenCL C text: a template without C++.
 *
 *     static const clprim_custom_op longest = {
 *         .type_name = "span", .type_size = 8,
 *         .source = "typedef struct { uint begin, end; } span;",
 *         .combine = "(a.end - a.begin >= b.end - b.begin) ? a : b",
 *         .identity = "(span){0, 0}",
 *     };
 *
 * The text is compiled for the device. A mistake in it gives CLPRIM_BUILD_FAILED with the compiler's log, in which
 * `source`, `combine` and `identity` are named as files of those names. Functions, types, variables and macros in the
 * source may have any name that OpenCL C does not reserve and that does not begin with clprim__; this holds for every
 * .source. In an expression the names of its operands are the operands, even where the source has macros of these
 * names.
 *
 * An operator without an identity works with the same variants; each of its values takes 4 more bytes of registers, local
 * memory and scratch memory. `combine` is then applied to elements, initial values and its own results only.
 *
 * The strings are copied by the call they are handed to. The text is code: never take it from someone you would
 * not let run code on your device. */
typedef struct clprim_custom_op {
    const char *type_name; /* OpenCL C name of the element's type; NULL: the built-in type named beside the operator */
    size_t type_size;      /* its size in bytes on the host; checked against the device's. 0 with a NULL type_name */
    const char *source;    /* declarations placed before the operator; may be NULL */
    const char *combine;   /* an expression over `a` and `b`, the left and the right operand */
    const char *identity;  /* an expression: e with e OP x == x == x OP e; NULL: there is none */
    bool non_commutative;  /* true: only variants that keep the order of the elements may be used */
} clprim_custom_op;

/* A name that a description's texts may use for a number, a struct or an array that comes with each call: the call's
 * .arguments say what the names stand for, in the same order. A new number needs no new plan, and nothing is compiled for
 * it. A list of them ends before the first without a name. */
enum { CLPRIM_MAX_PARAMETERS = 16 };
typedef struct clprim_parameter {
    const char *name; /* an identifier of OpenCL C that does not begin with clprim__, and not i. Where a text has an
                         operand of the same name, that name is the operand */
    clprim_type type; /* default I32. In texts an F16 is a float, and an array of them is for vload_half(i, name) */
    const char *type_name; /* instead of .type: the OpenCL C name of a type, for instance of a struct in .text.source */
    size_t type_size;      /* its size on the host, in bytes, checked against the device's. 0 with a NULL type_name */
    bool is_array;         /* `const __global TYPE *name`; else `TYPE name`, one number or struct */
} clprim_parameter;

/* What all OpenCL C texts of a description share. The strings are copied by the call they are handed to. The texts are
 * code: never take them from someone you would not let run code on your device. */
typedef struct clprim_text {
    const char *source;                                 /* declarations in front of the expressions; may be NULL */
    clprim_parameter parameters[CLPRIM_MAX_PARAMETERS]; /* what expressions may name besides their operands */
    /* For the compiler, separated by spaces: -DNAME and -DNAME=VALUE, which the texts alone see, -I and whatever else
     * clBuildProgram takes; may be NULL. A text with an #include is compiled anew in each process: the cache on disk
     * cannot know whether the file has changed. */
    const char *options;
} clprim_text;

/* Further keys of a sort, after a first one that is an expression, .input: the order is lexicographic. Each further key
 * decides between elements that are equal by all keys before it. The list ends before the first key without an
 * expression. All keys together have at most 64 bits, the sum of their types' widths. */
enum { CLPRIM_MAX_KEYS = 8 };
typedef struct clprim_sort_keys {
    const char *inputs[CLPRIM_MAX_KEYS - 1]; /* expressions, as .input, over `i` and .text's parameters */
    clprim_type types[CLPRIM_MAX_KEYS - 1];  /* each value is converted to it (F16: from a float); default U32 */
    bool descending[CLPRIM_MAX_KEYS - 1];    /* the greater key comes first; default: the lesser one */
} clprim_sort_keys;

/* One row of an operation's table of variants; see .variants of clprim_operation (clprim/operation.h). */
typedef struct clprim_variant_info {
    int id;              /* the enumerator to put into a description's .variant */
    const char *name;    /* "single_pass": as in benchmarks, traces and the kernel's file name */
    const char *summary; /* one line: how it works */
    const char *needs;   /* what the device or the call must have, or "": "A, and B or C" */
    const char *origin;  /* the lecture's step or the paper it comes from */
    bool keeps_order;    /* right for operators that do not commute */
} clprim_variant_info;

/* Size in bytes of one element; 0 for an unknown type. */
CLPRIM_API size_t clprim_type_size(clprim_type type);
/* "i32", "f64", ...; "unknown" for an unknown type. Static. */
CLPRIM_API const char *clprim_type_name(clprim_type type);
/* "sum", "argmin", ...; "unknown" for an unknown operator. Static. */
CLPRIM_API const char *clprim_op_name(clprim_op op);

/* Conversions of the IEEE 754 half, for hosts without one. To float is exact; from float rounds to nearest even. */
CLPRIM_API float clprim_half_to_float(uint16_t half);
CLPRIM_API uint16_t clprim_half_from_float(float value);

#ifdef __cplusplus
}
#endif
#endif
