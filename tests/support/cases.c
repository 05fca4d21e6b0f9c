// SPDX-License-Identifier: MIT
/* cases.c: choose the cases that are tested. */
#include "cases.h"

#include "slots.h"

#include <stdlib.h>

bool test_runs_variant(const clprim_runtime *runtime, const clprim_operation *face, int variant)
{
    return strcmp(test_variant_name(face, variant), "native") == 0 ? clprim_runtime_info(runtime)->has_native_kernels
                                                                   : getenv("CLPRIM_TEST_NATIVE") == NULL;
}

int test_last_variant(const clprim_operation *face)
{
    size_t count = 0;
    const clprim_variant_info *variants = face->variants(&count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(variants[i].id, (int)i + 1, "%s: %s has another number", face->name, variants[i].name);
    return (int)count;
}

size_t test_num_choices(const clprim_operation *face)
{
    size_t count = 0;
    (void)face->variants(&count);
    return count + 1;
}

int test_choice(const clprim_operation *face, size_t choice)
{
    return choice == 0 ? 0 : face->variants(NULL)[choice - 1].id;
}

enum { MOST_CASES = 8192 };

typedef struct sample {
    const size_t *levels;
    int (*rank)(const size_t *at);
    void (*complete)(size_t *at);
    bool (*is_paired)(size_t a, size_t b);
    size_t count;
    test_case cases[MOST_CASES];
    bool met[TEST_FACTORS][TEST_FACTORS][TEST_LEVELS][TEST_LEVELS];
} sample;

/* Get case k of the product; false if there are no more. */
static bool case_at(const sample *self, size_t *at, size_t k)
{
    for (size_t i = 0; self->levels[i] > 0; k /= self->levels[i++])
        at[i] = k % self->levels[i];
    if (self->complete != NULL)
        self->complete(at);
    return k == 0;
}

/* How many pairs of levels the case contains that no earlier case contains. */
static unsigned news_of(sample *self, const size_t *at, bool takes)
{
    unsigned news = 0;
    for (size_t i = 0; self->levels[i] > 0; i++)
        for (size_t j = 0; j <= i; j++) {
            bool *pair = &self->met[i][j][at[i]][at[j]];
            news += !*pair && (self->is_paired == NULL || self->is_paired(j, i));
            *pair = *pair || takes;
        }
    return news;
}

/* Choose the case with the most new pairs of levels; false if there is none. */
static bool choose(sample *self, int most_rank)
{
    test_case at;
    unsigned most = 0;
    for (size_t k = 0; case_at(self, at, k); k++) {
        const int own = self->rank != NULL ? self->rank(at) : 1;
        const unsigned news = own > 0 && own <= most_rank ? news_of(self, at, false) : 0;
        if (news > most)
            memcpy(self->cases[self->count], at, sizeof at);
        most = news > most ? news : most;
    }
    if (most > 0)
        (void)news_of(self, self->cases[self->count++], true);
    return most > 0;
}

static size_t sample_of(const test_case **cases, int variant, const sample *how, bool is_full)
{
    static sample self;
    size_t count = 0;
    self = *how;
    cr_assert_leq((size_t)variant, self.levels[0], "variant %d is in no case", variant);
    *cases = (const test_case *)self.cases;
    for (size_t k = 0; is_full && case_at(&self, self.cases[self.count], k); k++)
        self.count += self.rank(self.cases[self.count]) > 0;
    for (int most_rank = 1; most_rank <= 2 && !is_full;)
        most_rank += !choose(&self, most_rank);
    for (size_t i = 0; i < self.count; i++)
        if (self.cases[i][0] + 1 == (size_t)variant)
            memmove(self.cases[count++], self.cases[i], sizeof(test_case));
    return count;
}

/* Sizes around powers of two, where work-groups and tiles end. The last one is a number above 90000 that depends on the
 * seed. */
enum { TEST_SIZES = 26 };
static size_t size_at(size_t i, uint64_t seed)
{
    static const size_t sizes[TEST_SIZES - 1] = {0,    1,    2,    3,    4,     17,    255,  256,  257,
                                                 511,  512,  513,  600,  1023,  1024,  1025, 2047, 2048,
                                                 2049, 4095, 4096, 4097, 65535, 65536, 65537};
    return i < TEST_SIZES - 1 ? sizes[i] : TEST_MAX_SIZE - 1 - test_random_below(&seed, 19999);
}

size_t test_sample(const test_case **cases, int variant, const size_t *levels, int (*rank)(const size_t *at))
{
    return sample_of(cases, variant, &(sample){.levels = levels, .rank = rank}, test_is_full());
}

size_t test_sample_pairs(const test_case **cases, int variant, const size_t *levels, void (*complete)(size_t *at),
                         bool (*is_paired)(size_t a, size_t b))
{
    return sample_of(cases, variant, &(sample){.levels = levels, .complete = complete, .is_paired = is_paired}, false);
}

bool test_next(test_turn *turn)
{
    size_t i = turn->step++;
    turn->seed += i > 0;
    turn->pattern = (test_pattern)(turn->seed % TEST_PATTERN_END);
    turn->kind = (size_t)(turn->seed / 2 % turn->kinds);
    turn->again = true;
    if (i < 2 * TEST_SIZES) {
        turn->count = size_at(i / 2, turn->seed);
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

static bool begins_run(size_t kind, size_t i, size_t count, uint64_t *random)
{
    switch (kind) {
    case 1: return i % 3 != 2; /* runs of 1 and 2 */
    case 2: return test_random_below(random, 8) == 0;
    case 3: return test_random_below(random, 1000) == 0;
    case 4: return i / 300 % 3 != 1; /* many equal elements, then a run of some hundreds */
    case 5: return false;
    case 6: return i == 1;
    case 7: return i == count - 1;
    default: return true; /* the elements stay as they are */
    }
}

/* Make runs: replace elements by copies of the element before them. */
static void make_runs(void *data, size_t size, size_t kind, size_t count, uint64_t seed)
{
    char *elements = data;
    for (size_t i = 1; i < count; i++)
        if (!begins_run(kind, i, count, &seed))
            memcpy(elements + i * size, elements + (i - 1) * size, size);
}

/* Make many short segments, then a few long ones. */
static void fill_heads(unsigned char *heads, size_t size, size_t count, uint64_t random)
{
    memset(heads, 0, count * size);
    for (size_t i = 0; i < count; i++)
        heads[i * size] = test_random_below(&random, i < count / 2 ? 7 : 700) == 0;
}

static size_t length_of(const clprim__slot *slot, const test_turn *turn)
{
    return strcmp(slot->member->name, "initial_at") == 0 ? 1 : turn->count;
}

static void fill_array(const test_call *self, size_t i, const test_turn *turn, void *data)
{
    const clprim__slot *slot = &self->plan->slots[i];
    const clprim_type type = slot->member->element(self->desc.bytes, slot->index).type;
    const clprim_member *members = self->face->desc_members;
    const bool is_folded = test_member(members, "op") != NULL && strncmp(slot->member->name, "keys", 4) != 0;
    const clprim_op op = is_folded ? (clprim_op)test_get(&self->desc, members, "op") : CLPRIM_MIN;
    const size_t count = length_of(slot, turn);
    if (strcmp(slot->member->name, "heads") == 0)
        fill_heads(data, slot->element_size, count, turn->seed);
    else if (type == CLPRIM_TYPE_DEFAULT)
        test_fill(data, CLPRIM_U32, CLPRIM_MIN, turn->pattern, count * slot->element_size / 4, turn->seed);
    else
        test_fill(data, type, op, turn->pattern, count, turn->seed);
    if (i == 0 && turn->kinds == TEST_RUNS_END)
        make_runs(data, slot->element_size, turn->kind, turn->count, turn->seed);
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
        array->host = test_memory(i, length_of(slot, turn) * slot->element_size);
        fill_array(self, i, turn, array->host);
    }
    self->replaced = turn->seed % 3 == 0 ? UINT64_MAX : 0;
    self->goes_on = turn->kinds == TEST_RUNS_END && turn->seed % 2 == 0;
    self->user = turn;
}

void test_check_filled(test_call *self, const test_struct *call, const test_turn *turn)
{
    test_call_fill(self, call->bytes, turn->seed);
    test_call_check(self, "pattern %d, kind %zu of %zu", (int)turn->pattern, turn->kind, turn->kinds);
}

void test_check_turn(test_call *self, const test_turn *turn)
{
    test_struct call;
    test_fill_turn(self, &call, turn);
    test_check_filled(self, &call, turn);
}

static bool has_text(const test_call *self)
{
    bool has = false;
    for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++)
        has = has || ((m->kind == CLPRIM_MEMBER_TEXT || m->kind == CLPRIM_MEMBER_CUSTOM_OP) &&
                      test_get(&self->desc, m, m->name) != 0);
    return has;
}

static void check_reference(const test_call *self)
{
    test_struct call = test_call_on_host(self);
    for (size_t i = 0; i < self->num_arrays; i++) {
        clprim_array *array = test_array_of(self, &call, i);
        if (self->arrays[i].is_there)
            *array = (clprim_array){.host = (char *)array->host + array->offset * self->arrays[i].size};
    }
    ASSERT_OK(self->operation->reference(self->desc.bytes, call.bytes));
    test_call_expect_on_host(self, "the reference", true);
}

void test_check_known(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *call)
{
    TEST_WITH_CALL(self, test_call_create(&self, runtime, face, desc)) {
        test_call_fill(&self, call, 1);
        test_call_check(&self, "known by heart");
        test_call_check_run(&self, "known by heart");
        if (!has_text(&self))
            check_reference(&self);
    }
}

void test_refuse_each(const clprim_operation *face, const test_refusal *rows, size_t count)
{
    static const test_struct nothing;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++) {
        const clprim_status status = rows[i].status != CLPRIM_SUCCESS ? rows[i].status : CLPRIM_INVALID_ARGUMENT;
        const test_struct by_auto = test_with(face, rows[i].desc, "variant", 0);
        clprim_plan *plan = NULL;
        test_refuse(runtime, face, rows[i].desc, status, rows[i].culprit);
        if (rows[i].by_reference)
            ASSERT_REFUSED(test_reference(face, rows[i].desc, nothing.bytes), status, rows[i].culprit);
        if (status != CLPRIM_UNSUPPORTED || memcmp(by_auto.bytes, rows[i].desc, face->desc_size) == 0)
            continue;
        ASSERT_OK(face->create(&plan, runtime, by_auto.bytes));
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
        const test_struct desc = test_with(face, row->desc, "variant", variant);
        test_call self;
        if (row > rows && (size_t)(row - rows) % numbers != variant && !test_is_full())
            continue;
        const clprim_status status = test_call_try(&self, runtime, face, desc.bytes);
        if (status == CLPRIM_UNSUPPORTED && variant != 0)
            continue;
        test_expect_status(status, CLPRIM_BUILD_FAILED, row->culprit, self.name);
        cr_assert_null(self.plan);
    }
}

