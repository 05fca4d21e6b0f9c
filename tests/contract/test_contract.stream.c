// SPDX-License-Identifier: MIT
/* test_contract.stream.c: streams of batches of any size must give the results of the whole call. Operations that cannot
 * process batches must be refused, with the reason that docs/scale.md gives. */
#include <clprim/stream.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract.h"
#include "plan_pieces.h"

enum { COUNT = 20000, ROUNDS = 3 };

/* Why streams are refused, by the operation and a piece of the sentence; all others must be possible. */
static bool may_refuse(const char *operation)
{
    static const contract_reason more[] = {
        {"scan", "depends on the next batch"},
        {"adjacent_difference", "depends on the next batch"},
        {"run_length_encode", "may continue in the next batch"},
        {"reduce_by_key", "may continue in the next batch"},
        {"merge", "needs all elements"},
        {"set_operation", "needs all elements"},
        {"partition", "depends on all batches"},
        {"nth_element", "needs all elements"},
        {"segmented_reduce", "needs all elements"},
        {"radix_sort", "needs all elements"},
        {"sort_by_key", "needs all elements"},
        {"comparison_sort", "needs all elements"},
        {"bitonic_sort", "needs all elements"},
    };
    return contract_has_reason(operation, more, sizeof more / sizeof *more);
}

static void set_count(const test_call *self, test_struct *call, size_t count)
{
    memcpy(call->bytes + self->operation->pieces->count_place, &count, sizeof count);
}

static size_t length_of(const test_call *self, size_t i, size_t count)
{
    test_struct call = self->call;
    set_count(self, &call, count);
    return self->arrays[i].slot.member->length(self->desc.bytes, call.bytes);
}

/* Array elements for an element of the call; 0: the array does not come with batches. */
static size_t per_element(const test_call *self, size_t i, size_t total)
{
    const test_array *array = &self->arrays[i];
    for (const char *const *name = self->operation->pieces->whole; name != NULL && *name != NULL; name++)
        if (strcmp(*name, array->slot.member->name) == 0)
            return 0;
    if (!array->is_there)
        return 0;
    if (array->slot.member->is_value != NULL && array->length < total)
        return 0;
    return length_of(self, i, 3) - length_of(self, i, 2);
}

/* A batch may have any size: often a few elements, or none. */
static size_t any_size(uint64_t *random, size_t left)
{
    const size_t kinds[] = {0, 1, 2, 1 + test_random_below(random, 100), 1 + test_random_below(random, 5000), left};
    const size_t size = kinds[test_random_below(random, sizeof kinds / sizeof *kinds)];
    return size < left ? size : left;
}

/* How far outputs are written before element `begin`: of outputs that another one counts, and of one per pair.
 * appended: what the counters have counted, by their place. */
static size_t written_before(const test_call *self, size_t i, size_t per, size_t begin, const size_t *appended)
{
    const int counter = self->arrays[i].slot.counted_by;
    return counter >= 0                                                           ? appended[counter]
           : self->arrays[i].is_output && length_of(self, i, 3) == 2 && begin > 0 ? begin - 1
                                                                                  : begin * per;
}

static void push_all(const test_call *self, clprim_stream *stream, const test_struct *whole, size_t total,
                     uint64_t *random)
{
    size_t appended[CLPRIM__MAX_ARRAYS] = {0};
    for (size_t begin = 0; begin < total;) {
        const size_t size = any_size(random, total - begin);
        uint64_t numbers[CLPRIM__MAX_ARRAYS] = {0};
        test_struct call = *whole;
        set_count(self, &call, size);
        for (size_t i = 0; i < self->num_arrays; i++) {
            clprim_array *array = test_array_of(self, &call, i);
            const size_t per = per_element(self, i, total);
            if (per == 0) {
                *array = (clprim_array){.host = NULL};
                continue;
            }
            array->offset += written_before(self, i, per, begin, appended);
            array->length = 0;
        }
        for (size_t i = 0; i < self->num_arrays; i++) {
            const int counter = self->arrays[i].slot.counted_by;
            if (self->arrays[i].is_there && counter >= 0)
                *test_array_of(self, &call, (size_t)counter) = (clprim_array){.host = &numbers[counter]};
        }
        test_expect_status(clprim_stream_push(stream, call.bytes), CLPRIM_SUCCESS, "", self->name);
        for (size_t i = 0; i < CLPRIM__MAX_ARRAYS; i++)
            appended[i] += (size_t)numbers[i];
        begin += size;
        cr_assert_eq(clprim_stream_count(stream), begin);
        if (test_random_below(random, 4) == 0) /* the result so far changes nothing */
            test_expect_status(clprim_stream_result(stream), CLPRIM_SUCCESS, "", self->name);
    }
}

