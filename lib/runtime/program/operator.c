// SPDX-License-Identifier: MIT
/* operator.c: write element types and operators as OpenCL C text. */
#include "operator.h"

#include <string.h>

#include "custom.h"
#include "error.h"
#include "expression.h"
#include "kinds.h"
#include "nan_order.h"

static bool is_extremum(clprim_op op)
{
    return op == CLPRIM_MIN || op == CLPRIM_MAX || op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX;
}

static bool holds(clprim_type wide, clprim_type narrow)
{
    const clprim__element_type *w = &clprim__element_types[wide];
    const clprim__element_type *n = &clprim__element_types[narrow];
    if (n->class == CLPRIM__FLOAT)
        return w->class == CLPRIM__FLOAT && w->exact_bits >= n->exact_bits;
    if (n->class == CLPRIM__SIGNED && w->class == CLPRIM__UNSIGNED)
        return false;
    return w->exact_bits >= n->exact_bits;
}

/* Whether the accumulator accepts elements of this type. F32 and F64 also accept integers that they cannot represent
 * exactly: these are rounded before they are folded. */
static bool takes(clprim_type accumulator, clprim_type type)
{
    return holds(accumulator, type) || (clprim__element_types[type].class != CLPRIM__FLOAT &&
                                        (accumulator == CLPRIM_F32 || accumulator == CLPRIM_F64));
}

clprim_status clprim__operator_check(clprim_type type, clprim_op op, clprim_type *accumulator_type)
{
    if (clprim__type_check(type, "type") != CLPRIM_SUCCESS)
        return CLPRIM_INVALID_ARGUMENT;
    if ((int)op < 0 || (int)op >= CLPRIM_OP_END)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown operator %d", (int)op);
    if ((op == CLPRIM_AND || op == CLPRIM_OR || op == CLPRIM_XOR) && clprim__element_types[type].class == CLPRIM__FLOAT)
        return clprim__fail(CLPRIM_INVALID_OPERATOR, "%s is for integers, not for %s", clprim_op_name(op),
                            clprim_type_name(type));
    if (*accumulator_type == CLPRIM_TYPE_DEFAULT)
        *accumulator_type = type;
    if (clprim__type_check(*accumulator_type, "accumulator_type") != CLPRIM_SUCCESS)
        return CLPRIM_INVALID_ARGUMENT;
    if (*accumulator_type != type && op != CLPRIM_SUM && op != CLPRIM_PROD)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s works in the type itself: accumulator_type must be %s or 0",
                            clprim_op_name(op), clprim_type_name(type));
    if (!takes(*accumulator_type, type))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "accumulator_type %s does not hold every value of %s",
                            clprim_type_name(*accumulator_type), clprim_type_name(type));
    return CLPRIM_SUCCESS;
}

