/* test_scan.custom.c: scans by operators of the caller's own, on built-in types and on structs, in segments too. */
#include "folds.h"

static const uint32_t initial[] = {5, 8, 11, 14, 17, 20, 23, 26, 29, 32};

/* Each operator by every variant, from the identity and from an initial value; inclusive and exclusive in turn. */
TEST_WITH_RUNTIME(scan_custom, operators_by_variants)
{
    for (size_t o = 0; o <= TEST_AFFINE; o++)
        for (size_t v = 0; v <= CLPRIM_SCAN_FIXED_TREE; v++)
            for (size_t way = 0; way < 4; way++) {
                const test_operator *own = &test_operators[o];
                const clprim_scan_desc desc = {.exclusive = way % 2 != 0,
                                               .initial = way / 2 != 0 ? initial : NULL,
                                               .variant = (clprim_scan_variant)v};
                if (test_is_full() || (v + own->size / 4) % 2 == way % 2)
                    test_fold_own(runtime, &clprim_scan_operation, &desc, own);
            }
}

/* Segments that begin at flags, by the variants that AUTO takes. */
TEST_WITH_RUNTIME(scan_custom, operators_in_segments)
{
    static const struct {
        clprim_scan_variant variant;
        int own;
    } rows[] = {{CLPRIM_SCAN_AUTO, TEST_MATRICES},
                {CLPRIM_SCAN_REDUCE_THEN_SCAN, TEST_RANGES},
                {CLPRIM_SCAN_LOOK_BACK, TEST_MATRICES},
                {CLPRIM_SCAN_CPU_CHUNK, TEST_AFFINE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_scan_desc desc = {.exclusive = i % 2 == 1,
                                       .initial = rows[i].own == TEST_MATRICES ? initial : NULL,
                                       .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                       .variant = rows[i].variant};
        test_fold_own(runtime, &clprim_scan_operation, &desc, &test_operators[rows[i].own]);
    }
}

/* Halves are floats inside of the operator. */
TEST_WITH_RUNTIME(scan_custom, operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0xc400}; /* 1 -3 2 -4 */
    static uint16_t farthest[] = {0x3c00, 0xc200, 0xc200, 0xc400};
    const clprim_custom_op op = {.combine = "fabs(a) >= fabs(b) ? a : b", .identity = "0.0f"};
    test_check_known(runtime, &clprim_scan_operation, &(clprim_scan_desc){.type = CLPRIM_F16, .custom = &op},
                     &(clprim_scan_call){.in = {.host = in}, .count = 4, .out = {.host = farthest}});
}