/* Done by the host, because NVIDIA's driver 580 does not return from a fill of 2^31 bytes. */
static void write_ones(const clprim_runtime *runtime, cl_mem buffer, size_t bytes)
{
    enum { PART = 1 << 26 };
    unsigned char *ones = test_allocate(PART);
    memset(ones, 1, PART);
    for (size_t at = 0; at < bytes; at += PART)
        ASSERT_CL(clEnqueueWriteBuffer(clprim_runtime_queue(runtime), buffer, CL_TRUE, at,
                                       bytes - at < PART ? bytes - at : PART, ones, 0, NULL, NULL));
    free(ones);
}

enum { ONES_BEFORE = 3, LOOKED_AT = 1024, MARKS = 5 };

/* Call one plan. From element 1 on, its outputs must have the expected contents, and nothing around them may be
 * written. */
static void call_huge(const test_call *self, cl_mem in, const cl_mem outs[2], const void *const expected[2],
                      const size_t bytes[2])
{
    unsigned char wanted[LOOKED_AT], found[LOOKED_AT];
    test_struct call = {.bytes = {0}};
    test_put(&call, self->face->call_members, "count", TEST_HUGE);
    for (int is_done = 0; is_done < 2; is_done++) {
        size_t output = 0;
        for (size_t i = 0; i < self->num_arrays; i++) {
            const clprim__slot *slot = &self->plan->slots[i];
            const bool is_in = slot->member->kind == CLPRIM_MEMBER_INPUT;
            if (slot->element_size == 0)
                continue;
            *clprim__array_of(call.bytes, slot) =
                (clprim_array){.buffer = is_in ? in : outs[output], .offset = is_in ? ONES_BEFORE : 1};
            if (is_in)
                continue;
            memset(wanted, TEST_POISON, sizeof wanted);
            if (!is_done) {
                test_write(self->runtime, outs[output++], wanted, sizeof wanted);
                continue;
            }
            memcpy(wanted + slot->element_size, expected[output], bytes[output]);
            test_read(self->runtime, found, outs[output++], sizeof found);
            test_expect_same(wanted, found, 1, sizeof wanted, self->name);
        }
        if (!is_done)
            ASSERT_OK(test_call_enqueue(self, &call));
    }
}

