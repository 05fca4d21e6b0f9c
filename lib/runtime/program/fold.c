// SPDX-License-Identifier: MIT
/* fold.c: fold elements on the host, one after another. */
#include "fold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "error.h"
#include "kinds.h"
#include "nan_order.h"
#include "operator.h"

static bool is_extremum(clprim_op op)
{
    return op == CLPRIM_MIN || op == CLPRIM_MAX || op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX;
}

static uint64_t load_bits(const void *from, size_t size)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (size) {
    case 1: memcpy(&u8, from, size); return u8;
    case 2: memcpy(&u16, from, size); return u16;
    case 4: memcpy(&u32, from, size); return u32;
    default: memcpy(&u64, from, sizeof u64); return u64;
    }
}

static void store_bits(void *to, size_t size, uint64_t bits)
{
    const uint8_t u8 = (uint8_t)bits;
    const uint16_t u16 = (uint16_t)bits;
    const uint32_t u32 = (uint32_t)bits;
    switch (size) {
    case 1: memcpy(to, &u8, size); break;
    case 2: memcpy(to, &u16, size); break;
    case 4: memcpy(to, &u32, size); break;
    default: memcpy(to, &bits, sizeof bits); break;
    }
}

/* Extend signed integers with their sign to 64 bits; unsigned integers and floats stay as they are. */
static uint64_t extended(clprim_type type, uint64_t bits)
{
    const unsigned unused = 64 - 8 * (unsigned)clprim_type_size(type);
    const uint64_t sign = UINT64_C(1) << (63 - unused);
    return clprim__is_signed(type) ? (bits ^ sign) - sign : bits;
}

/* Map an element to an unsigned number with the order that types.h describes. The sign bit of signed integers and
 * floats is flipped, and all other bits, too, of floats with the sign bit set. */
static uint64_t key_of(clprim_type type, uint64_t bits)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    const uint64_t sign = all ^ (all >> 1);
    if (clprim__is_float(type))
        return (bits & sign) != 0 ? bits ^ all : bits ^ sign;
    return clprim__is_signed(type) ? bits ^ sign : bits;
}

static uint64_t bits_of_key(clprim_type type, uint64_t key)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    const uint64_t sign = all ^ (all >> 1);
    if (clprim__is_float(type))
        return (key & sign) != 0 ? key ^ sign : key ^ all;
    return clprim__is_signed(type) ? key ^ sign : key;
}

static double load_float(clprim_type type, const void *from)
{
    float f32;
    double f64;
    switch (type) {
    case CLPRIM_F16: return (double)clprim_half_to_float((uint16_t)load_bits(from, 2));
    case CLPRIM_F32: memcpy(&f32, from, sizeof f32); return (double)f32;
    default: memcpy(&f64, from, sizeof f64); return f64;
    }
}

/* Convert an element for a float accumulator. An integer that the accumulator cannot represent is rounded to nearest,
 * ties to even. It is not converted to double and then to float, because that would round twice. */
static double load_rounded(clprim_type type, clprim_type accumulator_type, const void *from)
{
    if (clprim__is_float(type))
        return load_float(type, from);
    const uint64_t bits = extended(type, load_bits(from, clprim_type_size(type)));
    const int64_t number = (int64_t)bits;
    if (accumulator_type == CLPRIM_F64)
        return clprim__is_signed(type) ? (double)number : (double)bits;
    return (double)(clprim__is_signed(type) ? (float)number : (float)bits);
}

static bool is_nan(clprim_type type, uint64_t bits)
{
    const uint64_t infinity = type == CLPRIM_F16   ? UINT64_C(0x7c00)
                              : type == CLPRIM_F32 ? UINT64_C(0x7f800000)
                                                   : UINT64_C(0x7ff) << 52;
    const uint64_t magnitude = bits & (UINT64_MAX >> (65 - 8 * clprim_type_size(type)));
    return magnitude > infinity;
}

/* Keep the first NaN, as the library's single quiet NaN. */
static void keep_nan(clprim__fold *self)
{
    self->best_bits = self->type == CLPRIM_F16   ? UINT64_C(0x7e00)
                      : self->type == CLPRIM_F32 ? UINT64_C(0x7fc00000)
                                                 : UINT64_C(0xfff) << 51;
    self->has_nan = true;
    self->best_index = self->count;
}

clprim_status clprim__fold_check(clprim_reference_operator *out, const clprim_reference_operator *by, bool has_initial)
{
    *out = *by;
    clprim_status status = clprim__operator_check(by->type, by->op, &out->accumulator_type);
    if (status == CLPRIM_SUCCESS && has_initial)
        status = clprim__initial_check(by->op);
    return status != CLPRIM_SUCCESS ? status : clprim__nan_order_check(by->nan_order, false);
}

