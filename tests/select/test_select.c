// SPDX-License-Identifier: MIT
/* test_select.c: every variant selects what the reference selects, for all types, by predicate and by flags of several
 * types, for all sizes, offsets, data and shares of selected elements. By default the combinations are pairwise; with
 * CLPRIM_TEST_FULL set, all combinations are tested. */
#include "test_select.h"

#include <clprim/reference.h>

#include "unoptimized.h"

/* The share of elements that are selected. */
enum { SHARE_ANY = 10, SHARE_END };

static bool is_in_share(size_t which, size_t i, size_t count, uint64_t *random)
{
    switch (which) {
    case 1: return true;
    case 2: return i == 0;
    case 3: return i == count / 2;
    case 4: return i == count - 1;
    case 5: return i % 2 == 0;
    case 6: return i < count / 2;
    case 7: return test_random_below(random, 100) == 0;
    case 8: return test_random_below(random, 2) == 0;
    case 9: return i / 300 % 3 == 1 || i / 40 % 5 == 2;
    case SHARE_ANY: return test_random_below(random, 1000) < i / 1000 * 77 % 1000; /* each 1000 elements differ */
    default: return false;
    }
}

static bool is_unsigned(clprim_type type)
{
    return type == CLPRIM_U8 || type == CLPRIM_U16 || type == CLPRIM_U32 || type == CLPRIM_U64;
}

/* A predicate for each type, whose result can be set in test data without changing their other properties: it looks at
 * the sign, or for unsigned numbers at the lowest bit. Halves are converted to float, so NaNs and zeros are not below
 * 0. */
static const char *predicate_for(clprim_type type)
{
    if (is_unsigned(type))
        return "x & 1";
    return type == CLPRIM_F32 ? "as_int(x) < 0" : type == CLPRIM_F64 ? "as_long(x) < 0" : "x < 0";
}

/* Set the sign, or the lowest bit; little-endian, like all supported devices. True if the predicate then holds. */
static bool mark(unsigned char *element, clprim_type type, bool is_selected)
{
    unsigned char *byte = element + (is_unsigned(type) ? 0 : clprim_type_size(type) - 1);
    const unsigned bit = is_unsigned(type) ? 0x01 : 0x80;
    uint16_t half = 0;
    *byte = (unsigned char)(is_selected ? *byte | bit : *byte & ~bit);
    memcpy(&half, element, type == CLPRIM_F16 ? sizeof half : 0);
    return type == CLPRIM_F16 ? clprim_half_to_float(half) < 0 : is_selected;
}

/* A flag that is not 0 counts as set, whichever of its bits are 1. */
static void store_flag(unsigned char *flags, size_t size, size_t i, bool is_set, uint64_t random)
{
    const uint64_t values[4] = {1, UINT64_MAX, UINT64_C(1) << (8 * size - 1), UINT64_C(1) << (4 * size)};
    const uint64_t flag = is_set ? values[random % 4] : 0;
    memcpy(flags + i * size, &flag, size);
}

static const uint8_t *kept;

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_select_desc *d = desc;
    const clprim_select_call *c = call;
    const size_t size = d->type_name != NULL             ? d->type_size
                        : d->type == CLPRIM_TYPE_DEFAULT ? sizeof(int32_t)
                                                         : clprim_type_size(d->type);
    size_t selected = 0;
    const clprim_status status = clprim_reference_select(c->out.host, &selected, size, kept, c->in.host, c->count);
    memcpy(c->out_count.host, &selected, d->index_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t));
    return status;
}

static void check_given(test_call *self, const test_struct *call, const uint8_t *keep, const test_turn *turn)
{
    kept = keep;
    self->reference = reference;
    test_check_filled(self, call, turn);
}

void select_check(test_call *self, const test_struct *call, const uint8_t *keep, const test_turn *turn)
{
    const size_t size = self->plan->slots[1].element_size;
    for (size_t i = 0; size > 0 && i < turn->count; i++)
        store_flag(((const clprim_select_call *)(const void *)call->bytes)->flags.host, size, i, keep[i] != 0,
                   i + turn->seed);
    check_given(self, call, keep, turn);
}

