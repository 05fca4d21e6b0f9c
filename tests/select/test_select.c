/* test_select.c: every variant selects what the reference selects, for all types, by predicate and by flags of several
 * types, as partition or not, for all sizes, offsets, data and shares of selected elements. By default pairwise: every
 * variant meets every type and every way, and every type predicate and flags, and both with and without partition; with
 * CLPRIM_TEST_FULL set, everything meets everything. */
#include "test_select.h"

#include <clprim/reference.h>
#include <criterion/parameterized.h> /* works only after criterion.h */
#include <stdlib.h>

/* Ways to say what to keep: by flags of this type; DEFAULT: by predicate. As often by one as by the other. */
static const clprim_type ways[] = {CLPRIM_TYPE_DEFAULT, CLPRIM_U8,  CLPRIM_TYPE_DEFAULT, CLPRIM_I8,
                                   CLPRIM_TYPE_DEFAULT, CLPRIM_U32, CLPRIM_TYPE_DEFAULT, CLPRIM_I64};

enum { NUM_WAYS = sizeof ways / sizeof *ways };

/* Which of the elements are selected. */
typedef enum share {
    SHARE_NONE = 0,
    SHARE_ALL,
    SHARE_FIRST,
    SHARE_MIDDLE,
    SHARE_LAST,
    SHARE_ALTERNATING,
    SHARE_FIRST_HALF,
    SHARE_ONE_PERCENT,
    SHARE_HALF,
    SHARE_RUNS,
    SHARE_END
} share;

static const char *const share_names[SHARE_END] = {"none",     "all",         "the first",      "one in the middle",
                                                   "the last", "every other", "the first half", "1 %",
                                                   "50 %",     "runs"};

static bool is_in_share(share which, size_t i, size_t count, uint64_t *random)
{
    switch (which) {
    case SHARE_ALL: return true;
    case SHARE_FIRST: return i == 0;
    case SHARE_MIDDLE: return i == count / 2;
    case SHARE_LAST: return i == count - 1;
    case SHARE_ALTERNATING: return i % 2 == 0;
    case SHARE_FIRST_HALF: return i < count / 2;
    case SHARE_ONE_PERCENT: return test_random_below(random, 100) == 0;
    case SHARE_HALF: return test_random_below(random, 2) == 0;
    case SHARE_RUNS: return i / 300 % 3 == 1 || i / 40 % 5 == 2;
    default: return false;
    }
}

static bool is_unsigned(clprim_type type)
{
    return type == CLPRIM_U8 || type == CLPRIM_U16 || type == CLPRIM_U32 || type == CLPRIM_U64;
}

/* A predicate for each type whose answer test data can be given without changing what else they are: the sign, or for
 * unsigned numbers the lowest bit. Halves are looked at as the floats they become, so NaNs and zeros are not below 0.
 */
static const char *predicate_for(clprim_type type)
{
    if (is_unsigned(type))
        return "x & 1";
    return type == CLPRIM_F32 ? "as_int(x) < 0" : type == CLPRIM_F64 ? "as_long(x) < 0" : "x < 0";
}

/* Set the sign, or the lowest bit; little-endian, as all the devices there are. True where the predicate then holds. */
static bool mark(unsigned char *element, clprim_type type, bool is_selected)
{
    unsigned char *byte = element + (is_unsigned(type) ? 0 : clprim_type_size(type) - 1);
    const unsigned bit = is_unsigned(type) ? 0x01 : 0x80;
    uint16_t half = 0;
    *byte = (unsigned char)(is_selected ? *byte | bit : *byte & ~bit);
    memcpy(&half, element, type == CLPRIM_F16 ? sizeof half : 0);
    return type == CLPRIM_F16 ? clprim_half_to_float(half) < 0 : is_selected;
}

/* Whatever is not 0 counts as set, wherever its bits are. */
static void store_flag(unsigned char *flags, size_t size, size_t i, bool is_set, uint64_t random)
{
    const uint64_t values[4] = {1, UINT64_MAX, UINT64_C(1) << (8 * size - 1), UINT64_C(1) << (4 * size)};
    const uint64_t flag = is_set ? values[random % 4] : 0;
    memcpy(flags + i * size, &flag, size);
}

