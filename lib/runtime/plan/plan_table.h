// SPDX-License-Identifier: MIT
/* plan_table.h: macros for the tables in lib/<stem>/<stem>_operation.c. */
#ifndef CLPRIM_LIB_PLAN_TABLE_H
#define CLPRIM_LIB_PLAN_TABLE_H

#include <string.h>

#include "parameters.h"
#include "plan_internal.h"

/* A member of clprim_<op>_desc or of clprim_<op>_call. Arguments: its kind without CLPRIM_MEMBER_, its summary, then
 * further members of the table (.element = ..., .length = ...). */
#define CLPRIM__DESC(op, ...)             CLPRIM__MEMBER(clprim_##op##_desc, __VA_ARGS__, .repeat = 0)
#define CLPRIM__CALL(op, ...)             CLPRIM__MEMBER(clprim_##op##_call, __VA_ARGS__, .enumerators = NULL)
#define CLPRIM__MEMBER(type, member, ...) CLPRIM__MEMBER_AT(type, member, #member, __VA_ARGS__)
#define CLPRIM__MEMBER_AT(type, member, name_, member_kind, text_, ...)                                                \
    {                                                                                                                  \
        .name = (name_), .summary = (text_), .kind = CLPRIM_MEMBER_##member_kind, .place = offsetof(type, member),     \
        .size = sizeof(((type *)NULL)->member), __VA_ARGS__                                                            \
    }

/* Define functions of the table from an expression. ELEMENT: an array's element type, from the description d. LENGTH:
 * an array's length, from d and the call c. COUNT: the number of elements that a call works on, from c. */
#define CLPRIM__ELEMENT(name, op, expression)                                                                          \
    static clprim_element name(const void *desc, size_t index)                                                         \
    {                                                                                                                  \
        const clprim_##op##_desc *d = desc;                                                                            \
        (void)index;                                                                                                   \
        return expression;                                                                                             \
    }
#define CLPRIM__LENGTH(name, op, expression)                                                                           \
    static size_t name(const void *desc, const void *call)                                                             \
    {                                                                                                                  \
        const clprim_##op##_desc *d = desc;                                                                            \
        const clprim_##op##_call *c = call;                                                                            \
        (void)d;                                                                                                       \
        (void)c;                                                                                                       \
        return expression;                                                                                             \
    }
#define CLPRIM__COUNT(op, expression)                                                                                  \
    static size_t count(const void *call)                                                                              \
    {                                                                                                                  \
        const clprim_##op##_call *c = call;                                                                            \
        return expression;                                                                                             \
    }

