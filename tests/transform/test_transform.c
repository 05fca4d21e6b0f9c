// SPDX-License-Identifier: MIT
/* test_transform.c: every variant gives the numbers from 0 on in every type, and results that texts compute from
 * numbers, structs and arrays of every type, from arrays that are longer than the call, and in place; and calls that
 * are refused. */
#include "ordered.h"

enum { MAX_COUNT = 32771, TABLE = 256, OUTPUTS = 3 };

typedef clprim_transform_desc description;
typedef clprim_transform_call call_of;

static const size_t counts[] = {0,   1,    2,    3,    127,  128,  129,  255,   256,   257,
                                511, 1023, 1024, 1025, 2049, 4097, 8193, 16385, 32769, MAX_COUNT};

/* Computes what the call writes from its arguments, which depend on the seed. */
typedef void (*expect_fn)(const call_of *call, uint64_t seed);

/* Check each variant and all sizes. expect NULL: the reference computes what the call writes. */
static void check_all(const description *desc, const call_of *call, expect_fn expect)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = 0; variant <= test_last_variant(&clprim_transform_operation); variant++) {
        description by = *desc;
        by.variant = (clprim_transform_variant)variant;
        by.work_group_size = variant == 0 ? 0 : 64;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_transform_operation, &by))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                call_of sized = *call;
                sized.count = counts[i];
                if (expect != NULL)
                    expect(&sized, TEST_SEED + i);
                test_call_fill(&self, &sized, TEST_SEED + i);
                test_call_check(&self, "%zu elements", counts[i]);
                if (i % 3 == 0)
                    test_call_check_run(&self, "%zu elements on the host", counts[i]);
            }
    }
    clprim_runtime_destroy(runtime);
}

TEST_EACH(transform, numbers, CLPRIM_TYPE_END, .timeout = 600)
{
    check_all(&(description){.types = {(clprim_type)*number}}, &(call_of){.count = 0}, NULL);
}

/* a * x[i] + y[i] with values that each type represents exactly; halves are floats inside the text. */
static const struct {
    clprim_type type;
    const char *text;
} sums[] = {
    {CLPRIM_I8, "a * x[i] + y[i]"},
    {CLPRIM_U8, "a * x[i] + y[i]"},
    {CLPRIM_I16, "a * x[i] + y[i]"},
    {CLPRIM_U16, "a * x[i] + y[i]"},
    {CLPRIM_I32, "a * x[i] + y[i]"},
    {CLPRIM_U32, "a * x[i] + y[i]"},
    {CLPRIM_I64, "a * x[i] + y[i]"},
    {CLPRIM_U64, "a * x[i] + y[i]"},
    {CLPRIM_F32, "a * x[i] + y[i]"},
    {CLPRIM_F64, "a * x[i] + y[i]"},
    {CLPRIM_F16, "a * vload_half(i, x) + vload_half(i, y)"},
};

/* Store `number`, from 0 to 31, as a value of the type. */
static void put(void *to, clprim_type type, size_t i, unsigned number)
{
    const size_t size = clprim_type_size(type);
    const uint16_t half = clprim_half_from_float((float)number);
    const float f32 = (float)number;
    const double f64 = (double)number;
    const uint64_t integer = number; /* little-endian */
    memcpy((char *)to + i * size,
           type == CLPRIM_F16   ? (const void *)&half
           : type == CLPRIM_F32 ? (const void *)&f32
           : type == CLPRIM_F64 ? (const void *)&f64
                                : (const void *)&integer,
           size);
}

static clprim_type summed; /* for expect_sums, which gets only the call */

static void expect_sums(const call_of *call, uint64_t seed)
{
    put(call->arguments[0].host, summed, 0, 3);
    for (size_t i = 0; i < call->count; i++) {
        const unsigned x = (unsigned)test_random_below(&seed, 16);
        const unsigned y = (unsigned)test_random_below(&seed, 16);
        put(call->arguments[1].host, summed, i, x);
        put(call->arguments[2].host, summed, i, y);
        put(call->out[0].host, summed, i, 3 * x + y);
    }
}

