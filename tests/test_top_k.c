/* test_top_k.c: the first k by each variant, for every type of key, of values and both directions, against the
 * reference: sizes around k, around tiles and chunks, and keys that are hard to choose among. */
#include "test_top_k.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

static const size_t sizes[] = {0,   1,    2,    3,    31,   33,   63,   64,   65,   127,   128,  255,
                               257, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 16383, 16385};
static const size_t offsets[] = {0, 1, 3, TOP_K_MAX_OFFSET};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, SOME = 5003, LARGE = 100003, VERY_LARGE = (1 << 20) + 7 };

/* The turn decides on offsets, different ones for each array, and on the keys. */
static top_k_call call_of_turn(uint64_t turn, size_t count)
{
    uint64_t random = turn;
    const uint64_t r = test_random(&random);
    top_k_call c = {.count = count, .seed = turn, .data = (top_k_data)((r >> 32) % TOP_K_DATA_END)};
    for (int a = 0; a < TOP_K_ARRAYS; a++)
        c.offsets[a] = offsets[(r >> 2 * a) % 4];
    c.repeat = count < 5000 ? 1 + (unsigned)(r >> 24) % 3 : 1;
    return c;
}

/* One plan: counts around k and all others up to where chunks and tiles are many, at one of them all kinds of keys. */
static void check_k(top_k_subject *self, uint64_t seed)
{
    const size_t k = self->desc.k;
    const size_t around[] = {k - 1, k, k + 1, 2 * k, 3 * k + 1};
    uint64_t turn = seed * 1000 + k * 100;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        if (around[i] <= self->max_count) {
            const top_k_call c = call_of_turn(turn++, around[i]);
            top_k_check(self, &c);
        }
    for (size_t i = k % 3; i < NUM_SIZES; i += test_is_full() ? 1 : 3) {
        const top_k_call c = call_of_turn(turn++, sizes[i]);
        top_k_check(self, &c);
    }
    for (int data = 0; data < TOP_K_DATA_END; data++) {
        top_k_call c = call_of_turn(turn++, SOME);
        c.data = (top_k_data)data;
        top_k_check(self, &c);
    }
    for (size_t count = LARGE; count <= self->max_count; count += VERY_LARGE - LARGE)
        for (int i = 0; i < 2; i++) {
            const top_k_call c = call_of_turn(turn++, count);
            top_k_check(self, &c);
        }
}

static void check_all(top_k_subject *self, uint64_t seed)
{
    static const size_t ks[] = {1, 2, 7, 100, 1000, 4096, SOME - 1, SOME, 50000};
    for (size_t i = test_is_full() ? 0 : seed % 2; i < sizeof ks / sizeof *ks; i += test_is_full() ? 1 : 2) {
        top_k_set(self, ks[i]);
        check_k(self, seed);
    }
}

/* What a plan for a type has besides: each type has another kind of values, and a direction; so that the variants share
 * the programs of their sorts. */
static clprim_top_k_desc desc_of(clprim_top_k_variant variant, size_t type, size_t turn)
{
    static const size_t value_sizes[] = {0, 0, 8, 2, 4, 0, 1, 16, 0, 0, 0};
    static const bool indices[] = {false, true, false, false, false, false, false, false, true, true, false};
    static const size_t group_sizes[] = {2, 0, 1, 0, 32, 0, 1024, 0, 2, 0, 64};
    enum { WAYS = sizeof indices / sizeof *indices };
    const size_t way = (type + turn * 4) % WAYS;
    return (clprim_top_k_desc){.key_type = (clprim_type)(type + 1),
                               .k = 1,
                               .smallest = (type + turn) % 2 == 1,
                               .value_size = value_sizes[way],
                               .indices = indices[way],
                               .index_type = way == 8 ? CLPRIM_U64 : CLPRIM_U32,
                               .variant = variant,
                               .work_group_size = group_sizes[way],
                               .max_count = type % 3 == 0 ? 0 : (size_t)1 << 21};
}

enum { TYPES = CLPRIM_TYPE_END - 1 };

