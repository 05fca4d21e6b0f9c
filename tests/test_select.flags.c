/* test_select.flags.c: flags of float types are set where they are not equal to 0: -0.0 is not, NaNs and denormals are.
 */
#include <clprim/reference.h>
#include <clprim/select.h>

#include "support.h"

enum { COUNT = 4099, KINDS = 12 };

/* Zeros, the least denormals, the greatest ones, 1, infinity and NaNs, of both signs. */
static uint64_t flag_bits(clprim_type type, size_t kind)
{
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const unsigned mantissa_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const uint64_t mantissa = (UINT64_C(1) << mantissa_bits) - 1;
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t infinity = sign - 1 - mantissa;
    const uint64_t magnitudes[KINDS / 2] = {0, 1, mantissa, infinity >> 1, infinity, infinity | 1};
    return magnitudes[kind / 2] | (kind % 2 == 0 ? 0 : sign);
}

static void check(clprim_runtime *runtime, const clprim_select_desc *desc, const char *name)
{
    static uint64_t flags[COUNT];
    static uint8_t keep[COUNT];
    static int32_t in[COUNT];
    static int32_t expected[COUNT];
    static int32_t found[COUNT];
    const size_t size = clprim_type_size(desc->flags_type);
    uint64_t random = TEST_SEED;
    size_t wanted = 0;
    uint32_t selected = 0;
    for (size_t i = 0; i < COUNT; i++) { /* as many are not set as are */
        const size_t kind = test_random_below(&random, 2) == 0 ? i % 2 : i % KINDS;
        const uint64_t bits = flag_bits(desc->flags_type, kind);
        memcpy((char *)flags + i * size, &bits, size); /* the low bytes come first */
        keep[i] = kind >= 2;
        in[i] = (int32_t)i;
        expected[i] = found[i] = -1;
    }
    ASSERT_OK(clprim_reference_select(expected, &wanted, sizeof *in, keep, desc->partition, in, COUNT));
    const clprim_status status = clprim_select_run(runtime, desc,
                                                   &(clprim_select_call){.in = {.host = in},
                                                                         .flags = {.host = flags},
                                                                         .count = COUNT,
                                                                         .out = {.host = found},
                                                                         .out_count = {.host = &selected}});
    if (status == CLPRIM_UNSUPPORTED)
        return;
    ASSERT_OK(status);
    cr_assert_eq(selected, wanted, "by %s of %s: %u, not %zu", name, clprim_type_name(desc->flags_type), selected,
                 wanted);
    test_expect_same(expected, found, sizeof *in, desc->partition ? COUNT : wanted, name);
}

Test(select_flags, floats_are_set_where_they_are_not_zero, .timeout = 120)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < count; v++)
        for (int type = CLPRIM_F16; type <= CLPRIM_F64; type++) {
            const bool partition = variants[v].id != CLPRIM_SELECT_LOOK_BACK && (v + (size_t)type) % 2 == 0;
            const clprim_select_desc desc = {.flags_type = (clprim_type)type,
                                             .partition = partition,
                                             .variant = (clprim_select_variant)variants[v].id};
            check(runtime, &desc, variants[v].name);
        }
    clprim_runtime_destroy(runtime);
}
