// SPDX-License-Identifier: MIT
/* test_partition.c: every variant partitions as the reference does, for all types, into two and three parts, which
 * follow one another or have separate arrays; by predicates and by flags, for all sizes, offsets and shares of
 * elements. By default the combinations are pairwise; with CLPRIM_TEST_FULL set, all combinations are tested. */
#include "test_partition.h"

#include <clprim/reference.h>

#include "select_internal.h"

/* The part that each element is in; 2 is the rest. */
enum { DIVISION_ANY = 9, DIVISION_END };

static uint8_t part_at(size_t division, size_t i, size_t count, uint64_t *random)
{
    switch (division) {
    case 1: return 1;
    case 2: return 2;
    case 3: return (uint8_t)(i % 3);
    case 4: return i == 0 ? 0 : i == count - 1 ? 1 : 2;
    case 5: return (uint8_t)(i * 3 / count);     /* in the order that the result has */
    case 6: return (uint8_t)(2 - i * 3 / count); /* and in the opposite one */
    case 7: return (uint8_t)test_random_below(random, 3);
    case 8: return i / 300 % 3 == 1 ? 0 : i / 40 % 5 == 2 ? 1 : 2;
    case DIVISION_ANY: /* other shares for each 1000 elements */
        return test_random_below(random, 1000) < i / 1000 * 77 % 1000    ? 0
               : test_random_below(random, 1000) < i / 1000 * 311 % 1000 ? 1
                                                                         : 2;
    default: return 0;
    }
}

static const uint8_t *parts;

/* All parts, one after another, and then where each of them is written. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_partition_desc *d = desc;
    const clprim_partition_call *c = call;
    const size_t size = d->type_name != NULL ? d->type_size : clprim_type_size(d->type);
    const size_t number_size = d->index_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    unsigned char *all = test_memory(61, c->count * size);
    uint8_t *merged = test_memory(62, c->count); /* if there is no second part, its elements belong to the rest */
    size_t counts[3] = {0};
    for (size_t i = 0; i < c->count; i++)
        merged[i] = parts[i] == 1 && d->second_predicate == NULL ? 2 : parts[i];
    const clprim_status status = clprim_reference_partition(all, counts, 3, size, merged, c->in.host, c->count);
    const unsigned char *const second = all + counts[0] * size;
    const unsigned char *const rest = second + counts[1] * size;
    unsigned char *const out = c->out.host;
    memcpy(out, all, (d->separate ? counts[0] : c->count) * size);
    if (d->separate && d->second_predicate != NULL)
        memcpy(c->second_out.host, second, counts[1] * size);
    if (d->separate)
        memcpy(c->rest_out.host, rest, counts[2] * size);
    for (size_t i = 0; d->reversed_rest && i < counts[2]; i++)
        memcpy(out + (c->count - 1 - i) * size, rest + i * size, size);
    memcpy(c->out_count.host, &counts[0], number_size); /* little-endian, like all supported devices */
    if (d->second_predicate != NULL)
        memcpy(c->second_count.host, &counts[1], number_size);
    if (d->separate)
        memcpy(c->rest_count.host, &counts[2], number_size);
    return status;
}

/* A flag that is not 0 counts as set, whichever of its bits are 1. */
static void store_flag(unsigned char *flags, size_t size, size_t i, bool is_set, uint64_t random)
{
    const uint64_t values[4] = {1, UINT64_MAX, UINT64_C(1) << (8 * size - 1), UINT64_C(1) << (4 * size)};
    const uint64_t flag = is_set ? values[random % 4] : 0;
    memcpy(flags + i * size, &flag, size);
}

void partition_check(test_call *self, test_struct *call, const uint8_t *part, const test_turn *turn)
{
    clprim_partition_call *c = (clprim_partition_call *)(void *)call->bytes;
    const size_t flag_size = self->plan->slots[1].element_size;
    for (size_t i = 0; flag_size > 0 && i < turn->count; i++)
        store_flag(c->flags.host, flag_size, i, part[i] == 0, i + turn->seed);
    if (c->arguments[0].host != NULL)
        memcpy(c->arguments[0].host, part, turn->count);
    parts = part;
    self->reference = reference;
    test_check_filled(self, call, turn);
}

/* The turn's kind is the division. */
static void check(test_call *self, const test_turn *turn)
{
    uint8_t *part = test_memory(60, turn->count);
    uint64_t random = turn->seed;
    test_struct call;
    test_fill_turn(self, &call, turn);
    for (size_t i = 0; i < turn->count; i++)
        part[i] = part_at(turn->kind, i, turn->count, &random);
    partition_check(self, &call, part, turn);
}