static uint64_t room[4][MAX_COUNT];

TEST_EACH(transform, numbers_and_arrays_of_each_type, sizeof sums / sizeof *sums, .timeout = 600)
{
    const clprim_type type = sums[*number].type;
    summed = type;
    check_all(
        &(description){.types = {type},
                       .expressions = {sums[*number].text},
                       .text.parameters = {{"a", type}, {"x", type, .is_array = true}, {"y", type, .is_array = true}}},
        &(call_of){.arguments = {{.host = room[0]}, {.host = room[1]}, {.host = room[2]}}, .out = {{.host = room[3]}}},
        expect_sums);
}

static uint8_t bytes[MAX_COUNT], next_bytes[MAX_COUNT];
static int16_t shorts[MAX_COUNT];
static int32_t products[MAX_COUNT];

static void expect_products(const call_of *call, uint64_t seed)
{
    for (size_t i = 0; i < call->count; i++) {
        bytes[i] = (uint8_t)test_random(&seed);
        shorts[i] = (int16_t)test_random(&seed);
        next_bytes[i] = (uint8_t)(bytes[i] + 1);
        products[i] = bytes[i] * shorts[i] - (int32_t)i;
    }
}

/* Arguments and outputs of one, two and four bytes. The number of elements in a packet is the number of the widest
 * elements that fit in 16 bytes. Macros of the caller must not change arguments, but may change outputs. */
Test(transform, packets_of_small_and_wide_elements, .timeout = 600)
{
    static const char *const sources[] = {NULL, "#define unused 1\n"};
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
        check_all(&(description){.types = {CLPRIM_U8, CLPRIM_I32},
                                 .expressions = {"x[i] + 1", "x[i] * y[i] - (int)i"},
                                 .text = {.source = sources[k],
                                          .parameters = {{"x", CLPRIM_U8, .is_array = true},
                                                         {"y", CLPRIM_I16, .is_array = true}}}},
                  &(call_of){.arguments = {{.host = bytes}, {.host = shorts}},
                             .out = {{.host = next_bytes}, {.host = products}}},
                  expect_products);
}

/* Points are three words. */
typedef struct point {
    uint32_t x, y, z;
} point;

static uint8_t indices[MAX_COUNT];
static point points[TABLE], moved[MAX_COUNT];
static point shift = {7, 8, 9};
static uint16_t halves[MAX_COUNT];
static int64_t places[MAX_COUNT];

static void expect_points(const call_of *call, uint64_t seed)
{
    for (size_t k = 0; k < TABLE; k++)
        points[k] = (point){(uint32_t)test_random(&seed), (uint32_t)k, (uint32_t)test_random_below(&seed, 100)};
    for (size_t i = 0; i < call->count; i++) {
        indices[i] = (uint8_t)test_random(&seed);
        const point p = points[indices[i]];
        moved[i] = (point){p.x + shift.x, p.y + shift.y, p.z + shift.z};
        halves[i] = clprim_half_from_float((float)p.z / 4);
        places[i] = (int64_t)i - 5;
    }
}

/* The text reads a table that is longer, or shorter, than the call. Names belong to the caller even if they are macros,
 * and even if the library uses the same names. */
Test(transform, structs_tables_and_several_outputs, .timeout = 600)
{
    check_all(
        &(description){.text.source = "typedef struct { uint x, y, z; } point;\n"
                                      "#define shift 1\n#define uchar int\n"
                                      "static point sum(point p, point q) "
                                      "{ return (point){p.x + q.x, p.y + q.y, p.z + q.z}; }",
                       .text.parameters = {{.name = "results", .type_name = "point", .type_size = 12, .is_array = true},
                                           {.name = "shift", .type_name = "point", .type_size = 12},
                                           {"first", CLPRIM_U8, .is_array = true}},
                       .expressions = {"sum(results[first[i]], shift)", "results[first[i]].z / 4.0f", "i - 5"},
                       .types = {CLPRIM_TYPE_DEFAULT, CLPRIM_F16, CLPRIM_I64},
                       .type_names = {"point"},
                       .type_sizes = {12}},
        &(call_of){.arguments = {{.host = points, .length = TABLE}, {.host = &shift}, {.host = indices}},
                   .out = {{.host = moved}, {.host = halves}, {.host = places}}},
        expect_points);
}

