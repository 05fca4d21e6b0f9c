/* test_scan.custom.c: scans by operators of the caller's own, on built-in types and on structs, in segments too. */
#include "test_scan.h"
#include "operators.h"

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, 20011};

enum { NUM_COUNTS = sizeof counts / sizeof *counts, MAX_COUNT = 20011, MAX_SIZE = 40 };

/* All counts, in place or not, against the host's scan. begins is NULL, or the head flags of a scan by segments. */
static void check_desc(clprim_runtime *runtime, const test_operator *own, clprim_scan_desc desc, const uint8_t *begins)
{
    static uint64_t in[MAX_COUNT * MAX_SIZE / sizeof(uint64_t)];
    static uint64_t expected[MAX_COUNT * MAX_SIZE / sizeof(uint64_t)];
    const clprim_reference_scan_how how = {.exclusive = desc.exclusive, .initial = desc.initial, .begins = begins};
    test_call self;
    desc.custom = &own->op;
    desc.type = own->type;
    if (!test_call_create(&self, runtime, &clprim_scan_operation, &desc))
        return;
    test_fill(in, CLPRIM_U32, CLPRIM_SUM, TEST_RANDOM, MAX_COUNT * own->size / 4, TEST_SEED);
    for (size_t i = 0; i < NUM_COUNTS; i++) {
        ASSERT_OK(clprim_reference_scan(
            expected,
            &(clprim_reference_operator){.combine = own->combine, .size = own->size, .identity = own->identity}, &how,
            in, counts[i]));
        self.in_place = i % 4 == 3;
        test_call_fill(
            &self,
            &(clprim_scan_call){
                .in = {.host = in}, .heads = {.host = (void *)begins}, .count = counts[i], .out = {.host = expected}},
            i);
        test_call_check(&self, "%s: %zu elements", own->name, counts[i]);
    }
    test_call_destroy(&self);
}

/* Each operator by every variant, from the identity and from an initial value; inclusive and exclusive in turn. */
Test(scan_custom, operators_by_variants, .timeout = 240)
{
    uint32_t initial[MAX_SIZE / 4];
    clprim_runtime *runtime = test_runtime(NULL);
    for (uint32_t i = 0; i < MAX_SIZE / 4; i++)
        initial[i] = 3 * i + 5;
    for (size_t o = 0; o <= TEST_AFFINE; o++)
        for (size_t v = 0; v <= CLPRIM_SCAN_FIXED_TREE; v++)
            for (size_t way = 0; way < 4; way++) {
                const test_operator *own = &test_operators[o];
                const clprim_scan_desc desc = {.exclusive = way % 2 != 0,
                                               .initial = way / 2 != 0 ? initial : NULL,
                                               .variant =
                                                   v < CLPRIM_SCAN_FIXED_TREE ? (clprim_scan_variant)(v + 1) : 0};
                if (test_is_full() || (v + own->size / 4) % 2 == way % 2)
                    check_desc(runtime, own, desc, NULL);
            }
    clprim_runtime_destroy(runtime);
}

/* Segments of all lengths, by the variants that AUTO takes. */
Test(scan_custom, operators_in_segments)
{
    static const struct {
        clprim_scan_variant variant;
        int own;
    } rows[] = {{CLPRIM_SCAN_AUTO, TEST_MATRICES},
                {CLPRIM_SCAN_REDUCE_THEN_SCAN, TEST_RANGES},
                {CLPRIM_SCAN_LOOK_BACK, TEST_MATRICES},
                {CLPRIM_SCAN_CPU_CHUNK, TEST_AFFINE}};
    static const uint32_t initial[] = {1, 2, 3, 4};
    static uint8_t begins[MAX_COUNT];
    uint64_t random = TEST_SEED;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < MAX_COUNT; i++)
        begins[i] = test_random_below(&random, i < MAX_COUNT / 2 ? 7 : 700) == 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_scan_desc desc = {.exclusive = i % 2 == 1,
                                       .initial = rows[i].own == TEST_MATRICES ? initial : NULL,
                                       .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                       .variant = rows[i].variant};
        check_desc(runtime, &test_operators[rows[i].own], desc, begins);
    }
    clprim_runtime_destroy(runtime);
}

/* Halves are floats inside of the operator. */
Test(scan_custom, operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0xc400}; /* 1 -3 2 -4 */
    static uint16_t farthest[] = {0x3c00, 0xc200, 0xc200, 0xc400};
    const clprim_custom_op op = {.combine = "fabs(a) >= fabs(b) ? a : b", .identity = "0.0f"};
    const clprim_scan_desc desc = {.type = CLPRIM_F16, .custom = &op};
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    cr_assert(test_call_create(&self, runtime, &clprim_scan_operation, &desc));
    test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = 4, .out = {.host = farthest}}, 1);
    test_call_check(&self, "halves");
    test_call_check_run(&self, "halves");
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* The initial value is the library's own copy, as the texts are (contract_operators). */
Test(scan_custom, the_initial_value_may_go_once_the_plan_is_made)
{
    static int32_t in[] = {-5, -3, -7};
    static int32_t expected[] = {-4, -3, -3};
    int32_t initial = -4;
    const clprim_scan_desc desc = {.op = CLPRIM_MAX, .initial = &initial};
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    cr_assert(test_call_create(&self, runtime, &clprim_scan_operation, &desc));
    initial = 1000;
    test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = 3, .out = {.host = expected}}, 1);
    test_call_check(&self, "the greatest so far");
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}