void select_check(test_call *self, const void *in, const void *flags, const uint8_t *keep, size_t count, uint64_t seed,
                  const char *what)
{
    const clprim_select_desc *desc = (const void *)self->desc.bytes;
    const size_t size = self->plan->slots[0].element_size;
    const size_t flag_size = self->plan->slots[1].element_size;
    unsigned char *own_flags = test_allocate(count * flag_size);
    void *expected = test_allocate(count * size);
    size_t selected = 0;
    for (size_t i = 0; flag_size > 0 && i < count; i++)
        store_flag(own_flags, flag_size, i, keep[i] != 0, i + seed);
    ASSERT_OK(clprim_reference_select(expected, &selected, size, keep, desc->partition, in, count));
    uint64_t number = selected;
    test_call_fill(self,
                   &(clprim_select_call){.in = {.host = (void *)in},
                                         .flags = {.host = flags != NULL ? (void *)flags : own_flags},
                                         .count = count,
                                         .out = {.host = expected},
                                         .out_count = {.host = &number}},
                   seed);
    test_call_check(self, "%s of %zu elements (seed %llx)", what, count, (unsigned long long)seed);
    free(own_flags);
    free(expected);
}

static void check(test_call *self, size_t count, share which, uint64_t seed)
{
    static unsigned char in[TEST_MAX_SIZE * sizeof(uint64_t)];
    static uint8_t keep[TEST_MAX_SIZE];
    const clprim_select_desc *desc = (const void *)self->desc.bytes;
    uint64_t random = seed;
    test_fill(in, desc->type, CLPRIM_MIN, (test_pattern)(seed % TEST_PATTERN_END), count, seed);
    for (size_t i = 0; i < count; i++) {
        keep[i] = is_in_share(which, i, count, &random);
        if (desc->predicate != NULL)
            keep[i] = mark(in + i * clprim_type_size(desc->type), desc->type, keep[i]);
    }
    select_check(self, in, NULL, keep, count, seed, share_names[which]);
}

/* All sizes, with patterns and shares in turn; then all shares at sizes with one and with many work-groups. */
static void check_desc(clprim_runtime *runtime, clprim_select_desc desc)
{
    test_call self;
    uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.flags_type * 4 + (uint64_t)desc.variant;
    desc.index_type = desc.type % 2 == 0 ? CLPRIM_U64 : CLPRIM_U32;
    desc.predicate = desc.flags_type == CLPRIM_TYPE_DEFAULT ? predicate_for(desc.type) : NULL;
    if (!test_call_create(&self, runtime, &clprim_select_operation, &desc))
        return;
    for (size_t i = 0; i < TEST_SIZES; i++)
        for (int again = 0; again < 2; again++, seed++)
            check(&self, test_size(i, seed), (share)(seed % SHARE_END), seed);
    for (int which = 0; which < SHARE_END; which++)
        for (int many = 0; many < 2; many++, seed++)
            check(&self, many ? 33333 : 613, (share)which, seed);
    test_call_destroy(&self);
}

static bool is_sampled(clprim_select_variant variant, int type, size_t way, bool partition)
{
    const size_t v = (size_t)variant - 1;
    const bool may_partition = variant != CLPRIM_SELECT_LOOK_BACK;
    return way == ((size_t)type + v) % NUM_WAYS && partition == (may_partition && ((size_t)type / 2 + v) % 2 == 1);
}