/* An output may overwrite an argument, on the device and on the host. A call's numbers may differ from the previous
 * call's, and nothing is compiled for them. */
TEST_WITH_RUNTIME(transform, in_place_with_another_number_each_time)
{
    enum { COUNT = 10007, TIMES = 3 };
    static const description desc = {.expressions = {"a * x[i] + i"},
                                     .text.parameters = {{"x", CLPRIM_I32, .is_array = true}, {"a", CLPRIM_I32}}};
    static int32_t x[COUNT], expected[COUNT];
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_transform_create(&plan, runtime, &desc));
    const clprim_program_stats before = clprim_runtime_program_stats(runtime);
    cl_mem buffer = test_upload(runtime, x, sizeof x);
    int32_t numbers[TIMES] = {3, -1, 1000};
    for (int k = 0; k < TIMES; k++) {
        int32_t own = numbers[k];
        const call_of call = {.arguments = {{buffer}, {.host = &own}}, .count = COUNT, .out = {{buffer}}};
        ASSERT_OK(clprim_transform_enqueue(plan, NULL, &call, 0, NULL, NULL));
        own = 0; /* it was copied */
        for (int32_t i = 0; i < COUNT; i++)
            expected[i] = (int32_t)((uint32_t)numbers[k] * (uint32_t)expected[i]) + i;
    }
    test_read(runtime, x, buffer, sizeof x);
    test_expect_same(expected, x, sizeof *x, COUNT, "on the device");
    cr_assert_eq(clprim_runtime_program_stats(runtime).built, before.built);
    memset(x, 0, sizeof x);
    for (int k = 0; k < TIMES; k++)
        ASSERT_OK(clprim_transform_run(
            runtime, &desc,
            &(call_of){.arguments = {{.host = x}, {.host = &numbers[k]}}, .count = COUNT, .out = {{.host = x}}}));
    test_expect_same(expected, x, sizeof *x, COUNT, "on the host");
    ASSERT_CL(clReleaseMemObject(buffer));
    clprim_plan_destroy(plan);
}

/* Bytes are 0 and 1, whatever the value is and however many elements are in a packet. */
TEST_WITH_RUNTIME(transform, bools)
{
    enum { COUNT = 10007 };
    static uint8_t x[COUNT], expected[3][COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = (uint8_t)(i * 40503 >> 5);
        expected[0][i] = (x[i] & 12) != 0;
        expected[1][i] = expected[2][i] = x[i] != 0;
    }
    for (int variant = 0; variant <= test_last_variant(&clprim_transform_operation); variant++)
        test_check_known(runtime, &clprim_transform_operation,
                         &(description){.expressions = {"x[i] & 12", "x[i] * 256", "x[i] * 0.001f"},
                                        .type_names = {"bool", "bool", "bool"},
                                        .type_sizes = {1, 1, 1},
                                        .text.parameters = {{"x", CLPRIM_U8, .is_array = true}},
                                        .variant = (clprim_transform_variant)variant},
                         &(call_of){.arguments = {{.host = x}},
                                    .count = COUNT,
                                    .out = {{.host = expected[0]}, {.host = expected[1]}, {.host = expected[2]}}});
}

#define INVALID(culprit, ...) TEST_INVALID(transform, culprit, false, __VA_ARGS__)

