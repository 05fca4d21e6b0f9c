// SPDX-License-Identifier: MIT
/* nth_element_operation.c: the description and call for keys at given ranks, the reference, and samples. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "error.h"
#include "nth_element_internal.h"
#include "plan_table.h"
#include "segments.h"

#define DESC(...) CLPRIM__DESC(nth_element, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(nth_element, __VA_ARGS__)

CLPRIM__ELEMENT(key, nth_element, clprim__type_or(d->key_type, CLPRIM_U32))
CLPRIM__ELEMENT(key_in, nth_element, d->input != NULL ? clprim__no_element() : key(desc, 0))
CLPRIM__ELEMENT(rank, nth_element, clprim__type_or(d->index_type, CLPRIM_U32))
CLPRIM__LENGTH(length, nth_element, c->count)
CLPRIM__LENGTH(ranks_length, nth_element, c->rank_count)
CLPRIM__LENGTH(out_length, nth_element, c->count > 0 ? c->rank_count : 0)
CLPRIM__COUNT(nth_element, c->count)
CLPRIM__DEFINE_ARGUMENTS(nth_element)
CLPRIM__DEFINE_COUNT_AT(nth_element)

static const clprim_member desc_members[] = {
    DESC(key_type, TYPE, "type of the keys; default u32"),
    CLPRIM__INPUT_MEMBER(nth_element),
    CLPRIM__TEXT_MEMBERS(nth_element),
    DESC(descending, BOOL, "ranks count from the largest key"),
    CLPRIM__NAN_MEMBER(nth_element),
    DESC(max_ranks, SIZE, "ranks of any call; default 128"),
    DESC(index_type, TYPE, "type of the ranks: u32 (default) or u64"),
    CLPRIM__COUNT_AT_MEMBER(nth_element),
    CLPRIM__PLAN_MEMBERS(nth_element),
    {0},
};

static const clprim_member call_members[] = {
    CALL(keys_in, INPUT, "the keys", .element = key_in, .length = length),
    CLPRIM__ARGUMENTS_MEMBER(nth_element, length),
    CLPRIM__CALL_COUNT_AT(nth_element, count_at),
    CALL(count, SIZE, "how many there are"),
    CALL(ranks, INPUT, "the ranks, from 0 on", .element = rank, .length = ranks_length),
    CALL(rank_count, SIZE, "how many ranks there are"),
    CALL(keys_out, OUTPUT, "for each rank the key that would stand there if the keys were sorted", .element = key,
         .length = out_length),
    {0},
};

/* The sample has as many ranks as a call may have, including the first and the last one, in no particular order, and
 * some of them twice. */
static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    enum { MOST = 100, STEP = 37 };
    const clprim_nth_element_desc *d = desc;
    clprim_nth_element_call *c = call;
    const size_t most = d->max_ranks != 0 && d->max_ranks < MOST ? d->max_ranks : MOST;
    uint64_t ranks[MOST] = {0};
    c->count = wanted;
    c->rank_count = wanted > 0 ? most : 0;
    c->keys_in.host = clprim__trial_elements(trial, key(desc, 0).type, wanted);
    c->ranks.host = clprim__trial_memory(trial, c->rank_count * rank(desc, 0).size);
    for (size_t r = 0; r < c->rank_count; r++)
        ranks[r] = r * STEP % most * (wanted - 1) / (most > 1 ? most - 1 : 1);
    clprim__put_numbers(&c->ranks, rank(desc, 0), ranks, c->rank_count);
}

static clprim_status reference(const void *desc, const void *call)
{
    const clprim_nth_element_desc *d = desc;
    const clprim_nth_element_call *c = call;
    const clprim_reference_nth_element_how how = {
        .key_type = d->key_type, .descending = d->descending, .nan_order = d->nan_order};
    uint64_t *ranks = malloc((c->rank_count + 1) * sizeof *ranks);
    if (ranks == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reference");
    for (size_t r = 0; r < c->rank_count; r++)
        ranks[r] = clprim__offset_at(c->ranks.host, rank(desc, 0).size, r);
    const clprim_status status =
        clprim_reference_nth_element(c->keys_out.host, &how, c->keys_in.host, c->count, ranks, c->rank_count);
    free(ranks);
    return status;
}

static const clprim_nth_element_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .descending = true, .index_type = CLPRIM_U64},
    {.key_type = CLPRIM_I64, .max_ranks = 1},
};
static const int order[] = {CLPRIM_NTH_ELEMENT_RADIX_SELECT, CLPRIM_NTH_ELEMENT_SORT, CLPRIM_NTH_ELEMENT_CPU_CHUNK,
                            CLPRIM_NTH_ELEMENT_AUTO};

static const clprim__operation operation = {
    .face = &clprim_nth_element_operation,
    .plan_size = sizeof(clprim__nth_element_plan),
    .tunables = &clprim__nth_element_tunables,
    .make = clprim__nth_element_make,
    .clear = clprim__nth_element_clear,
    .count = count,
    .check = clprim__nth_element_check,
    .scratch = clprim__nth_element_scratch,
    .launch = clprim__nth_element_launch,
    .pieces = &clprim__nth_element_pieces,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(nth_element, "the keys at given ranks of the sorted order, without sorting",
                         clprim__nth_element_variants, "u32, many ranks", "f32, descending", "i64, one rank")