Test(select, the_sample_is_pairwise)
{
    bool variant_way[CLPRIM_SELECT_LOOK_BACK + 1][CLPRIM_TYPE_END] = {{false}};
    bool type_way[CLPRIM_TYPE_END][2] = {{false}};
    bool type_partition[CLPRIM_TYPE_END][2] = {{false}};
    bool way_partition[CLPRIM_TYPE_END][2] = {{false}};
    size_t num_variants = 0;
    (void)clprim_select_operation.variants(&num_variants);
    cr_assert_eq(num_variants, CLPRIM_SELECT_LOOK_BACK, "there is a variant behind the last one that is tested");
    for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
        for (int type = 1; type < CLPRIM_TYPE_END; type++) {
            size_t met = 0;
            for (size_t way = 0; way < NUM_WAYS; way++)
                for (int partition = 0; partition < 2; partition++) {
                    if (!is_sampled((clprim_select_variant)variant, type, way, partition != 0))
                        continue;
                    met++;
                    variant_way[variant][ways[way]] = true;
                    type_way[type][ways[way] != CLPRIM_TYPE_DEFAULT] = true;
                    type_partition[type][partition] = true;
                    way_partition[ways[way]][partition] = true;
                }
            cr_assert_eq(met, 1, "%s by variant %d is tested %zu times", clprim_type_name((clprim_type)type), variant,
                         met);
        }
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        cr_assert(type_way[type][0] && type_way[type][1] && type_partition[type][0] && type_partition[type][1],
                  "%s does not meet everything", clprim_type_name((clprim_type)type));
    for (size_t way = 0; way < NUM_WAYS; way++) {
        cr_assert(way_partition[ways[way]][0] && way_partition[ways[way]][1], "way %zu", way);
        for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
            cr_assert(variant_way[variant][ways[way]], "variant %d does not meet way %zu", variant, way);
    }
}

ParameterizedTestParameters(select, variant)
{
    size_t count = 0;
    size_t *places = test_variant_places(&clprim_select_operation, &count);
    return cr_make_param_array(size_t, places, count);
}

/* Each variant, with the types and ways of the sample, or with all. */
ParameterizedTest(size_t *place, select, variant)
{
    size_t count = 0;
    const clprim_select_variant variant = (clprim_select_variant)clprim_select_operation.variants(&count)[*place].id;
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (size_t way = 0; way < NUM_WAYS; way++)
            for (int partition = 0; partition < (variant == CLPRIM_SELECT_LOOK_BACK ? 1 : 2); partition++) {
                const bool is_new = way <= 1 || ways[way] != CLPRIM_TYPE_DEFAULT; /* the predicate once */
                if ((test_is_full() && is_new) || is_sampled(variant, type, way, partition != 0))
                    check_desc(runtime, (clprim_select_desc){.type = (clprim_type)type,
                                                             .flags_type = ways[way],
                                                             .partition = partition != 0,
                                                             .variant = variant});
            }
    clprim_runtime_destroy(runtime);
}

/* Known by heart, so that not everything rests on one function. */
Test(select, reference)
{
    static const int16_t in[] = {5, -1, 7, -3, 9};
    static const uint8_t keep[] = {0, 1, 0, 2, 255};
    static const int16_t expected[2][6] = {{-1, -3, 9, 77, 77, 77}, {-1, -3, 9, 5, 7, 77}};
    for (int partition = 0; partition < 2; partition++) {
        int16_t out[6] = {77, 77, 77, 77, 77, 77};
        size_t selected = 99;
        ASSERT_OK(clprim_reference_select(out, &selected, sizeof *in, keep, partition != 0, in, 5));
        cr_assert_eq(selected, 3);
        test_expect_same(expected[partition], out, sizeof *out, 6, partition ? "partition" : "compaction");
        ASSERT_OK(clprim_reference_select(NULL, &selected, sizeof *in, NULL, partition != 0, NULL, 0));
        cr_assert_eq(selected, 0, "none of nothing");
    }
}

Test(select, reference_refuses)
{
    static const int16_t in[] = {5, -1};
    static const uint8_t keep[] = {0, 1};
    int16_t out[2] = {77, 77};
    size_t selected = 99;
    ASSERT_STATUS(clprim_reference_select(NULL, &selected, 2, keep, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, NULL, 2, keep, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, &selected, 0, keep, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, &selected, 2, NULL, false, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_select(out, &selected, 2, keep, false, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && out[1] == 77 && selected == 99, "a refusal must not write");
}