void test_huge(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *expected,
               size_t bytes, uint64_t number)
{
    static const unsigned char marks[MARKS] = {2, 3, 2, 5, 60};
    static const size_t places[MARKS] = {0, 1, UINT32_MAX, (size_t)UINT32_MAX + 1, TEST_HUGE - 1};
    if (!test_take_huge(clprim_runtime_info(runtime), TEST_HUGE + LOOKED_AT))
        cr_skip_test("the device is no GPU with room for two arrays of 2^32 bytes");
    cl_mem in = test_buffer(runtime, ONES_BEFORE + TEST_HUGE);
    cl_mem outs[2] = {test_buffer(runtime, TEST_HUGE + LOOKED_AT), test_buffer(runtime, LOOKED_AT)};
    write_ones(runtime, in, ONES_BEFORE + TEST_HUGE);
    for (size_t i = 0; i < MARKS; i++)
        ASSERT_CL(clEnqueueWriteBuffer(clprim_runtime_queue(runtime), in, CL_TRUE, ONES_BEFORE + places[i], 1,
                                       &marks[i], 0, NULL, NULL));
    for (int variant = 1; variant <= test_last_variant(face); variant++) {
        test_call self;
        test_struct with = test_with(face, desc, "type", CLPRIM_U8);
        test_put(&with, face->desc_members, "max_count", TEST_HUGE);
        test_put(&with, face->desc_members, "variant", (uint64_t)variant);
        /* skip cpu_chunk on GPUs: a few work-items would take minutes for 2^32 elements */
        if (strcmp(test_variant_name(face, variant), "cpu_chunk") == 0 ||
            !test_call_create(&self, runtime, face, with.bytes))
            continue;
        call_huge(&self, in, outs, (const void *[]){expected, &number}, (const size_t[]){bytes, sizeof number});
        test_call_destroy(&self);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(outs[0]));
    ASSERT_CL(clReleaseMemObject(outs[1]));
}