/* The turn's kind is the share. */
static void check(test_call *self, const test_turn *turn)
{
    const clprim_select_desc *desc = (const void *)self->desc.bytes;
    uint8_t *keep = test_memory(2, turn->count);
    uint64_t random = turn->seed;
    test_struct call;
    test_fill_turn(self, &call, turn);
    unsigned char *in = ((clprim_select_call *)(void *)call.bytes)->in.host;
    for (size_t i = 0; i < turn->count; i++) {
        keep[i] = is_in_share(turn->kind, i, turn->count, &random);
        if (desc->predicate != NULL)
            keep[i] = mark(in + i * clprim_type_size(desc->type), desc->type, keep[i]);
    }
    select_check(self, &call, keep, turn);
}

static void check_desc(clprim_runtime *runtime, clprim_select_desc desc)
{
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.flags_type * 4 + (uint64_t)desc.variant;
    desc.index_type = desc.type % 2 == 0 ? CLPRIM_U64 : CLPRIM_U32;
    desc.predicate = desc.flags_type == CLPRIM_TYPE_DEFAULT ? predicate_for(desc.type) : NULL;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc))
        for (test_turn turn = {.kinds = SHARE_END, .seed = seed}; test_next(&turn);)
            check(&self, &turn);
}

enum { VARIANT = 0, TYPE, BY_FLAGS };

static int rank(const size_t *at)
{
    (void)at;
    return 1;
}

/* By predicate, or by flags, with the types of flags alternating. */
TEST_BY_VARIANT(select, variant, clprim_select_operation)
{
    static const clprim_type flags[] = {CLPRIM_U8, CLPRIM_I8, CLPRIM_U32, CLPRIM_I64};
    const test_case *cases = NULL;
    const size_t levels[] = {(size_t)test_last_variant(&clprim_select_operation), CLPRIM_TYPE_END - 1,
                             test_is_full() ? 5 : 2, 0};
    const size_t count = test_sample(&cases, variant, levels, rank);
    size_t turn = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t way = test_is_full() || cases[i][BY_FLAGS] == 0 ? cases[i][BY_FLAGS] : 1 + turn++ % 4;
        check_desc(runtime, (clprim_select_desc){.type = (clprim_type)(cases[i][TYPE] + 1),
                                                 .flags_type = way == 0 ? CLPRIM_TYPE_DEFAULT : flags[way - 1],
                                                 .variant = (clprim_select_variant)variant});
    }
}

/* Work-groups from one work-item to more than any device supports, and few or many elements for each work-item. U8 has
 * the most elements in a packet, so heads and tails are longest. By default CPU_CHUNK meets two group sizes, because
 * the other variants are more complex. */
TEST_WITH_RUNTIME(select, work_group_sizes_and_items)
{
    static const size_t group_sizes[] = {1, 2, 8, 64, 1024, 65536};
    static const size_t items[] = {0, 1, 3, 1024};
    for (size_t v = 1; v <= (size_t)test_last_variant(&clprim_select_operation); v++)
        for (size_t g = 0; g < 6; g++)
            if (v != CLPRIM_SELECT_CPU_CHUNK || test_is_full() || g % 3 == 0)
                check_desc(runtime, (clprim_select_desc){.type = CLPRIM_U8,
                                                         .flags_type = CLPRIM_U8,
                                                         .variant = (clprim_select_variant)v,
                                                         .work_group_size = group_sizes[g],
                                                         .items_per_work_item = items[(v + g) % 4]});
}

/* More tiles than ever run at the same time. */
TEST_WITH_RUNTIME(select, millions)
{
    for (int variant = CLPRIM_SELECT_AUTO; variant <= test_last_variant(&clprim_select_operation); variant++) {
        const clprim_select_desc desc = {.type = CLPRIM_U32, .variant = (clprim_select_variant)variant};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc))
            for (uint64_t seed = 0; seed < 3; seed++)
                check(&self, &(test_turn){.kinds = SHARE_END,
                                          .seed = seed,
                                          .count = 3000012 - seed * 77777,
                                          .pattern = TEST_RANDOM,
                                          .kind = SHARE_ANY});
    }
}