/* Of every other type sorted, and of every type as they come: the programs of the sorts take long to compile. */
static void check_type(clprim_runtime *runtime, clprim_top_k_variant variant, size_t type, size_t turn)
{
    clprim_top_k_desc desc = desc_of(variant, type, turn);
    const size_t max_count = test_is_full() ? VERY_LARGE : LARGE;
    for (int unsorted = 0; unsorted < 2; unsorted++) {
        desc.unsorted = unsorted == 1;
        if (desc.unsorted ? variant == CLPRIM_TOP_K_SORT : type % 2 == 0 && !test_is_full())
            continue;
        top_k_subject self = top_k_create(runtime, desc, max_count);
        check_all(&self, type + variant);
        top_k_destroy(&self);
    }
}

ParameterizedTestParameters(top_k, variant)
{
    static size_t variants[TOP_K_VARIANTS];
    for (size_t i = 0; i < TOP_K_VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, TOP_K_VARIANTS);
}

/* RADIX_SELECT's kernels take CPU devices seconds to compile, and differ from type to type in no more than CPU_CHUNK's:
 * there it meets every size, and integers with and without sign, and floats. Of AUTO, whose programs are used twice, as
 * many. */
static bool is_wanted(clprim_runtime *runtime, clprim_top_k_variant variant, size_t type)
{
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const bool is_slow = variant == CLPRIM_TOP_K_AUTO || (variant == CLPRIM_TOP_K_RADIX_SELECT && is_cpu);
    return !is_slow || type % 3 == 0 || type == TYPES - 1 || test_is_full();
}

/* Each variant with each type. */
ParameterizedTest(size_t *place, top_k, variant, .timeout = 1700)
{
    const clprim_top_k_variant variant = (clprim_top_k_variant)*place;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t type = 0; type < TYPES; type++)
        for (size_t turn = 0; turn < (test_is_full() ? TYPES : 1); turn++)
            if (is_wanted(runtime, variant, type))
                check_type(runtime, variant, type, turn);
    clprim_runtime_destroy(runtime);
}

/* NaNs are the largest: F32 by each variant, F16 and F64 by AUTO; the largest and the smallest. */
Test(top_k, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < TOP_K_VARIANTS + 2; i++) {
        const bool is_auto = i >= TOP_K_VARIANTS;
        const clprim_top_k_desc desc = {.key_type = !is_auto              ? CLPRIM_F32
                                                    : i == TOP_K_VARIANTS ? CLPRIM_F16
                                                                          : CLPRIM_F64,
                                        .k = 100,
                                        .smallest = i % 2 == 0,
                                        .nan_order = CLPRIM_NAN_LAST,
                                        .indices = i % 2 == 0,
                                        .variant = is_auto ? CLPRIM_TOP_K_AUTO : (clprim_top_k_variant)i};
        top_k_subject self = top_k_create(runtime, desc, LARGE);
        for (uint64_t k = 0; k < 4; k++) {
            top_k_call c = call_of_turn(i * 100 + k, k == 0 ? 99 : k == 1 ? 101 : k == 2 ? 1025 : SOME);
            c.data = TOP_K_SPECIALS;
            top_k_check(&self, &c);
        }
        top_k_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Then whatever counts elements takes 64 bits. By SORT that is radix_sort's. */
Test(top_k, plans_for_2_to_the_33_elements, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_TOP_K_RADIX_SELECT; variant < TOP_K_VARIANTS; variant++) {
        const clprim_top_k_desc desc = {.key_type = CLPRIM_U16,
                                        .k = 100,
                                        .indices = true,
                                        .index_type = CLPRIM_U64,
                                        .unsorted = true,
                                        .variant = (clprim_top_k_variant)variant,
                                        .max_count = (size_t)1 << 33};
        top_k_subject self = top_k_create(runtime, desc, LARGE);
        check_k(&self, (uint64_t)variant);
        top_k_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* The header's word for it: the last of the n / 2 + 1 smallest. */
Test(top_k, median)
{
    float keys[] = {3.0f, -1.0f, 7.5f, 0.0f, 2.0f, 9.0f, -8.0f};
    float found[4];
    uint32_t where[4];
    const clprim_top_k_desc desc = {.key_type = CLPRIM_F32, .k = 7 / 2 + 1, .smallest = true, .indices = true};
    ASSERT_OK(clprim_top_k_run(
        NULL, &desc,
        &(clprim_top_k_call){
            .keys_in = {.host = keys}, .count = 7, .keys_out = {.host = found}, .values_out = {.host = where}}));
    cr_assert(found[3] == 2.0f && where[3] == 4, "the median is %g", (double)found[3]);
}
