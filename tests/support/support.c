// SPDX-License-Identifier: MIT
/* support.c: what all tests share. */
#include "support.h"

#include "kinds.h"
#include "slots.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *test_allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    cr_assert_not_null(memory);
    return memory;
}

void *test_memory(size_t place, size_t bytes)
{
    enum { PLACES = 64 };
    static void *memory[PLACES];
    static size_t room[PLACES];
    cr_assert_lt(place, PLACES);
    if (memory[place] == NULL || bytes > room[place]) {
        free(memory[place]);
        memory[place] = test_allocate(bytes);
        room[place] = bytes;
    }
    return memory[place];
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

bool test_is_full(void)
{
    return is_set("CLPRIM_TEST_FULL");
}

bool test_is_quick(void)
{
    return is_set("CLPRIM_TEST_QUICK") && !test_is_full();
}

bool test_is_sample(void)
{
    const char *turn = getenv("CLPRIM_TEST_TURN"); /* an empty variable counts as 0 */
    return test_is_quick() || (turn != NULL && turn[0] != '\0' && !test_is_full());
}

/* Each test runs in a separate process. */
__attribute__((constructor)) static void take_locale(void)
{
    const char *name = getenv("CLPRIM_TEST_LOCALE");
    if (name != NULL)
        (void)setlocale(LC_ALL, name);
}

bool test_has_locale(void)
{
    const char *name = getenv("CLPRIM_TEST_LOCALE");
    return name == NULL || strcmp(setlocale(LC_NUMERIC, NULL), name) == 0;
}

#if defined(_WIN32) /* where there are no such signals */
static void end_at_divisions_by_zero(void)
{
}
#else
/* PoCL's SIGFPE handler skips integer divisions by zero, even in our code. If the thread blocks the signal, such a
 * division ends the process, as with drivers that have no handler. PoCL's own threads, which run the kernels, already
 * exist. */
static void end_at_divisions_by_zero(void)
{
    sigset_t divisions;
    (void)sigemptyset(&divisions);
    (void)sigaddset(&divisions, SIGFPE);
    cr_assert_eq(pthread_sigmask(SIG_BLOCK, &divisions, NULL), 0);
}
#endif

clprim_runtime *test_runtime(const clprim_runtime_desc *desc)
{
    clprim_runtime *runtime = NULL;
    test_take_slot();
    ASSERT_OK(clprim_runtime_create(&runtime, desc));
    end_at_divisions_by_zero();
    return runtime;
}

cl_command_queue test_queue(const clprim_runtime *runtime, cl_command_queue_properties properties)
{
    cl_int code = CL_SUCCESS;
    cl_command_queue queue =
        clCreateCommandQueue(clprim_runtime_context(runtime), clprim_runtime_info(runtime)->device, properties, &code);
    ASSERT_CL(code);
    return queue;
}

cl_mem test_buffer_for(const clprim_runtime *runtime, cl_mem_flags flags, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(clprim_runtime_context(runtime), flags, bytes > 0 ? bytes : 1, NULL, &code);
    ASSERT_CL(code);
    return buffer;
}

cl_mem test_buffer(const clprim_runtime *runtime, size_t bytes)
{
    return test_buffer_for(runtime, CL_MEM_READ_WRITE, bytes);
}

cl_mem test_upload(const clprim_runtime *runtime, const void *data, size_t bytes)
{
    cl_mem buffer = test_buffer(runtime, bytes);
    test_write(runtime, buffer, data, bytes);
    return buffer;
}

cl_mem test_part(cl_mem whole, size_t begin, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    const cl_buffer_region region = {begin, bytes};
    cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    return part;
}

void test_write(const clprim_runtime *runtime, cl_mem buffer, const void *data, size_t bytes)
{
    const cl_command_queue queue = clprim_runtime_queue(runtime);
    if (bytes == 0)
        return;
    ASSERT_CL(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    ASSERT_CL(clFinish(queue)); /* Intel's CPU runtime 2026.22 returns from blocking writes before they are done */
}

void test_read(const clprim_runtime *runtime, void *data, cl_mem buffer, size_t bytes)
{
    if (bytes > 0)
        ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(runtime), buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

void test_wait(cl_event done)
{
    cr_assert_not_null(done);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
}

cl_event test_gate(const clprim_runtime *runtime)
{
    cl_int code = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(clprim_runtime_context(runtime), &code);
    ASSERT_CL(code);
    return gate;
}

void test_gate_open(cl_event gate)
{
    ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    ASSERT_CL(clReleaseEvent(gate));
}

bool test_is_status(clprim_status got, clprim_status expected, const char *culprit)
{
    const char *sentence = clprim_last_error();
    return got == expected && (got == CLPRIM_SUCCESS || (sentence[0] != '\0' && strstr(sentence, culprit) != NULL));
}

void test_expect_same(const void *expected, const void *got, size_t size, size_t count, const char *what)
{
    if (count == 0 || memcmp(expected, got, count * size) == 0)
        return;
    size_t first = 0;
    const unsigned char *bytes[2] = {expected, got};
    while (memcmp(bytes[0] + first * size, bytes[1] + first * size, size) == 0)
        first++;
    uint64_t words[2][2] = {{0}};
    for (int i = 0; i < 2; i++)
        memcpy(words[i], bytes[i] + first * size, size < sizeof words[i] ? size : sizeof words[i]);
    cr_assert_fail("%s: element %zu is %llx %llx, not %llx %llx", what, first, (unsigned long long)words[1][0],
                   (unsigned long long)words[1][1], (unsigned long long)words[0][0], (unsigned long long)words[0][1]);
}

void test_expect_kept(const void *before, const void *after, size_t begin, size_t end, size_t bytes, const char *what)
{
    const unsigned char *was = before;
    const unsigned char *is = after;
    if (memcmp(was, is, begin < bytes ? begin : bytes) == 0 &&
        (end >= bytes || memcmp(was + end, is + end, bytes - end) == 0))
        return;
    for (size_t i = 0; i < bytes; i++)
        if ((i < begin || i >= end) && was[i] != is[i])
            cr_assert_fail("%s: byte %zu was written; only [%zu, %zu) may be", what, i, begin, end);
}

bool test_is_float(clprim_type type)
{
    return type == CLPRIM_F16 || type == CLPRIM_F32 || type == CLPRIM_F64 || type == CLPRIM_BF16;
}

bool test_is_arithmetic(clprim_op op)
{
    return op == CLPRIM_SUM || op == CLPRIM_PROD;
}

bool test_op_is_valid(clprim_type type, clprim_op op)
{
    return !test_is_float(type) || (op != CLPRIM_AND && op != CLPRIM_OR && op != CLPRIM_XOR);
}

/* The number of significant bits: for an integer, all except the sign. */
static unsigned digits_of(clprim_type type)
{
    const unsigned bits = (unsigned)(8 * clprim_type_size(type));
    return !test_is_float(type) ? bits - clprim__is_signed(type) : bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

uint64_t test_infinity(clprim_type type)
{
    const uint64_t wide = type == CLPRIM_F64 ? UINT64_C(0x7ff0000000000000) : 0;
    return type == CLPRIM_F16 ? 0x7c00 : type == CLPRIM_BF16 ? 0x7f80 : type == CLPRIM_F32 ? 0x7f800000 : wide;
}

bool test_accumulator_is_valid(clprim_type type, clprim_type accumulator)
{
    if (test_is_float(accumulator))
        return digits_of(accumulator) >= digits_of(type) || (!test_is_float(type) && accumulator != CLPRIM_F16);
    return !test_is_float(type) && digits_of(accumulator) >= digits_of(type) &&
           (clprim__is_signed(accumulator) || !clprim__is_signed(type));
}

bool test_can_wait(const clprim_runtime *runtime)
{
    return clprim_runtime_info(runtime)->has_forward_progress;
}

size_t test_result_size(clprim_type type, clprim_op op, clprim_type accumulator)
{
    if (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX)
        return sizeof(clprim_indexed);
    return clprim_type_size(test_is_arithmetic(op) && accumulator != CLPRIM_TYPE_DEFAULT ? accumulator : type);
}

/* The state of test_fill. */
typedef struct filling {
    clprim_type type;
    clprim_op op;
    test_pattern pattern;
    size_t count;
    uint64_t mode; /* the seed: selects a kind of special numbers, and the value of equal elements */
    uint64_t random;
} filling;

static uint64_t integer_bits(filling *f, size_t i)
{
    const unsigned bits = (unsigned)(8 * clprim_type_size(f->type));
    const uint64_t all = UINT64_MAX >> (64 - bits);
    const uint64_t least = clprim__is_signed(f->type) ? UINT64_C(1) << (bits - 1) : 0;
    const uint64_t extremes[] = {0, 1, all, all >> 1, (all >> 1) + 1, all - 1};
    uint64_t equal = f->mode;
    switch (f->pattern) {
    case TEST_EQUAL: return test_random(&equal);
    case TEST_DESCENDING: i = f->count - 1 - i; /* fall through */
    case TEST_ASCENDING: return least + (bits < 64 ? i * all / f->count : i * (all / f->count));
    case TEST_FEW_DISTINCT: equal += test_random_below(&f->random, 4); return test_random(&equal);
    case TEST_EXTREMES: /* fall through */
    case TEST_SPECIALS: return extremes[test_random_below(&f->random, 6)];
    case TEST_ONE_SPECIAL: return i == f->count / 2 ? extremes[f->mode % 6] : 3;
    default: return test_random(&f->random);
    }
}

static uint64_t bits_of(clprim_type type, double value)
{
    const float narrow = (float)value;
    uint64_t wide = 0;
    uint32_t bits = 0;
    memcpy(&wide, &value, sizeof wide);
    memcpy(&bits, &narrow, sizeof bits);
    return type == CLPRIM_F64    ? wide
           : type == CLPRIM_F32  ? bits
           : type == CLPRIM_BF16 ? bits >> 16
                                 : clprim_half_from_float(narrow);
}

void test_store(clprim_type type, void *out, size_t i, double value)
{
    const uint64_t bits = bits_of(type, value);
    const size_t size = clprim_type_size(type);
    memcpy((char *)out + i * size, &bits, size); /* little-endian, like all supported devices */
}

/* The k-th of 16 special numbers: zero, denormals, infinity and NaNs, with both signs; for products, no denormals. */
static uint64_t special_bits(const filling *f, uint64_t k)
{
    const unsigned bits = (unsigned)(8 * clprim_type_size(f->type));
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t infinity = test_infinity(f->type);
    const uint64_t mantissa = sign - 1 - infinity;
    const uint64_t tiny = f->op == CLPRIM_PROD ? 0 : 1;
    const uint64_t magnitudes[8] = {
        0, tiny, tiny * mantissa, infinity, infinity, infinity | 1, infinity | (mantissa + 1) / 2, infinity | mantissa};
    return magnitudes[k % 8] | (k / 8 % 2 == 0 ? 0 : sign);
}

/* Data for sums and products contain only one kind of special number at a time; otherwise every result would be NaN. */
static uint64_t sprinkled_bits(filling *f, double ordinary)
{
    static const uint64_t kinds[4][4] = {{0, 1, 9, 10}, {3, 4, 3, 3}, {3, 11, 4, 12}, {5, 6, 15, 7}};
    const uint64_t k = kinds[f->mode % 4][test_random_below(&f->random, 4)];
    return f->mode % 4 == 0 || test_random_below(&f->random, 16) == 0 ? special_bits(f, k) : bits_of(f->type, ordinary);
}

/* For sums: from [-1, 1) and beyond. For products: near 1, so that they neither overflow nor underflow. */
static double ordinary_float(filling *f, size_t i)
{
    const bool product = f->op == CLPRIM_PROD;
    const double unit = (double)(test_random(&f->random) >> 11) * 0x1p-53;
    const double sign = test_random_below(&f->random, 2) == 0 ? 1.0 : -1.0;
    const int widest = f->type == CLPRIM_F16 ? 9 : f->type == CLPRIM_F64 ? 900 : 100;
    double few[] = {-1.5, -0.0, 0.0, 3.25};
    double exponent = 1.0;
    switch (f->pattern) {
    case TEST_EXACT:
        if (product)
            return i % 1024 == 0 ? 2.0 : i % 1024 == 1 ? 0.5 : sign;
        return (double)test_random_below(&f->random, 17) - 8.0;
    case TEST_ONE_SPECIAL: /* fall through */
    case TEST_EQUAL: return product ? -1.0 : (double)(f->mode % 1000) / 999.0 - 0.4;
    case TEST_DESCENDING: i = f->count - 1 - i; /* fall through */
    case TEST_ASCENDING: return (product ? 0x1p-8 : 1.0) * (2.0 * (double)i / (double)f->count - 1.0) + product;
    case TEST_FEW_DISTINCT:
        return product ? sign + (unit < 0.5 ? 0x1p-9 : -0x1p-9) : few[test_random_below(&f->random, 4)];
    case TEST_EXTREMES:
        if (product)
            return sign * (1.0 + 0x1p-6 * (2.0 * unit - 1.0));
        for (size_t e = test_random_below(&f->random, (size_t)widest); e > 0; e--)
            exponent *= 2.0;
        return sign * (unit < 0.5 ? exponent : 1.0 / exponent);
    default: return product ? sign * (1.0 + 0x1p-8 * (2.0 * unit - 1.0)) : 2.0 * unit - 1.0;
    }
}

static uint64_t float_bits(filling *f, size_t i)
{
    const double ordinary = ordinary_float(f, i);
    if (f->pattern == TEST_ONE_SPECIAL && i == f->count / 2)
        return special_bits(f, f->mode);
    if (f->pattern != TEST_SPECIALS)
        return bits_of(f->type, ordinary);
    if (test_is_arithmetic(f->op))
        return sprinkled_bits(f, ordinary);
    return special_bits(f, test_random(&f->random));
}

void test_fill(void *out, clprim_type type, clprim_op op, test_pattern pattern, size_t count, uint64_t seed)
{
    filling f = {.type = type, .op = op, .pattern = pattern, .count = count, .mode = seed, .random = seed};
    const size_t size = clprim_type_size(type);
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = test_is_float(type) ? float_bits(&f, i) : integer_bits(&f, i);
        memcpy((char *)out + i * size, &bits, size); /* little-endian, like all supported devices */
    }
}

static const char native[] = "native_kernels";

void test_without(const char *features)
{
    char list[256];
    const char *before = getenv("CLPRIM_WITHOUT");
    const char *given = features != NULL ? features : "";
    const char *more = before != NULL && strstr(before, native) != NULL ? native : "";
    (void)snprintf(list, sizeof list, "%s%s%s", given, given[0] != '\0' && more[0] != '\0' ? "," : "", more);
    test_setenv("CLPRIM_WITHOUT", list);
}

bool test_lacks_features(void)
{
    const char *list = getenv("CLPRIM_WITHOUT");
    return list != NULL && list[0] != '\0' && strcmp(list, native) != 0;
}