Test(transform, refusals)
{
    TEST_REFUSE_EACH(
        transform, INVALID("''", .text.parameters = {{.name = ""}}),
        INVALID("'1a'", .text.parameters = {{.name = "1a"}}), INVALID("'a b'", .text.parameters = {{.name = "a b"}}),
        INVALID("'clprim__a'", .text.parameters = {{.name = "clprim__a"}}),
        INVALID("'i'", .text.parameters = {{.name = "i"}}), INVALID("'float'", .text.parameters = {{.name = "float"}}),
        INVALID("type_sizes[0]", .expressions = {"i"}, .type_names = {"bool"}, .type_sizes = {4}),
        INVALID("'b'", .text.parameters = {{.name = "b"}, {.name = "b"}}),
        INVALID("parameters[1]", .text.parameters = {{.name = "a"}, {.type = CLPRIM_U8}}),
        INVALID("type 99", .text.parameters = {{.name = "a", .type = (clprim_type)99}}),
        INVALID("type_size", .text.parameters = {{.name = "a", .type_name = "uint"}}),
        INVALID("expressions[1]", .types = {CLPRIM_U8, CLPRIM_U8}),
        INVALID("expressions[1]", .expressions = {"i", NULL, "i"}),
        INVALID("expressions[0]", .type_names = {"uint"}, .type_sizes = {4}),
        TEST_MISTAKE(transform, "expressions_1:1", .expressions = {"i", "nothing"}),
        TEST_MISTAKE(transform, "type_size", .expressions = {"a"},
                     .text.parameters = {{.name = "a", .type_name = "uint", .type_size = 8}}));
}

/* Errors in calls with `a`, a number, and x, an array. */
TEST_WITH_RUNTIME(transform, refuses_calls)
{
    enum { COUNT = 16 };
    static const description desc = {.expressions = {"a + x[i]"},
                                     .text.parameters = {{"a", CLPRIM_I32}, {"x", CLPRIM_I32, .is_array = true}}};
    int32_t number = 1;
    int32_t on_host[COUNT] = {0};
    clprim_plan *plan = NULL;
    cl_mem buffer = test_upload(runtime, on_host, sizeof on_host);
    const clprim_array a = {.host = &number};
    const struct {
        clprim_status status;
        const char *culprit;
        call_of call;
    } rows[] = {
        {CLPRIM_INVALID_ARGUMENT, "arguments[0]", {.arguments = {{buffer}, {buffer}}, .out = {{buffer}}}},
        {CLPRIM_INVALID_ARGUMENT, "arguments[0]", {.arguments = {{.host = NULL}, {buffer}}, .out = {{buffer}}}},
        {CLPRIM_INVALID_ARGUMENT, "arguments", {.arguments = {a}, .out = {{buffer}}}},
        {CLPRIM_INVALID_ARGUMENT, "arguments", {.arguments = {a, {buffer}, {buffer}}, .out = {{buffer}}}},
        {CLPRIM_INVALID_ARGUMENT, "out", {.arguments = {a, {buffer}}, .out = {{buffer}, {buffer}}}},
        {CLPRIM_INVALID_RANGE, "arguments", {.arguments = {a, {buffer, .length = COUNT + 1}}, .out = {{buffer}}}},
        {CLPRIM_INVALID_RANGE, "length of 7", {.arguments = {a, {buffer}}, .out = {{buffer, .length = 7}}}},
        {CLPRIM_INVALID_OVERLAP, "overlap", {.arguments = {a, {buffer, .length = 8}}, .out = {{buffer, .offset = 1}}}},
        {CLPRIM_INVALID_RANGE,
         "arguments[1] has a length of 7",
         {.arguments = {a, {buffer, .length = 7}}, .out = {{buffer, .offset = 8}}}},
    };
    ASSERT_OK(clprim_transform_create(&plan, runtime, &desc));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        call_of call = rows[i].call;
        call.count = COUNT / 2;
        test_expect_status(clprim_transform_enqueue(plan, NULL, &call, 0, NULL, NULL), rows[i].status, rows[i].culprit,
                           "enqueue");
        test_expect_status(clprim_transform_run(runtime, &desc, &call), rows[i].status, rows[i].culprit, "run");
    }
    ASSERT_CL(clReleaseMemObject(buffer));
    clprim_plan_destroy(plan);
}