/* The number of parts, and where they are written. */
enum { STABLE = 0, REVERSED, SEPARATE, THREE, THREE_SEPARATE, FORMS };

static bool can_be(int variant, size_t form)
{
    return variant != CLPRIM_SELECT_LOOK_BACK || (form != STABLE && form != THREE);
}

/* With flags of this type, or none. The second predicate's result for elements of the first part must not matter. */
static clprim_partition_desc desc_of(clprim_partition_desc desc, size_t form)
{
    const bool is_three_way = form == THREE || form == THREE_SEPARATE;
    desc.predicate = desc.flags_type == CLPRIM_TYPE_DEFAULT ? "parts[i] == 0" : NULL;
    desc.second_predicate = is_three_way ? "parts[i] != 2" : NULL;
    desc.separate = form == SEPARATE || form == THREE_SEPARATE;
    desc.reversed_rest = form == REVERSED;
    if (desc.predicate != NULL || desc.second_predicate != NULL)
        desc.text.parameters[0] = (clprim_parameter){"parts", CLPRIM_U8, .is_array = true};
    return desc;
}

static void check_desc(clprim_runtime *runtime, clprim_partition_desc desc, size_t form)
{
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.flags_type * 4 + (uint64_t)desc.variant;
    desc.index_type = desc.type % 2 == 0 ? CLPRIM_U64 : CLPRIM_U32;
    desc = desc_of(desc, form);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_partition_operation, &desc))
        for (test_turn turn = {.kinds = DIVISION_END, .seed = seed}; test_next(&turn);)
            check(&self, &turn);
}

enum { VARIANT = 0, TYPE, BY_FLAGS, FORM };

static int rank(const size_t *at)
{
    return can_be((int)at[VARIANT] + 1, at[FORM]);
}

/* By predicate, or by flags, with the types of flags alternating. */
TEST_BY_VARIANT(partition, variant, clprim_partition_operation)
{
    static const clprim_type flags[] = {CLPRIM_U8, CLPRIM_I8, CLPRIM_U32, CLPRIM_I64};
    const test_case *cases = NULL;
    const size_t levels[] = {(size_t)test_last_variant(&clprim_partition_operation), CLPRIM_TYPE_END - 1,
                             test_is_full() ? 5 : 2, FORMS, 0};
    const size_t count = test_sample(&cases, variant, levels, rank);
    size_t turn = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t way = test_is_full() || cases[i][BY_FLAGS] == 0 ? cases[i][BY_FLAGS] : 1 + turn++ % 4;
        check_desc(runtime,
                   (clprim_partition_desc){.type = (clprim_type)(cases[i][TYPE] + 1),
                                           .flags_type = way == 0 ? CLPRIM_TYPE_DEFAULT : flags[way - 1],
                                           .variant = (clprim_select_variant)variant},
                   cases[i][FORM]);
    }
}

/* Work-groups from one work-item to more than any device supports, and few or many elements for each work-item. U8 has
 * the most elements in a packet, so heads and tails are longest. */
TEST_WITH_RUNTIME(partition, work_group_sizes_and_items)
{
    static const size_t group_sizes[] = {1, 2, 8, 64, 1024, 65536};
    static const size_t items[] = {0, 1, 3, 1024};
    for (size_t v = 1; v <= (size_t)test_last_variant(&clprim_partition_operation); v++)
        for (size_t g = 0; g < 6; g++)
            if (v != CLPRIM_SELECT_CPU_CHUNK || test_is_full() || g % 3 == 0)
                check_desc(runtime,
                           (clprim_partition_desc){.type = CLPRIM_U8,
                                                   .flags_type = CLPRIM_U8,
                                                   .variant = (clprim_select_variant)v,
                                                   .work_group_size = group_sizes[g],
                                                   .items_per_work_item = items[(v + g) % 4]},
                           v == CLPRIM_SELECT_LOOK_BACK ? (size_t[]){SEPARATE, THREE_SEPARATE, REVERSED}[g % 3]
                                                        : g % FORMS);
}

/* More tiles than ever run at the same time. AUTO supports all forms: if LOOK_BACK does not support one, it takes
 * another variant. */