clprim_status clprim__initial_check(clprim_op op)
{
    if (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s takes no initial value", clprim_op_name(op));
    return CLPRIM_SUCCESS;
}

/* Write SUM or PROD. */
static void write_arithmetic(clprim__text *text, clprim_type type, clprim_op op, clprim_type accumulator)
{
    const clprim__element_type *t = &clprim__element_types[type];
    const clprim__element_type *a = &clprim__element_types[accumulator];
    const char *nan = accumulator == CLPRIM_F64 ? "0x7ff8000000000000ul" : "0x7fc00000u";
    const char *rounding = holds(accumulator, type) ? "" : "##_rte"; /* the same rounding on every device */
    clprim__text_format(text, "#define ELEMENT %s\n#define VALUE %s\n", t->storage, a->sum);
    const bool is_float_sum = op == CLPRIM_SUM && a->class == CLPRIM__FLOAT;
    clprim__text_format(text, "#define IDENTITY ((VALUE)%s)\n#define COMBINE(a, b) ((a) %c (b))\n",
                        is_float_sum        ? "-0.0f" /* unlike +0.0, it keeps the sign of a zero */
                        : op == CLPRIM_PROD ? "1"
                                            : "0",
                        op == CLPRIM_PROD ? '*' : '+');
    if (is_float_sum)
        clprim__text_format(text, "#define FLOAT_SUM 1\n#define NOTHING ((VALUE)0)\n");
    clprim__text_format(text, "#define VECTORS %d\n#define VALUES(W) %s##W\n", type != CLPRIM_F16, a->sum);
    if (type == CLPRIM_F16)
        clprim__text_format(text, "#define VALUES_OF(W, x) ((%s)half_to_float(x))\n", a->sum);
    else if (type == accumulator && t->class == CLPRIM__FLOAT)
        clprim__text_format(text, "#define VALUES_OF(W, x) (x)\n");
    else if (a->class != CLPRIM__FLOAT && t->class == CLPRIM__SIGNED) /* extend the sign, then convert to unsigned */
        clprim__text_format(text, "#define VALUES_OF(W, x) as_%s##W(convert_%s##W(x))\n", a->sum, a->wide);
    else
        clprim__text_format(text, "#define VALUES_OF(W, x) convert_%s##W%s(x)\n", a->sum, rounding);
    if (type == accumulator && a->class != CLPRIM__FLOAT && clprim_type_size(type) < sizeof(cl_uint))
        clprim__text_format(text, "#define NARROW(W) %s##W\n#define NARROW_OF(W, x) as_%s##W(x)\n", a->bits, a->bits);
    if (a->class != CLPRIM__FLOAT)
        clprim__text_format(text,
                            "#define RESULT_OF(v) ((RESULT)(v))\n#define RESULTS(W) %s##W\n"
                            "#define RESULTS_OF(W, x) convert_%s##W(x)\n#define VALUE_OF_RESULT(r) ((VALUE)(r))\n",
                            a->bits, a->bits);
    else if (accumulator == CLPRIM_F16)
        clprim__text_format(text, "#define RESULT_OF(v) half_from_float(v)\n"
                                  "#define VALUE_OF_RESULT(r) half_to_float(r)\n");
    else /* the same NaN on every device */
        clprim__text_format(text,
                            "#define RESULT_OF(v) (isnan(v) ? as_%s(%s) : (v))\n#define RESULTS(W) VALUES(W)\n"
                            "#define RESULTS_OF(W, x) select(x, (%s##W)(as_%s(%s)), isnan(x))\n"
                            "#define VALUE_OF_RESULT(r) (r)\n",
                            a->sum, nan, a->sum, a->sum, nan);
}

/* Write AND, OR or XOR. */
static void write_bitwise(clprim__text *text, clprim_type type, clprim_op op)
{
    clprim__text_format(text,
                        "#define ELEMENT %s\n#define VALUE ELEMENT\n"
                        "#define IDENTITY ((VALUE)%s)\n#define COMBINE(a, b) ((a) %c (b))\n"
                        "#define VECTORS 1\n#define VALUES(W) %s##W\n#define VALUES_OF(W, x) (x)\n"
                        "#define RESULT_OF(v) (v)\n#define RESULTS(W) VALUES(W)\n#define RESULTS_OF(W, x) (x)\n"
                        "#define VALUE_OF_RESULT(r) (r)\n",
                        clprim__element_types[type].bits, op == CLPRIM_AND ? "~0ul" : "0",
                        op == CLPRIM_AND  ? '&'
                        : op == CLPRIM_OR ? '|'
                                          : '^',
                        clprim__element_types[type].bits);
}

/* Write keys that propagate NaNs. All NaNs get the best key, which no number has, and the result is the quiet NaN. x is
 * an element or a vector of elements, so there are masks instead of conditions. */
static void write_nan_keys(clprim__text *text, clprim_type type, bool is_min)
{
    static const struct {
        const char *infinity, *nan;
    } floats[CLPRIM_TYPE_END] = {[CLPRIM_F16] = {"((short)0x7c00)", "((short)0x7e00)"},
                                 [CLPRIM_F32] = {"0x7f800000", "0x7fc00000"},
                                 [CLPRIM_F64] = {"0x7ff0000000000000l", "0x7ff8000000000000l"}};
    const clprim__element_type *t = &clprim__element_types[type];
    clprim__text_format(text, "#define SIGN_MASK(x) ((x) >> (KEY)(8 * ELEMENT_SIZE - 1))\n");
    clprim__text_format(text, "#define BACK(x) ((x) ^ (SIGN_MASK(x) & %s))\n", t->key_max);
    clprim__text_format(text, "#define BEST_OF_ALL %s\n#define NAN_MASK(x) SIGN_MASK(%s - ((x) & %s))\n",
                        is_min ? t->key_min : t->key_max, floats[type].infinity, t->key_max);
    clprim__text_format(text, "#define FLIP(x) ((BACK(x) & ~NAN_MASK(x)) | (NAN_MASK(x) & BEST_OF_ALL))\n");
    clprim__text_format(text,
                        "#define UNFLIP(k) ((k) == BEST_OF_ALL ? %s : (KEY)BACK(k))\n"
                        "#define UNFLIPS(W, k) select(BACK(k), (%s##W)(%s), (k) == (%s##W)(BEST_OF_ALL))\n",
                        floats[type].nan, t->key, floats[type].nan, t->key);
}

/* Write MIN, MAX, ARGMIN or ARGMAX. They work on keys. The key of an integer is the integer itself. The key of a float
 * is its bits as a signed integer; if the sign bit is set, the lower bits are flipped. This gives the order that
 * types.h describes. */
static void write_extremum(clprim__text *text, clprim_type type, clprim_op op, bool nans_last)
{
    const clprim__element_type *t = &clprim__element_types[type];
    const bool is_min = op == CLPRIM_MIN || op == CLPRIM_ARGMIN;
    const char *back = nans_last ? "UNFLIP" : "FLIP";
    clprim__text_format(text, "#define ELEMENT %s\n#define KEY %s\n#define WORST_KEY %s\n", t->key, t->key,
                        is_min ? t->key_max : t->key_min);
    if (nans_last)
        write_nan_keys(text, type, is_min);
    else if (t->class == CLPRIM__FLOAT)
        clprim__text_format(text, "#define FLIP(x) ((x) ^ (((x) >> (KEY)(8 * ELEMENT_SIZE - 1)) & %s))\n", t->key_max);
    else
        clprim__text_format(text, "#define FLIP(x) (x)\n");
    if (op == CLPRIM_MIN || op == CLPRIM_MAX) {
        clprim__text_format(text,
                            "#define VALUE KEY\n#define IDENTITY WORST_KEY\n"
                            "#define COMBINE(a, b) %s(a, b)\n#define VECTORS 1\n#define VALUES(W) %s##W\n"
                            "#define VALUES_OF(W, x) FLIP(x)\n#define RESULT_OF(v) ((KEY)%s(v))\n"
                            "#define RESULTS(W) VALUES(W)\n#define RESULTS_OF(W, x) %s\n"
                            "#define VALUE_OF_RESULT(r) ((KEY)FLIP(r))\n",
                            is_min ? "min" : "max", t->key, back, nans_last ? "UNFLIPS(W, x)" : "FLIP(x)");
        return;
    }
    clprim__text_format(text,
                        "#define INDEXED 1\n#define KEYS(W) %s##W\n#define BEST_KEY(a, b) %s(a, b)\n"
                        "#define IS_BETTER(a, b) ((a) %c (b))\n"
                        "typedef struct { ulong index; KEY key; } indexed_key;\n"
                        "#define VALUE indexed_key\n#define VECTORS 0\n"
                        "#define IDENTITY ((indexed_key){~0ul, WORST_KEY})\n"
                        "#define VALUE_AT(x, i) ((indexed_key){(i), FLIP(x)})\n"
                        "#define RESULT_OF(v) ((ulong2)((v).index, (ulong)(%s)%s((v).key)))\n"
                        "#define VALUE_OF_RESULT(r) ((indexed_key){(r).x, (KEY)FLIP((KEY)(r).y)})\n"
                        "static inline VALUE combine(VALUE a, VALUE b)\n{\n"
                        "    const bool take_b = IS_BETTER(b.key, a.key) || (b.key == a.key && b.index < a.index);\n"
                        "    return take_b ? b : a;\n}\n"
                        "#define COMBINE(a, b) combine(a, b)\n",
                        t->key, is_min ? "min" : "max", is_min ? '<' : '>', t->bits, back);
}

/* Write the name of NVIDIA's redux instruction for 32-bit integers, and for keys that are 32-bit integers. */
static void write_redux(clprim__text *text, clprim_type type, clprim_op op, const clprim__operator *made)
{
    static const char *const names[CLPRIM_OP_END] = {
        [CLPRIM_SUM] = "add.u32", [CLPRIM_AND] = "and.b32", [CLPRIM_OR] = "or.b32", [CLPRIM_XOR] = "xor.b32"};
    const char *name = names[op];
    if (op == CLPRIM_MIN)
        name = clprim__element_types[type].class == CLPRIM__UNSIGNED ? "min.u32" : "min.s32";
    if (op == CLPRIM_MAX)
        name = clprim__element_types[type].class == CLPRIM__UNSIGNED ? "max.u32" : "max.s32";
    if (name != NULL && made->value_size == 4 && !made->is_rounding)
        clprim__text_format(text, "#define REDUX \"%s\"\n", name);
}

/* Write conversions between elements or results and the integers of the same size. */
static void write_bits(clprim__text *text, clprim_type type, clprim_op op, const clprim__operator *made)
{
    static const char *const integers[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    const bool is_key = is_extremum(op); /* the element is held as its key's type */
    const bool is_bits = op == CLPRIM_AND || op == CLPRIM_OR || op == CLPRIM_XOR;
    clprim__text_format(text, "#define ELEMENT_OF_BITS(b) as_%s((%s)(b))\n",
                        is_key    ? clprim__element_types[type].key
                        : is_bits ? clprim__element_types[type].bits
                                  : clprim__element_types[type].storage,
                        clprim__element_types[type].bits);
    if (made->result_size <= 8)
        clprim__text_format(text, "#define RESULT_SIZE %zu\n#define BITS_OF_RESULT(r) as_%s(r)\n", made->result_size,
                            integers[made->result_size]);
}

static clprim_status check_output(const clprim__operands *of, clprim_type result_type, const clprim_device_info *info)
{
    if (of->output.text != NULL && of->custom == NULL && (of->op == CLPRIM_ARGMIN || of->op == CLPRIM_ARGMAX))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s takes no output", clprim_op_name(of->op));
    return clprim__output_check(&of->output, result_type, of->custom != NULL && of->custom->type_name != NULL, info);
}

static clprim_status check_custom(const clprim_custom_op *custom, clprim_type type, const clprim_device_info *info)
{
    if (custom->combine == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the custom operator has no combine");
    return clprim__element_check(type, custom->type_name, custom->type_size, true, info);
}

/* Write the caller's own operator. */
static void write_custom(clprim__operator *self, const clprim__operands *of, clprim_type type, clprim_vendor vendor)
{
    const clprim_custom_op *custom = of->custom;
    const bool is_half = custom->type_name == NULL && type == CLPRIM_F16;
    const clprim__custom how = {.type = custom->type_name != NULL ? CLPRIM__CALLERS_TYPE
                                        : is_half                 ? "float"
                                                                  : clprim__type_storage(type),
                                .size = custom->type_name != NULL ? custom->type_size
                                        : is_half                 ? sizeof(float)
                                                                  : clprim_type_size(type),
                                .is_half = is_half,
                                .sees_segments = of->sees_segments,
                                .hides_flags = vendor == CLPRIM_VENDOR_POCL};
    self->element_size = self->result_size = is_half ? sizeof(cl_half) : how.size;
    self->result_type = is_half ? "ushort" : how.type;
    self->value_size = clprim__custom_write(&self->prelude, custom, &how);
}

/* Write what must come before the expressions: the texts of the operator and of the description. */
static clprim_status write_texts(clprim__prelude *prelude, const clprim__operands *of, const clprim_device_info *info)
{
    const clprim_custom_op *custom = of->custom;
    if (of->text != NULL && clprim__has_text(of->text) && custom == NULL && of->input == NULL &&
        of->output.text == NULL && !of->uses_text)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "text without an expression that uses it");
    clprim__prelude_begin(prelude, info);
    if (custom != NULL)
        clprim__prelude_source(prelude, custom->source);
    const clprim_status status = of->text != NULL ? clprim__text_write(prelude, of->text, info) : CLPRIM_SUCCESS;
    if (status == CLPRIM_SUCCESS && custom != NULL && custom->type_name != NULL)
        (void)clprim__prelude_type(prelude, custom->type_name, custom->type_size);
    return status;
}

static size_t value_size(clprim_type type, clprim_op op, clprim_type accumulator)
{
    if (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX)
        return sizeof(clprim_indexed);
    if (op != CLPRIM_SUM && op != CLPRIM_PROD)
        return clprim_type_size(type);
    const size_t size = clprim_type_size(accumulator);
    return size < 4 ? 4 : size;
}

static const char *result_type(clprim_type type, clprim_op op, clprim_type accumulator)
{
    if (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX)
        return "ulong2";
    if (is_extremum(op))
        return clprim__element_types[type].key;
    const bool is_float = clprim__element_types[accumulator].class == CLPRIM__FLOAT;
    return op != CLPRIM_SUM && op != CLPRIM_PROD ? clprim__element_types[type].bits
           : is_float                            ? clprim__element_types[accumulator].storage
                                                 : clprim__element_types[accumulator].bits;
}

static bool uses_doubles(clprim_type type, clprim_op op, clprim_type accumulator, const clprim_custom_op *custom)
{
    if (custom != NULL)
        return custom->type_name == NULL && type == CLPRIM_F64;
    return !is_extremum(op) && accumulator == CLPRIM_F64;
}

/* Write a built-in operator, and fill in the sizes of its values. */
static void write_built_in(clprim__operator *self, const clprim__operands *of, clprim_type type,
                           clprim_type accumulator_type)
{
    clprim__text *text = &self->prelude.own;
    const bool is_arithmetic = of->op == CLPRIM_SUM || of->op == CLPRIM_PROD;
    self->element_size = clprim_type_size(type);
    self->value_size = value_size(type, of->op, accumulator_type);
    self->result_size = is_arithmetic ? clprim_type_size(accumulator_type) : self->value_size;
    self->is_rounding = is_arithmetic && clprim__element_types[accumulator_type].class == CLPRIM__FLOAT;
    self->is_float_sum = self->is_rounding && of->op == CLPRIM_SUM;
    self->result_type = result_type(type, of->op, accumulator_type);
    if (is_extremum(of->op))
        write_extremum(text, type, of->op, clprim__has_nans_last(type, of->nan_order));
    else if (is_arithmetic)
        write_arithmetic(text, type, of->op, accumulator_type);
    else
        write_bitwise(text, type, of->op);
    write_redux(text, type, of->op, self);
    write_bits(text, type, of->op, self);
}

clprim_status clprim__operator_create(clprim__operator *out, const clprim__operands *of, const clprim_device_info *info)
{
    const clprim_custom_op *custom = of->custom;
    clprim__operator self = {.is_commutative = custom == NULL || !custom->non_commutative,
                             .has_identity = custom == NULL || custom->identity != NULL};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__text *text = &self.prelude.own;
    const clprim_type type = of->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : of->type;
    const char *own_type = custom != NULL && custom->type_name != NULL ? CLPRIM__CALLERS_TYPE : NULL;
    clprim_type accumulator_type = of->accumulator_type;
    if (custom != NULL)
        CLPRIM__TRY(check_custom(custom, type, info));
    else
        CLPRIM__TRY(clprim__operator_check(type, of->op, &accumulator_type));
    const clprim_type result_type = custom != NULL ? type : accumulator_type;
    CLPRIM__TRY(check_output(of, result_type, info));
    CLPRIM__TRY(clprim__nan_order_check(of->nan_order, custom != NULL));
    if (of->initial != NULL && of->has_initial_at)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "initial and has_initial_at cannot be combined");
    if ((of->initial != NULL || of->has_initial_at) && custom == NULL)
        CLPRIM__TRY(clprim__initial_check(of->op));
    if (uses_doubles(type, of->op, accumulator_type, custom) && !info->has_fp64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);

    CLPRIM__TRY(write_texts(&self.prelude, of, info));
    if (custom != NULL)
        write_custom(&self, of, type, info->vendor);
    else
        write_built_in(&self, of, type, accumulator_type);
    clprim__text_format(text,
                        "#define ELEMENT_SIZE %zu\n#define VALUE_SIZE %zu\n#define COMMUTATIVE %d\n"
                        "#define RESULT %s\n",
                        self.element_size, self.value_size, self.is_commutative, self.result_type);
    clprim__text_format(text, "#ifndef VALUE_AT\n#define VALUE_AT(x, i) ((VALUE)VALUES_OF(, x))\n#endif\n"
                              "#ifndef FLOAT_SUM\n#define FLOAT_SUM 0\n#define NOTHING IDENTITY\n#endif\n"
                              "#if FLOAT_SUM && !defined(INITIAL)\n"
                              "#define OR_NOTHING(v, is_empty) ((is_empty) ? NOTHING : (v))\n"
                              "#else\n#define OR_NOTHING(v, is_empty) (v)\n#endif\n"
                              "#ifdef INITIAL\n"
                              "#define FROM_INITIAL(v, is_empty) COMBINE(VALUE_OF_RESULT(INITIAL), v)\n"
                              "#define INITIAL_OR_NOTHING VALUE_OF_RESULT(INITIAL)\n"
                              "#else\n#define FROM_INITIAL(v, is_empty) OR_NOTHING(v, is_empty)\n"
                              "#define INITIAL_OR_NOTHING NOTHING\n#endif\n");
    clprim__input_write(&self.prelude, of->input, type, own_type);
    clprim__output_write(&self.prelude, &of->output, result_type, own_type, "RESULT");
    self.output_size = clprim__output_size(&of->output, self.result_size);
    CLPRIM__TRY(clprim__prelude_status(&self.prelude));
    *out = self;
    self = (clprim__operator){0};
done:
    clprim__operator_clear(&self);
    return status;
}

void clprim__operator_clear(clprim__operator *self)
{
    clprim__prelude_free(&self->prelude);
    *self = (clprim__operator){0};
}

clprim_status clprim__operator_reproducible(const clprim_variant_info *variant, bool is_reproducible,
                                            const clprim_device_info *info)
{
    if (!is_reproducible)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is not reproducible across devices: use fixed_tree or AUTO",
                            variant->name);
    if (!info->has_denormals_f32)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s does not keep denormals or does not round to nearest", info->name);
    return CLPRIM_SUCCESS;
}