void clprim__fold_begin(clprim__fold *out, const clprim_reference_operator *by, const void *initial)
{
    const clprim_type type = by->type;
    const clprim_op op = by->op;
    const clprim_type accumulator_type = by->accumulator_type;
    const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    clprim__fold self = {.type = type, .op = op, .accumulator_type = accumulator_type, .best_index = UINT64_MAX};
    self.integer = op == CLPRIM_PROD ? 1 : op == CLPRIM_AND ? UINT64_MAX : 0;
    self.f64 = op == CLPRIM_PROD ? 1 : -0.0; /* unlike +0.0, it keeps the sign of a zero */
    self.is_nothing = initial == NULL && op == CLPRIM_SUM;
    self.best_bits = bits_of_key(type, op == CLPRIM_MIN || op == CLPRIM_ARGMIN ? all : 0);
    if (initial != NULL && clprim__is_float(accumulator_type))
        self.f64 = load_float(accumulator_type, initial);
    if (initial != NULL) {
        self.integer = load_bits(initial, clprim_type_size(accumulator_type));
        self.best_bits = load_bits(initial, clprim_type_size(type));
    }
    self.f32 = (float)self.f64;
    self.propagates_nans = by->nan_order == CLPRIM_NAN_LAST && clprim__is_float(type);
    if (initial != NULL && self.propagates_nans && is_nan(type, self.best_bits))
        keep_nan(&self);
    *out = self;
}

static void add_extremum(clprim__fold *self, uint64_t bits)
{
    if (self->has_nan)
        return;
    if (self->propagates_nans && is_nan(self->type, bits)) {
        keep_nan(self);
        return;
    }
    const uint64_t key = key_of(self->type, bits);
    const uint64_t best = key_of(self->type, self->best_bits);
    const bool is_better = self->op == CLPRIM_MIN || self->op == CLPRIM_ARGMIN ? key < best : key > best;
    if (is_better || self->best_index == UINT64_MAX) {
        if (is_better)
            self->best_bits = bits;
        self->best_index = self->count;
    }
}

void clprim__fold_add(clprim__fold *self, const void *element)
{
    const bool product = self->op == CLPRIM_PROD;
    if (is_extremum(self->op)) {
        add_extremum(self, load_bits(element, clprim_type_size(self->type)));
    } else if (self->accumulator_type == CLPRIM_F64) {
        const double x = load_rounded(self->type, CLPRIM_F64, element);
        self->f64 = product ? self->f64 * x : self->f64 + x;
    } else if (clprim__is_float(self->accumulator_type)) {
        const float x = (float)load_rounded(self->type, CLPRIM_F32, element);
        self->f32 = product ? self->f32 * x : self->f32 + x;
    } else {
        const uint64_t x = extended(self->type, load_bits(element, clprim_type_size(self->type)));
        switch (self->op) {
        case CLPRIM_SUM: self->integer += x; break;
        case CLPRIM_PROD: self->integer *= x; break;
        case CLPRIM_AND: self->integer &= x; break;
        case CLPRIM_OR: self->integer |= x; break;
        default: self->integer ^= x; break;
        }
    }
    self->count++;
    self->is_nothing = false;
}

/* Store the result. As in kernels, NaN results of sums and products are the quiet NaN, and the sum of no elements is
 * +0.0. */
void clprim__fold_store(const clprim__fold *self, void *out)
{
    const size_t size = clprim_type_size(self->type);
    const double f64 = self->is_nothing ? 0.0 : isnan(self->f64) ? (double)NAN : self->f64;
    const float f32 = self->is_nothing ? 0.0F : isnan(self->f32) ? NAN : self->f32;
    if (self->op == CLPRIM_ARGMIN || self->op == CLPRIM_ARGMAX) {
        clprim_indexed result = {.index = self->best_index};
        store_bits(&result.value, size, self->best_bits);
        memcpy(out, &result, sizeof result);
    } else if (is_extremum(self->op)) {
        store_bits(out, size, self->best_bits);
    } else if (self->accumulator_type == CLPRIM_F64) {
        memcpy(out, &f64, sizeof f64);
    } else if (self->accumulator_type == CLPRIM_F32) {
        memcpy(out, &f32, sizeof f32);
    } else if (self->accumulator_type == CLPRIM_F16) {
        store_bits(out, sizeof(uint16_t), clprim_half_from_float(f32));
    } else {
        store_bits(out, clprim_type_size(self->accumulator_type), self->integer);
    }
}