/* Define the functions of the table for .arguments. */
#define CLPRIM__DEFINE_ARGUMENTS(op)                                                                                   \
    CLPRIM__ELEMENT(argument, op, clprim__parameter_element(&d->text.parameters[index]))                               \
    static bool argument_is_value(const void *desc, size_t index)                                                      \
    {                                                                                                                  \
        return clprim__parameter_is_value(&((const clprim_##op##_desc *)desc)->text.parameters[index]);                \
    }

/* The member .arguments of a call, with the default length of its arrays. */
#define CLPRIM__ARGUMENTS_MEMBER(op, length_)                                                                          \
    CLPRIM__CALL(op, arguments, INPUT, "what the parameters stand for", .repeat = CLPRIM_MAX_PARAMETERS,               \
                 .element = argument, .length = (length_), .is_value = argument_is_value)

/* A call's count on the device: one number, declared in front of the count on the host that it limits. If a call has
 * two of them, each may be left out (.is_optional = true). */
#define CLPRIM__CALL_COUNT_AT(op, ...) CLPRIM__CALL_COUNT_AT_(op, __VA_ARGS__, .repeat = 0)
#define CLPRIM__CALL_COUNT_AT_(op, member, ...)                                                                        \
    CLPRIM__CALL(op, member, INPUT, "how many of these there are, on the device", .element = count_at,                 \
                 .length = clprim__one, __VA_ARGS__)
#define CLPRIM__DEFINE_COUNT_AT(op)                                                                                    \
    CLPRIM__ELEMENT(count_at, op,                                                                                      \
                    d->count_at_type == CLPRIM_TYPE_DEFAULT ? clprim__no_element()                                     \
                                                            : clprim__built_in(d->count_at_type))

/* Sorted keys, for operations that also write something else: if keys come from an expression, calls may leave the
 * sorted keys out. value_out is the element type of the values, or of what replaces them. */
#define CLPRIM__DEFINE_KEYS_NEEDED(op)                                                                                 \
    static bool keys_are_needed(const void *desc)                                                                      \
    {                                                                                                                  \
        return ((const clprim_##op##_desc *)desc)->input == NULL || value_out(desc, 0).size == 0;                      \
    }
#define CLPRIM__OPTIONAL_KEYS .is_optional = true, .is_needed = keys_are_needed

/* Members for the value with which folds begin: in a description the value itself, or that calls have it; in a call the
 * value on the device. */
#define CLPRIM__INITIAL_MEMBERS(op, summary_)                                                                          \
    CLPRIM__DESC(op, initial, DATA, summary_, .element = result, .length = clprim__one),                               \
        CLPRIM__DESC(op, has_initial_at, BOOL, "calls have that value, on the device")
#define CLPRIM__CALL_INITIAL_AT(op)                                                                                    \
    CLPRIM__CALL(op, initial_at, INPUT, "the value to begin with, on the device", .element = initial_at,               \
                 .length = clprim__one)
#define CLPRIM__DEFINE_INITIAL_AT(op)                                                                                  \
    CLPRIM__ELEMENT(initial_at, op, d->has_initial_at ? result(desc, 0) : clprim__no_element())

/* The element type of an output: `plain`, or the type that .output computes from a result and its index. */
#define CLPRIM__DEFINE_OUTPUT(op, plain)                                                                               \
    CLPRIM__ELEMENT(output, op,                                                                                        \
                    d->output_type_name != NULL || d->output_type != CLPRIM_TYPE_DEFAULT                               \
                        ? clprim__element_of(d->output_type, CLPRIM_I32, d->output_type_name, d->output_type_size)     \
                        : plain(desc, 0))

/* Members that several descriptions have, in the order in which they are declared there. */
#define CLPRIM__TEXT_MEMBER(op, member, kind_, summary_)                                                               \
    CLPRIM__MEMBER_AT(clprim_##op##_desc, text.member, #member, kind_, summary_, .repeat = 0)
#define CLPRIM__INPUT_MEMBER(op)                                                                                       \
    CLPRIM__DESC(op, input, TEXT, "the elements, instead of an array: OpenCL C over i and the parameters")
#define CLPRIM__OUTPUT_MEMBERS(op, summary_, default_)                                                                 \
    CLPRIM__DESC(op, output, TEXT, summary_),                                                                          \
        CLPRIM__DESC(op, output_type, TYPE, "type of what .output makes; default: " default_),                         \
        CLPRIM__DESC(op, output_type_name, TEXT, "name of a type declared in source, instead"),                        \
        CLPRIM__DESC(op, output_type_size, SIZE, "size of that type on the host, in bytes")
#define CLPRIM__THEN_MEMBERS(op)                                                                                       \
    CLPRIM__MEMBER_AT(clprim_##op##_desc, then.inputs, "then", TEXT,                                                   \
                      "further keys, which decide where all before them are equal: like input", .repeat = 0),          \
        CLPRIM__MEMBER_AT(clprim_##op##_desc, then.types, "then_types", TYPE, "types of these keys; default u32",      \
                          .repeat = 0),                                                                                \
        CLPRIM__MEMBER_AT(clprim_##op##_desc, then.descending, "then_descending", BOOL,                                \
                          "the opposite order of these keys", .repeat = 0)
#define CLPRIM__TEXT_MEMBERS(op)                                                                                       \
    CLPRIM__TEXT_MEMBER(op, source, TEXT, "declarations in OpenCL C in front of the expressions"),                     \
        CLPRIM__TEXT_MEMBER(op, parameters, PARAMETER,                                                                 \
                            "names that expressions may use, for numbers and arrays of the call's"),                   \
        CLPRIM__TEXT_MEMBER(op, options, TEXT, "options of the compiler, for the texts")
#define CLPRIM__SOURCE_MEMBERS(op)                                                                                     \
    CLPRIM__TEXT_MEMBERS(op),                                                                                          \
        CLPRIM__DESC(op, type_name, TEXT, "name of an element type declared in source; default: a built-in type"),     \
        CLPRIM__DESC(op, type_size, SIZE, "size of that type on the host, in bytes")
#define CLPRIM__NAN_MEMBER(op)                                                                                         \
    CLPRIM__DESC(op, nan_order, ENUM, "where NaNs stand among floats; default: in the total order",                    \
                 .enumerators = clprim__nan_orders)
#define CLPRIM__ORDER_MEMBERS(op)                                                                                      \
    CLPRIM__DESC(op, less, TEXT,                                                                                       \
                 "whether element a must come before element b: an expression in OpenCL C; default: the total order"), \
        CLPRIM__SOURCE_MEMBERS(op), CLPRIM__DESC(op, descending, BOOL, "the opposite order"), CLPRIM__NAN_MEMBER(op)
#define CLPRIM__OPERATOR_MEMBERS(op_, ...)                                                                             \
    CLPRIM__DESC(op_, op, ENUM, "the operator; default sum", .enumerators = clprim__operators),                        \
        CLPRIM__DESC(op_, accumulator_type, TYPE,                                                                      \
                     "type of the result, for sums and products; default: the elements'"),                             \
        CLPRIM__DESC(op_, custom, CUSTOM_OP, "the caller's own operator"), __VA_ARGS__ CLPRIM__TEXT_MEMBERS(op_),      \
        CLPRIM__NAN_MEMBER(op_)
#define CLPRIM__VALUE_MEMBER(op)                                                                                       \
    CLPRIM__DESC(op, value_size, SIZE, "bytes of the value that belongs to each key: 0 (none), 1, 2, 4, 8 or 16")
#define CLPRIM__INDEX_MEMBER(op)                                                                                       \
    CLPRIM__DESC(op, index_type, TYPE, "type of indices and numbers that are written: u32 (default) or u64")
#define CLPRIM__BITS_MEMBERS(op)                                                                                       \
    CLPRIM__DESC(op, bit_range, BOOL, "sort by some bits of the key; default: by all"),                                \
        CLPRIM__DESC(op, begin_bit, UNSIGNED, "the lowest of these bits"),                                             \
        CLPRIM__DESC(op, end_bit, UNSIGNED, "one past the highest of them")
#define CLPRIM__COUNT_AT_MEMBER(op)                                                                                    \
    CLPRIM__DESC(op, count_at_type, TYPE, "type of counts on the device, u32 or u64; default: there are none")
#define CLPRIM__PLAN_MEMBERS(op)                                                                                       \
    CLPRIM__DESC(op, max_count, SIZE, "elements of any call; default: fewer than 2^32"),                               \
        CLPRIM__DESC(op, variant, ENUM, "how to do it; default auto"),                                                 \
        CLPRIM__DESC(op, work_group_size, SIZE, "work-items per work-group, a power of two; default: tuned")

/* The element types of arrays. */
static inline clprim_element clprim__no_element(void)
{
    return (clprim_element){.size = 0};
}

static inline clprim_element clprim__built_in(clprim_type type)
{
    return (clprim_element){.size = clprim_type_size(type), .type = type};
}

static inline clprim_element clprim__type_or(clprim_type type, clprim_type otherwise)
{
    return clprim__built_in(type == CLPRIM_TYPE_DEFAULT ? otherwise : type);
}

/* An element of a built-in type, or of the caller's own type. */
static inline clprim_element clprim__element_of(clprim_type type, clprim_type otherwise, const char *type_name,
                                                size_t type_size)
{
    return type_name != NULL ? (clprim_element){.size = type_size} : clprim__type_or(type, otherwise);
}

/* The operands of an operator, and its results. The default type is I32. */
static inline clprim_element clprim__operand(clprim_type type, const clprim_custom_op *custom)
{
    return custom != NULL ? clprim__element_of(type, CLPRIM_I32, custom->type_name, custom->type_size)
                          : clprim__type_or(type, CLPRIM_I32);
}

static inline clprim_element clprim__result(clprim_type type, clprim_op op, clprim_type accumulator_type,
                                            const clprim_custom_op *custom)
{
    if (custom != NULL)
        return clprim__operand(type, custom);
    if (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX)
        return (clprim_element){.size = sizeof(clprim_indexed)};
    return accumulator_type != CLPRIM_TYPE_DEFAULT ? clprim__built_in(accumulator_type)
                                                   : clprim__type_or(type, CLPRIM_I32);
}

/* The length of an output that is a single number. */
static inline size_t clprim__one(const void *desc, const void *call)
{
    (void)desc;
    (void)call;
    return 1;
}

/* The element type of the output beside the keys: values or indices. */
static inline clprim_element clprim__value_or_index(size_t value_size, bool indices, clprim_type index_type)
{
    return indices ? clprim__type_or(index_type, CLPRIM_U32) : (clprim_element){.size = value_size};
}

/* For references, whose arrays are on the host. */

/* The order that a description asks for, if it has no text from the caller. */
#define CLPRIM__REFERENCE_ORDER_OF(desc, key_type_)                                                                    \
    (clprim_reference_order)                                                                                           \
    {                                                                                                                  \
        .type = (key_type_), .descending = (desc)->descending, .nan_order = (desc)->nan_order                          \
    }

/* The operator that a description asks for, if it is a built-in one. */
#define CLPRIM__REFERENCE_OPERATOR_OF(desc, type_)                                                                     \
    (clprim_reference_operator)                                                                                        \
    {                                                                                                                  \
        .type = (type_), .op = (desc)->op, .accumulator_type = (desc)->accumulator_type,                               \
        .nan_order = (desc)->nan_order                                                                                 \
    }

/* Whether the order of evaluation affects the result: for a sum or product of floats. */
static inline bool clprim__is_rounding(clprim_element result, clprim_op op)
{
    const bool is_float = result.type == CLPRIM_F16 || result.type == CLPRIM_F32 || result.type == CLPRIM_F64;
    return is_float && (op == CLPRIM_SUM || op == CLPRIM_PROD);
}

/* Whether a reference can predict the result of a fold exactly. It cannot if a float sum or product begins with the
 * caller's value, because it does not know whether that rounds. */
static inline bool clprim__initial_is_exact(const void *initial, clprim_element result, clprim_op op)
{
    return initial == NULL || !clprim__is_rounding(result, op);
}

static inline void clprim__copy_array(const clprim_array *to, const clprim_array *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(to->host, from->host, bytes);
}

/* Write numbers to an array of U32 or U64, unless the array is NULL. */
static inline void clprim__put_numbers(const clprim_array *to, clprim_element element, const uint64_t *numbers,
                                       size_t count)
{
    for (size_t i = 0; i < count && to->host != NULL; i++) {
        const uint32_t narrow = (uint32_t)numbers[i];
        if (element.type == CLPRIM_U64)
            ((uint64_t *)to->host)[i] = numbers[i];
        else
            ((uint32_t *)to->host)[i] = narrow;
    }
}

static inline void clprim__put_number(const clprim_array *to, clprim_element element, size_t number)
{
    clprim__put_numbers(to, element, &(uint64_t){number}, 1);
}

#endif