/* Flags of float types are set if they are not equal to 0: -0.0 is not set; denormals, infinities and NaNs are. */
TEST_WITH_RUNTIME(select, flags_of_floats_are_set_where_they_are_not_zero)
{
    static const test_turn turns[] = {{.kinds = 1, .seed = 1, .count = 4099, .pattern = TEST_SPECIALS},
                                      {.kinds = 1, .seed = 2, .count = 4099, .pattern = TEST_FEW_DISTINCT}};
    for (int variant = 1; variant <= test_last_variant(&clprim_select_operation); variant++)
        for (int type = CLPRIM_F16; type <= CLPRIM_F64; type++) {
            const size_t size = clprim_type_size((clprim_type)type);
            const clprim_select_desc desc = {.flags_type = (clprim_type)type,
                                             .variant = (clprim_select_variant)variant};
            TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc))
                for (size_t k = 0; k < 2; k++) {
                    test_struct call;
                    uint8_t *keep = test_memory(2, turns[k].count);
                    test_fill_turn(&self, &call, &turns[k]);
                    const char *flags = ((clprim_select_call *)(void *)call.bytes)->flags.host;
                    for (size_t i = 0; i < turns[k].count; i++) {
                        uint64_t bits = 0;
                        memcpy(&bits, flags + i * size, size); /* little-endian: the sign is the highest bit */
                        keep[i] = bits << (65 - 8 * size) != 0;
                    }
                    check_given(&self, &call, keep, &turns[k]);
                }
        }
}

/* Offsets, counts and indices that do not fit in 32 bits. */
TEST_WITH_RUNTIME(select, more_than_2_to_the_32_elements)
{
    static const unsigned char selected[] = {2, 2, 5, 60};
    test_huge(runtime, &clprim_select_operation,
              &(clprim_select_desc){.predicate = "x > 1 && (i == 0 || i > 0xfffffffeul)", .index_type = CLPRIM_U64},
              selected, sizeof selected, sizeof selected);
}

/* The default types, with results known in advance: I32 by flags of U8. A call without elements needs no arrays. */
TEST_WITH_RUNTIME(select, known_by_heart)
{
    static int32_t in[] = {1, -2, 30, 400};
    static int32_t selected[] = {30, 400};
    static uint8_t flags[] = {0, 0, 128, 1};
    uint32_t number = 2;
    const clprim_select_desc by_text = {.predicate = "x > 20"};
    const clprim_select_call call = {.in = {.host = in},
                                     .flags = {.host = flags},
                                     .count = 4,
                                     .out = {.host = selected},
                                     .out_count = {.host = &number}};
    test_check_known(runtime, &clprim_select_operation, &by_text, &call);
    test_check_known(runtime, &clprim_select_operation, NULL, &call);
    ASSERT_OK(clprim_select_run(NULL, &by_text, &(clprim_select_call){.out_count = {.host = &number}}));
    cr_assert_eq(number, 0);
}

static void refuse_build(cl_program program)
{
    (void)program;
    cr_assert_fail("run compiles something for few elements on the host");
}

TEST_WITH_RUNTIME(select, few_elements_need_no_compiler)
{
    const uint16_t in[] = {5, 6, 7};
    const uint8_t flags[] = {1, 0, 1};
    uint16_t out[3] = {0, 0, 77};
    uint32_t number = 0;
    if (!clprim_runtime_info(runtime)->has_native_kernels)
        cr_skip_test("the device cannot run functions of the host");
    test_before_build = refuse_build;
    ASSERT_OK(clprim_select_run(runtime, &(clprim_select_desc){.type = CLPRIM_U16},
                                &(clprim_select_call){.in = {.host = (void *)in},
                                                      .flags = {.host = (void *)flags},
                                                      .count = 3,
                                                      .out = {.host = out},
                                                      .out_count = {.host = &number}}));
    cr_assert(number == 2 && out[0] == 5 && out[1] == 7 && out[2] == 77);
}

Test(select, reference_refuses)
{
    static const int16_t in[] = {5, -1};
    static const uint8_t keep[] = {0, 1};
    int16_t out[2] = {77, 77};
    size_t selected = 99;
#define REFUSED(...) ASSERT_STATUS(clprim_reference_select(__VA_ARGS__), CLPRIM_INVALID_ARGUMENT)
    REFUSED(NULL, &selected, 2, keep, in, 2);
    REFUSED(out, NULL, 2, keep, in, 2);
    REFUSED(out, &selected, 0, keep, in, 2);
    REFUSED(out, &selected, 2, NULL, in, 2);
    REFUSED(out, &selected, 2, keep, NULL, 2);
    cr_assert(out[0] == 77 && out[1] == 77 && selected == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_select(NULL, &selected, sizeof *in, NULL, NULL, 0));
    cr_assert_eq(selected, 0, "none of nothing");
}