/* Arrays that are shorter than the call are refused if the text certainly reads past them, and only then. */
TEST_WITH_RUNTIME(transform, arguments_shorter_than_the_call)
{
    enum { COUNT = 5, SHORT = 3 };
    static const struct {
        const char *text, *source, *options;
        bool is_refused;
        int32_t expected; /* at the last place, if it is not refused */
    } rows[] = {
        {.text = "x[i] + y[i]", .is_refused = true},
        {.text = "x[i] + y [ /* at */ i ]", .is_refused = true},
        {.text = "x[y[i]]", .is_refused = true},
        {.text = "twice(y[i])", .source = "int twice(int v) { return 2 * v; }", .is_refused = true},
        {.text = "x[i] & y[i]", .is_refused = true},
        {.text = "y[i % 3]", .expected = 11},
        {.text = "i < 3 ? y[i] : x[i]", .expected = 104},
        {.text = "i < 3 && y[i] > 0", .expected = 0},
        {.text = "i >= 3 || y[i] > 0", .expected = 1},
        {.text = "AT(y, i)", .source = "#define AT(a, k) (k < 3 ? a[k] : 7)", .expected = 7},
        {.text = "NOT(y[i])", .options = "-DNOT(v)=9", .expected = 9},
        {.text = "(int)sizeof(y[i])", .expected = 4},
        {.text = "*(&y[i] - 2)", .expected = 12},
        {.text = "(int)((struct some){{x[i]}}).y[0]", .source = "struct some { int y[3]; };", .expected = 104},
    };
    const int32_t x[COUNT] = {100, 101, 102, 103, 104};
    const int32_t y[SHORT] = {10, 11, 12};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int32_t out[COUNT] = {0};
        const description desc = {
            .expressions = {rows[r].text},
            .text = {.source = rows[r].source,
                     .parameters = {{"x", CLPRIM_I32, .is_array = true}, {"y", CLPRIM_I32, .is_array = true}},
                     .options = rows[r].options}};
        const clprim_status status =
            clprim_transform_run(runtime, &desc,
                                 &(call_of){.arguments = {{.host = (void *)(uintptr_t)x, .length = COUNT},
                                                          {.host = (void *)(uintptr_t)y, .length = SHORT}},
                                            .count = COUNT,
                                            .out = {{.host = out}}});
        if (rows[r].is_refused)
            test_expect_status(status, CLPRIM_INVALID_RANGE, "arguments[1] has a length of 3", rows[r].text);
        else
            test_expect_status(status, CLPRIM_SUCCESS, "", rows[r].text);
        cr_expect_eq(out[COUNT - 1], rows[r].expected, "%s: %d", rows[r].text, out[COUNT - 1]);
    }
}

static uint32_t given[MAX_COUNT], reversed[MAX_COUNT], rotated[MAX_COUNT];
static uint64_t count_of_order, shift_of_order;

static void expect_orders(const call_of *call, uint64_t seed)
{
    count_of_order = call->count;
    shift_of_order = call->count > 0 ? test_random_below(&seed, call->count) : 0;
    for (size_t i = 0; i < call->count; i++)
        given[i] = (uint32_t)test_random(&seed);
    for (size_t i = 0; i < call->count; i++) {
        reversed[call->count - 1 - i] = given[i];
        rotated[(i + call->count - (size_t)shift_of_order) % call->count] = given[i];
    }
}

/* The examples of docs/guides/expressions.md. */
Test(transform, reverses_and_rotates, .timeout = 600)
{
    check_all(
        &(description){
            .expressions = {"x[n - 1 - i]", "x[i + shift < n ? i + shift : i + shift - n]"},
            .types = {CLPRIM_U32, CLPRIM_U32},
            .text.parameters = {{"x", CLPRIM_U32, .is_array = true}, {"n", CLPRIM_U64}, {"shift", CLPRIM_U64}}},
        &(call_of){.arguments = {{.host = given}, {.host = &count_of_order}, {.host = &shift_of_order}},
                   .out = {{.host = reversed}, {.host = rotated}}},
        expect_orders);
}