size_t clprim__fold_result_size(const clprim_reference_operator *by)
{
    if (by->op == CLPRIM_ARGMIN || by->op == CLPRIM_ARGMAX)
        return sizeof(clprim_indexed);
    return clprim_type_size(is_extremum(by->op) ? by->type : by->accumulator_type);
}

void clprim__exact_begin(clprim__exact *out, const clprim_reference_operator *by, const void *initial)
{
    *out = (clprim__exact){.type = by->type, .op = by->op, .accumulator_type = by->accumulator_type};
    out->value = initial != NULL         ? (long double)load_float(by->accumulator_type, initial)
                 : by->op == CLPRIM_PROD ? 1.0L
                                         : 0.0L;
    out->magnitude = fabsl(out->value);
}

void clprim__exact_add(clprim__exact *self, const void *element)
{
    const long double x = (long double)load_rounded(self->type, self->accumulator_type, element);
    const long double before = self->value;
    self->value = self->op == CLPRIM_PROD ? before * x : before + x;
    if (self->op == CLPRIM_PROD) {
        self->magnitude = fabsl(self->value);
        return;
    }
    if (isfinite(self->value))
        self->correction += fabsl(before) >= fabsl(x) ? (before - self->value) + x : (x - self->value) + before;
    self->magnitude += fabsl(x);
}

/* Rounding properties of a float type: the unit roundoff, half the distance between denormals, and the least magnitude
 * that rounds to infinity. F16 is computed in F32 and rounded once more when it is stored. */
typedef struct precision {
    long double unit;
    long double half_denormal;
    long double overflow;
} precision;

/* Of F64 half a unit above the largest number; just that number where no type is wider (ARM). */
#if LDBL_MAX_EXP > DBL_MAX_EXP
#define DOUBLE_OVERFLOW 0x1.fffffffffffff8p1023L
#else
#define DOUBLE_OVERFLOW ((long double)DBL_MAX)
#endif

static const precision half_precision = {0x1p-11L, 0x1p-25L, 65520.0L};
static const precision float_precision = {0x1p-24L, 0x1p-150L, 0x1.ffffffp127L};
static const precision double_precision = {0x1p-53L, 0.0L, DOUBLE_OVERFLOW};

static long double rounding_bound(const clprim__exact *f, const precision *computed, const precision *stored,
                                  size_t depth)
{
    const long double spread = (long double)depth * computed->unit;
    if (!isfinite(f->value))
        return 0;
    if (spread >= 1 || f->magnitude >= computed->overflow) /* no bound: some order may overflow */
        return (long double)INFINITY;
    /* LDBL_EPSILON accounts for the rounding of this computation itself. */
    const long double operations = (spread / (1 - spread) + 4 * LDBL_EPSILON) * f->magnitude;
    if (computed == stored)
        return operations;
    return operations + stored->unit * (fabsl(f->value) + operations) + stored->half_denormal;
}

static long double distance(const clprim__exact *f, const precision *stored, long double bound, long double result)
{
    if (isnan(f->value) || isnan(result) || isinf(f->value))
        return (isnan(f->value) && isnan(result)) || f->value == result ? 0 : (long double)INFINITY;
    if (!isinf(result))
        return fabsl((f->value - result) + f->correction);
    /* An infinite result is correct if the distance from the exact value to the nearest value that rounds to infinity
     * is within the bound. */
    const long double missing = stored->overflow - (result > 0 ? f->value : -f->value);
    return missing <= 0 ? 0 : missing <= bound ? missing : (long double)INFINITY;
}

void clprim__exact_judge(double *error, double *bound, const clprim__exact *self, size_t depth, const void *result)
{
    const clprim_type accumulator_type = self->accumulator_type;
    const precision *computed = accumulator_type == CLPRIM_F64 ? &double_precision : &float_precision;
    const precision *stored = accumulator_type == CLPRIM_F16 ? &half_precision : computed;
    clprim__exact finite = *self;
    if (!isfinite(self->value))
        finite.correction = 0;
    const long double allowed = rounding_bound(&finite, computed, stored, depth);
    *error = (double)distance(&finite, stored, allowed, (long double)load_float(accumulator_type, result));
    *bound = (double)allowed;
}

clprim_status clprim__exact_check(clprim_reference_operator *out, const clprim_reference_operator *by)
{
    const clprim_status status = clprim__fold_check(out, by, false);
    if (status != CLPRIM_SUCCESS)
        return status;
    const bool rounds = by->combine == NULL && clprim__is_float(out->accumulator_type);
    if (!rounds || (by->op != CLPRIM_SUM && by->op != CLPRIM_PROD))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "only float sums and products can be judged by their rounding");
    return CLPRIM_SUCCESS;
}