/* Returns false if the operation cannot process batches. */
static bool check(const test_call *self, uint64_t *random)
{
    const test_struct whole = test_call_on_host(self);
    const clprim__pieces *pieces = self->operation->pieces;
    size_t total = 0;
    if (pieces != NULL && pieces->run == NULL)
        memcpy(&total, whole.bytes + pieces->count_place, sizeof total);
    test_struct call = whole;
    clprim_stream *stream = NULL;
    if (total > 0) {
        for (size_t i = 0; i < self->num_arrays; i++)
            if (per_element(self, i, total) > 0)
                *test_array_of(self, &call, i) = (clprim_array){.host = NULL};
        set_count(self, &call, test_random_below(random, 2) * (1 + test_random_below(random, 6000)));
    }
    const clprim_status status = clprim_stream_create(&stream, self->runtime, self->face, self->desc.bytes, call.bytes);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_assert(may_refuse(self->face->name), "%s: %s", self->name, clprim_last_error());
        cr_assert_null(stream);
        return false;
    }
    test_expect_status(status, CLPRIM_SUCCESS, "", self->name);
    push_all(self, stream, &whole, total, random);
    test_expect_status(clprim_stream_result(stream), CLPRIM_SUCCESS, "", self->name);
    test_call_expect_on_host(self, "in batches", true);
    clprim_stream_destroy(stream);
    return true;
}

CONTRACT_TEST(contract_streams, are_the_whole_call, test_is_full() ? CONTRACT_VARIANTS : CONTRACT_SAMPLES, COUNT, 101)
{
    uint64_t random = TEST_SEED;
    for (size_t round = 0; round < ROUNDS && check(self, &random); round++)
        contract_fill(self, test_random_below(&random, COUNT), round);
}

/* An output overwrites the batch's input. */
CONTRACT_TEST(contract_streams, work_in_place, CONTRACT_SAMPLES, COUNT, 102)
{
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const int input = self->arrays[i].in_place_of;
        if (!self->arrays[i].is_there || input < 0 || self->arrays[i].length < COUNT)
            continue;
        self->replaced = UINT64_C(1) << input;
        contract_fill(self, COUNT, 102);
        (void)check(self, &random);
    }
}

/* Whether a line of the file begins with this text, and the rest of that line. */
static bool find_line(char *rest, size_t size, const char *path, const char *beginning)
{
    char line[1024];
    bool is_found = false;
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    while (!is_found && fgets(line, sizeof line, file) != NULL) {
        is_found = strncmp(line, beginning, strlen(beginning)) == 0;
        if (is_found)
            (void)snprintf(rest, size, "%s", line + strlen(beginning));
    }
    (void)fclose(file);
    return is_found;
}

/* Whether streams work with one of the operation's samples. */
static bool streams_work(const clprim__trial_subject *subject)
{
    const clprim__pieces *pieces = subject->operation->pieces;
    bool works = false;
    if (pieces == NULL || pieces->run != NULL)
        return false;
    for (size_t k = 0; k < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[k] != NULL; k++)
        works = works || pieces->needs_all == NULL ||
                pieces->needs_all((const char *)subject->samples + k * subject->desc_size) == NULL;
    return works;
}

/* The table of docs/scale.md says of each operation what works in pieces. */
Test(contract_streams, are_in_the_table, .timeout = 60)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++) {
        const clprim__operation *operation = subjects[i]->operation;
        const clprim__pieces *pieces = operation->pieces;
        const char *name = operation->face->name;
        char beginning[128], row[1024], ignored[1024];
        (void)snprintf(beginning, sizeof beginning, "clprim_distributed_%s\n", name);
        const bool works[] = {pieces != NULL, find_line(ignored, sizeof ignored, CLPRIM_TEST_SYMBOLS, beginning),
                              streams_work(subjects[i])};
        (void)snprintf(beginning, sizeof beginning, "| `%s` |", name);
        cr_assert(find_line(row, sizeof row, CLPRIM_TEST_SCALE, beginning), "docs/scale.md lacks %s", name);
        const char *cell = row;
        for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
            cr_assert(cell != NULL && strncmp(cell, works[k] ? " yes" : " no", works[k] ? 4 : 3) == 0,
                      "docs/scale.md: column %zu of %s: %s", k + 1, name, cell);
            cell = strchr(cell, '|');
            cell = cell != NULL ? cell + 1 : NULL;
        }
    }
}
