/* cases.c: which cases are tried. */
#include "cases.h"

#include <stdlib.h>

int test_last_variant(const clprim_operation *face)
{
    size_t count = 0;
    const clprim_variant_info *variants = face->variants(&count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(variants[i].id, (int)i + 1, "%s: %s has another number", face->name, variants[i].name);
    return (int)count;
}

enum { MOST_CASES = 8192 };

typedef struct sample {
    const size_t *levels;
    int (*rank)(const size_t *at);
    size_t count;
    test_case cases[MOST_CASES];
    bool met[TEST_FACTORS][TEST_FACTORS][TEST_LEVELS][TEST_LEVELS];
} sample;

/* Case k of the product; false if there are no more. */
static bool case_at(const sample *self, size_t *at, size_t k)
{
    for (size_t i = 0; self->levels[i] > 0; k /= self->levels[i++])
        at[i] = k % self->levels[i];
    return k == 0;
}

/* How many levels meet in the case that have not met yet. */
static unsigned news_of(sample *self, const size_t *at, bool takes)
{
    unsigned news = 0;
    for (size_t i = 0; self->levels[i] > 0; i++)
        for (size_t j = 0; j <= i; j++) {
            bool *pair = &self->met[i][j][at[i]][at[j]];
            news += !*pair;
            *pair = *pair || takes;
        }
    return news;
}

/* The case in which the most levels meet for the first time; false if there is none. */
static bool choose(sample *self, int most_rank)
{
    test_case at;
    unsigned most = 0;
    for (size_t k = 0; case_at(self, at, k); k++) {
        const int own = self->rank(at);
        const unsigned news = own > 0 && own <= most_rank ? news_of(self, at, false) : 0;
        if (news > most)
            memcpy(self->cases[self->count], at, sizeof at);
        most = news > most ? news : most;
    }
    if (most > 0)
        (void)news_of(self, self->cases[self->count++], true);
    return most > 0;
}

size_t test_sample(const test_case **cases, int variant, const size_t *levels, int (*rank)(const size_t *at))
{
    static sample self;
    size_t count = 0;
    cr_assert_leq((size_t)variant, levels[0], "variant %d is in no case", variant);
    self = (sample){.levels = levels, .rank = rank};
    *cases = (const test_case *)self.cases;
    for (size_t k = 0; test_is_full() && case_at(&self, self.cases[self.count], k); k++)
        self.count += rank(self.cases[self.count]) > 0;
    for (int most_rank = 1; most_rank <= 2 && !test_is_full();)
        most_rank += !choose(&self, most_rank);
    for (size_t i = 0; i < self.count; i++)
        if (self.cases[i][0] + 1 == (size_t)variant)
            memmove(self.cases[count++], self.cases[i], sizeof(test_case));
    return count;
}

bool test_next(test_turn *turn)
{
    size_t i = turn->step++;
    turn->seed += i > 0;
    turn->pattern = (test_pattern)(turn->seed % TEST_PATTERN_END);
    turn->kind = turn->seed / 2 % turn->kinds;
    turn->again = true;
    if (i < 2 * TEST_SIZES) {
        turn->count = test_size(i / 2, turn->seed);
        turn->again = i % 2 == 1;
        return true;
    }
    i -= 2 * TEST_SIZES;
    if (i < 2 * turn->kinds) {
        turn->count = i % 2 == 0 ? 613 : 33333;
        turn->kind = i / 2;
        return true;
    }
    i -= 2 * turn->kinds;
    turn->count = i < TEST_PATTERN_END ? 5001 : i - TEST_PATTERN_END + 4;
    turn->pattern = i < TEST_PATTERN_END ? (test_pattern)i : TEST_RANDOM;
    turn->kind = i % 2 * 2 % turn->kinds;
    return turn->count < 40 || i < TEST_PATTERN_END;
}

/* Many short segments, then a few long ones. */
static void fill_heads(unsigned char *heads, size_t size, size_t count, uint64_t random)
{
    memset(heads, 0, count * size);
    for (size_t i = 0; i < count; i++)
        heads[i * size] = test_random_below(&random, i < count / 2 ? 7 : 700) == 0;
}

static void fill_array(const test_call *self, size_t i, const test_turn *turn, void *data)
{
    const clprim__slot *slot = &self->plan->slots[i];
    const clprim_type type = slot->member->element(self->desc.bytes, slot->index).type;
    const clprim_member *members = self->face->desc_members;
    const bool is_folded = test_member(members, "op") != NULL && strncmp(slot->member->name, "keys", 4) != 0;
    const clprim_op op = is_folded ? (clprim_op)test_get(&self->desc, members, "op") : CLPRIM_MIN;
    if (strcmp(slot->member->name, "heads") == 0)
        fill_heads(data, slot->element_size, turn->count, turn->seed);
    else if (type == CLPRIM_TYPE_DEFAULT)
        test_fill(data, CLPRIM_U32, CLPRIM_MIN, turn->pattern, turn->count * slot->element_size / 4, turn->seed);
    else
        test_fill(data, type, op, turn->pattern, turn->count, turn->seed);
    if (i == 0 && turn->kinds == TEST_RUNS_END)
        test_make_runs(data, slot->element_size, (test_runs)turn->kind, turn->count, turn->seed);
}

void test_fill_turn(test_call *self, test_struct *call, const test_turn *turn)
{
    *call = (test_struct){.bytes = {0}};
    test_put(call, self->face->call_members, "count", turn->count);
    for (size_t i = 0; i < self->num_arrays; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        if (slot->member->kind != CLPRIM_MEMBER_INPUT || slot->element_size == 0)
            continue;
        clprim_array *array = clprim__array_of(call->bytes, slot);
        array->host = test_memory(i, turn->count * slot->element_size);
        fill_array(self, i, turn, array->host);
    }
    self->in_place = turn->seed % 3 == 0;
    self->goes_on = turn->kinds == TEST_RUNS_END && turn->seed % 2 == 0;
    self->user = turn;
}

void test_check_filled(test_call *self, const test_struct *call, const test_turn *turn)
{
    test_call_fill(self, call->bytes, turn->seed);
    test_call_check(self, "%s, %s", test_pattern_name(turn->pattern),
                    turn->kinds == TEST_RUNS_END ? test_runs_name((test_runs)turn->kind) : "as filled");
}

void test_check_turn(test_call *self, const test_turn *turn)
{
    test_struct call;
    test_fill_turn(self, &call, turn);
    test_check_filled(self, &call, turn);
}

void test_check_known(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *call)
{
    test_call self;
    if (!test_call_create(&self, runtime, face, desc))
        return;
    test_call_fill(&self, call, 1);
    test_call_check(&self, "known by heart");
    test_call_check_run(&self, "known by heart");
    test_call_destroy(&self);
}

void test_refuse_each(const clprim_operation *face, const test_refusal *rows, size_t count)
{
    static const test_struct nothing;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++) {
        const clprim_status status = rows[i].status != CLPRIM_SUCCESS ? rows[i].status : CLPRIM_INVALID_ARGUMENT;
        test_struct desc;
        clprim_plan *plan = NULL;
        memcpy(desc.bytes, rows[i].desc, face->desc_size);
        test_refuse(runtime, face, desc.bytes, status, rows[i].culprit);
        ASSERT_REFUSED(face->run(runtime, desc.bytes, nothing.bytes), status, rows[i].culprit);
        if (rows[i].by_reference)
            ASSERT_REFUSED(test_reference(face, desc.bytes, nothing.bytes), status, rows[i].culprit);
        if (status != CLPRIM_UNSUPPORTED || test_get(&desc, face->desc_members, "variant") == 0)
            continue;
        test_put(&desc, face->desc_members, "variant", 0);
        ASSERT_OK(face->create(&plan, runtime, desc.bytes));
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

void test_refuse_texts(clprim_runtime *runtime, const clprim_operation *face, const test_refusal *rows, size_t count)
{
    const size_t numbers = (size_t)test_last_variant(face) + 1;
    for (size_t k = 0; k < count * numbers; k++) {
        const test_refusal *row = &rows[k / numbers];
        const size_t variant = k % numbers;
        test_struct desc;
        test_call self;
        memcpy(desc.bytes, row->desc, face->desc_size);
        test_put(&desc, face->desc_members, "variant", variant);
        if (row > rows && (size_t)(row - rows) % numbers != variant && !test_is_full())
            continue;
        const clprim_status status = test_call_try(&self, runtime, face, desc.bytes);
        if (status == CLPRIM_UNSUPPORTED && variant != 0)
            continue;
        cr_assert_eq((int)status, (int)CLPRIM_BUILD_FAILED, "%s: %s", self.name, clprim_last_error());
        cr_assert_null(self.plan);
        cr_assert_not_null(strstr(clprim_last_error(), row->culprit), "%s: %s is not named in: %s", self.name,
                           row->culprit, clprim_last_error());
    }
}

enum { ONES_BEFORE = 3, GUARD = 8, MARKS = 5 };

/* What the call writes from element 1 on, and nothing else. */
static void expect_bytes(const clprim_runtime *runtime, cl_mem from, const void *expected, size_t bytes, size_t size,
                         const char *what)
{
    unsigned char poison[GUARD];
    unsigned char *found = test_allocate(size + bytes + GUARD);
    memset(poison, TEST_POISON, sizeof poison);
    test_read(runtime, found, from, size + bytes + GUARD);
    test_expect_same(poison, found, 1, size, what);
    test_expect_same(expected, found + size, 1, bytes, what);
    test_expect_same(poison, found + size + bytes, 1, GUARD, what);
    free(found);
}

/* By one plan, whose outputs are out and, where there are two, one number. */
static void call_huge(const test_call *self, cl_mem in, cl_mem outs[2], const void *expected, size_t bytes,
                      uint64_t number)
{
    test_struct call = {.bytes = {0}};
    unsigned char poison[1024];
    size_t output = 0;
    memset(poison, TEST_POISON, sizeof poison);
    test_put(&call, self->face->call_members, "count", TEST_HUGE);
    for (size_t i = 0; i < self->num_arrays; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        const bool is_in = slot->member->kind == CLPRIM_MEMBER_INPUT;
        if (slot->element_size == 0)
            continue;
        *clprim__array_of(call.bytes, slot) =
            (clprim_array){.buffer = is_in ? in : outs[output], .offset = is_in ? ONES_BEFORE : 1};
        if (!is_in)
            test_write(self->runtime, outs[output++], poison, sizeof poison);
    }
    ASSERT_OK(test_call_enqueue(self, &call));
    for (size_t i = 0; i < self->num_arrays; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        const clprim_array *array = clprim__array_of(call.bytes, slot);
        const bool is_number = output == 2 && array->buffer == outs[1];
        if (slot->element_size > 0 && array->buffer != in)
            expect_bytes(self->runtime, array->buffer, is_number ? &number : expected,
                         is_number ? sizeof number : bytes, slot->element_size, self->name);
    }
}

void test_huge(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *expected,
               size_t bytes, uint64_t number)
{
    static const unsigned char marks[MARKS] = {2, 3, 2, 5, 60};
    static const size_t places[MARKS] = {0, 1, UINT32_MAX, (size_t)UINT32_MAX + 1, TEST_HUGE - 1};
    if (!test_has_room_for_huge(runtime, 2))
        cr_skip_test("the device is no GPU with room for two arrays of 2^32 bytes");
    cl_mem in = test_buffer(runtime, ONES_BEFORE + TEST_HUGE);
    cl_mem outs[2] = {test_buffer(runtime, 1 + TEST_HUGE + GUARD), test_buffer(runtime, 1024)};
    test_write_ones(runtime, in, ONES_BEFORE + TEST_HUGE);
    for (size_t i = 0; i < MARKS; i++)
        ASSERT_CL(clEnqueueWriteBuffer(clprim_runtime_queue(runtime), in, CL_TRUE, ONES_BEFORE + places[i], 1,
                                       &marks[i], 0, NULL, NULL));
    for (int variant = 1; variant <= test_last_variant(face); variant++) {
        test_call self;
        test_struct with = {.bytes = {0}};
        memcpy(with.bytes, desc, face->desc_size);
        test_put(&with, face->desc_members, "type", CLPRIM_U8);
        test_put(&with, face->desc_members, "max_count", TEST_HUGE);
        test_put(&with, face->desc_members, "variant", (uint64_t)variant);
        /* cpu_chunk: a few work-items for 2^32 elements take minutes on a GPU */
        if (strcmp(test_variant_name(face, variant), "cpu_chunk") == 0 ||
            !test_call_create(&self, runtime, face, with.bytes))
            continue;
        call_huge(&self, in, outs, expected, bytes, number);
        test_call_destroy(&self);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(outs[0]));
    ASSERT_CL(clReleaseMemObject(outs[1]));
}