TEST_EACH_WITH_RUNTIME(partition, millions, FORMS)
{
    for (int variant = CLPRIM_SELECT_AUTO; variant <= test_last_variant(&clprim_partition_operation); variant++) {
        const clprim_partition_desc desc =
            desc_of((clprim_partition_desc){.type = CLPRIM_U32, .variant = (clprim_select_variant)variant}, number);
        if (!can_be(variant, number)) {
            test_refuse(runtime, &clprim_partition_operation, &desc, CLPRIM_INVALID_ARGUMENT, "separate");
            continue;
        }
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_partition_operation, &desc))
            for (uint64_t seed = 0; seed < 2; seed++)
                check(&self, &(test_turn){.kinds = DIVISION_END,
                                          .seed = seed,
                                          .count = 3000012 - seed * 77777,
                                          .pattern = TEST_RANDOM,
                                          .kind = DIVISION_ANY});
    }
}

/* Arrays larger than one launch of LOOK_BACK can count. In this test it counts 1000 elements. */
TEST_WITH_RUNTIME(partition, portions)
{
    for (size_t form = 0; form < FORMS; form++) {
        const clprim_partition_desc desc =
            desc_of((clprim_partition_desc){.type = CLPRIM_I32, .variant = CLPRIM_SELECT_LOOK_BACK}, form);
        TEST_WITH_CALL(self, can_be(CLPRIM_SELECT_LOOK_BACK, form) &&
                                 test_call_create(&self, runtime, &clprim_partition_operation, &desc)) {
            ((clprim__select_plan *)(void *)self.plan)->portion = 1000;
            for (size_t division = 0; division < DIVISION_END; division++)
                for (size_t count = 999; count <= 3001; count += count % 1000 == 1 ? 998 : 1)
                    check(&self, &(test_turn){.kinds = DIVISION_END,
                                              .seed = TEST_SEED + count,
                                              .count = count,
                                              .pattern = (test_pattern)(count % TEST_PATTERN_END),
                                              .kind = division});
        }
    }
}

/* The default types, with results known in advance: I32 by flags of U8. A call without elements needs no arrays. */
TEST_WITH_RUNTIME(partition, known_by_heart)
{
    static int32_t in[] = {1, -2, 30, 400};
    static int32_t stable[] = {30, 400, 1, -2}, reversed[] = {30, 400, -2, 1}, rest[] = {1, -2};
    static uint8_t flags[] = {0, 0, 128, 1};
    uint32_t two = 2;
    clprim_partition_call call = {
        .in = {.host = in}, .flags = {.host = flags}, .count = 4, .out = {.host = stable}, .out_count = {.host = &two}};
    const clprim_partition_desc by_text = {.predicate = "x > 20"};
    test_check_known(runtime, &clprim_partition_operation, NULL, &call);
    test_check_known(runtime, &clprim_partition_operation, &by_text, &call);
    call.out.host = reversed;
    test_check_known(runtime, &clprim_partition_operation, &(clprim_partition_desc){.reversed_rest = true}, &call);
    call.out.host = stable; /* the first two */
    call.rest_out.host = rest;
    call.rest_count.host = &two;
    test_check_known(runtime, &clprim_partition_operation, &(clprim_partition_desc){.separate = true}, &call);
    ASSERT_OK(clprim_partition_run(NULL, &by_text, &(clprim_partition_call){.out_count = {.host = &two}}));
    cr_assert_eq(two, 0);
}

Test(partition, reference_refuses)
{
    static const int16_t in[] = {5, -1};
    static const uint8_t part[] = {0, 1};
    int16_t out[2] = {77, 77};
    size_t counts[2] = {99, 99};
#define REFUSED(...) ASSERT_STATUS(clprim_reference_partition(__VA_ARGS__), CLPRIM_INVALID_ARGUMENT)
    REFUSED(NULL, counts, 2, 2, part, in, 2);
    REFUSED(out, NULL, 2, 2, part, in, 2);
    REFUSED(out, counts, 0, 2, part, in, 2);
    REFUSED(out, counts, 1, 2, part, in, 2); /* there is no part 1 */
    REFUSED(out, counts, 2, 0, part, in, 2);
    REFUSED(out, counts, 2, 2, NULL, in, 2);
    REFUSED(out, counts, 2, 2, part, NULL, 2);
    cr_assert(out[0] == 77 && out[1] == 77 && counts[0] == 99 && counts[1] == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_partition(NULL, counts, 2, sizeof *in, NULL, NULL, 0));
    cr_assert(counts[0] == 0 && counts[1] == 0, "none of nothing");
}
