/* test_top_k.errors.c: what a call refuses gives its status and a sentence that names it, and nothing is written. */
#include "test_top_k.h"

enum { COUNT = 1000, K = 10, TO = 5 };

typedef struct call {
    cl_command_queue queue;
    cl_mem keys_in, values_in, keys_out, values_out;
    size_t keys_in_offset, values_in_offset, count, keys_out_offset, values_out_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

typedef struct setting {
    clprim_runtime *runtime;
    clprim_top_k *alone, *pairs, *indices;
    call good;
    unsigned char poison[2][4 * (COUNT + TO)];
} setting;

static clprim_top_k *plan_of(clprim_runtime *runtime, size_t value_size, bool indices)
{
    clprim_top_k *plan = NULL;
    const bool is_f32 = indices; /* so that programs are those of other tests */
    const clprim_top_k_desc desc = {.key_type = is_f32           ? CLPRIM_F32
                                                : value_size > 0 ? CLPRIM_I32
                                                                 : CLPRIM_U32,
                                    .k = K,
                                    .smallest = value_size == 0 || is_f32,
                                    .value_size = value_size,
                                    .indices = indices,
                                    .unsorted = value_size > 0,
                                    .max_count = COUNT};
    ASSERT_OK(clprim_top_k_create(&plan, runtime, &desc));
    return plan;
}

/* Inputs of exactly COUNT elements, outputs with room for K from TO on. */
static setting setting_create(void)
{
    setting s = {.runtime = test_runtime(NULL)};
    s.alone = plan_of(s.runtime, 0, false);
    s.pairs = plan_of(s.runtime, 4, false);
    s.indices = plan_of(s.runtime, 0, true);
    memset(s.poison, TOP_K_POISON, sizeof s.poison);
    s.good = (call){.count = COUNT, .keys_out_offset = TO, .values_out_offset = TO};
    s.good.keys_in = test_upload(s.runtime, s.poison, (size_t)4 * COUNT);
    s.good.values_in = test_upload(s.runtime, s.poison, (size_t)4 * COUNT);
    s.good.keys_out = test_upload(s.runtime, s.poison, (size_t)4 * (TO + K));
    s.good.values_out = test_upload(s.runtime, s.poison, (size_t)4 * (TO + K));
    return s;
}

static void setting_destroy(setting *s)
{
    clprim_top_k_destroy(s->alone);
    clprim_top_k_destroy(s->pairs);
    clprim_top_k_destroy(s->indices);
    ASSERT_CL(clReleaseMemObject(s->good.keys_in));
    ASSERT_CL(clReleaseMemObject(s->good.values_in));
    ASSERT_CL(clReleaseMemObject(s->good.keys_out));
    ASSERT_CL(clReleaseMemObject(s->good.values_out));
    clprim_runtime_destroy(s->runtime);
}

static clprim_status alone(clprim_top_k *plan, const call *c, cl_event *done)
{
    return clprim_top_k_enqueue(plan, c->queue, c->keys_in, c->keys_in_offset, c->count, c->keys_out,
                                c->keys_out_offset, c->num_waits, c->waits, done);
}

static clprim_status pairs(clprim_top_k *plan, const call *c, cl_event *done)
{
    return clprim_top_k_enqueue_pairs(plan, c->queue, c->keys_in, c->keys_in_offset, c->values_in, c->values_in_offset,
                                      c->count, c->keys_out, c->keys_out_offset, c->values_out, c->values_out_offset,
                                      c->num_waits, c->waits, done);
}

static clprim_status indices(clprim_top_k *plan, const call *c, cl_event *done)
{
    return clprim_top_k_enqueue_pairs(plan, c->queue, c->keys_in, c->keys_in_offset, NULL, 0, c->count, c->keys_out,
                                      c->keys_out_offset, c->values_out, c->values_out_offset, c->num_waits, c->waits,
                                      done);
}

static void expect_untouched(setting *s)
{
    static unsigned char found[4 * (TO + K)];
    const cl_mem outs[] = {s->good.keys_out, s->good.values_out};
    ASSERT_CL(clFinish(clprim_runtime_queue(s->runtime)));
    for (int a = 0; a < 2; a++) {
        test_read(s->runtime, found, outs[a], sizeof found);
        test_expect_same(s->poison, found, 1, sizeof found, "a refusal must not write");
    }
}

/* The good call with some changes is refused by one way to enqueue. */
#define REFUSED_BY(way, plan, s, expected, culprit, ...)                                                               \
    do {                                                                                                               \
        call wrong = (s).good;                                                                                         \
        cl_event done = NULL;                                                                                          \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(way(plan, &wrong, &done), expected);                                                             \
        cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s is not named in: %s", culprit,                    \
                           clprim_last_error());                                                                       \
        cr_assert_null(done);                                                                                          \
        expect_untouched(&(s));                                                                                        \
    } while (0)
#define PAIRS_REFUSED(s, expected, culprit, ...)   REFUSED_BY(pairs, (s).pairs, s, expected, culprit, __VA_ARGS__)
#define INDICES_REFUSED(s, expected, culprit, ...) REFUSED_BY(indices, (s).indices, s, expected, culprit, __VA_ARGS__)
#define REFUSED(s, expected, culprit, ...)                                                                             \
    do {                                                                                                               \
        REFUSED_BY(alone, (s).alone, s, expected, culprit, __VA_ARGS__);                                               \
        PAIRS_REFUSED(s, expected, culprit, __VA_ARGS__);                                                              \
        INDICES_REFUSED(s, expected, culprit, __VA_ARGS__);                                                            \
    } while (0)

Test(top_k_errors, null_arguments)
{
    setting s = setting_create();
    clprim_top_k *none = NULL;
    const clprim_top_k_desc desc = {.k = 1};
    size_t bytes = 77;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_in", wrong.keys_in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "keys_out", wrong.keys_out = NULL);
    PAIRS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_in", wrong.values_in = NULL);
    PAIRS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_out", wrong.values_out = NULL);
    INDICES_REFUSED(s, CLPRIM_INVALID_ARGUMENT, "values_out", wrong.values_out = NULL);
    REFUSED_BY(alone, NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    REFUSED_BY(pairs, NULL, s, CLPRIM_INVALID_ARGUMENT, "plan", (void)0);
    ASSERT_STATUS(clprim_top_k_create(NULL, s.runtime, &desc), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_top_k_create(&none, NULL, &desc), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_top_k_create(&none, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    ASSERT_STATUS(clprim_top_k_scratch_size(NULL, s.alone, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_top_k_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_top_k_set_scratch(NULL, s.good.keys_in), CLPRIM_INVALID_ARGUMENT);
    clprim_top_k_destroy(NULL);
    setting_destroy(&s);
}

/* Each enqueue is for plans of its kind, and indices come from nowhere. */
Test(top_k_errors, values_for_a_plan_without_and_none_for_one_with)
{
    setting s = setting_create();
    for (size_t count = 0; count <= COUNT; count += COUNT) {
        REFUSED_BY(alone, s.pairs, s, CLPRIM_INVALID_ARGUMENT, "values", wrong.count = count);
        REFUSED_BY(alone, s.indices, s, CLPRIM_INVALID_ARGUMENT, "values", wrong.count = count);
        REFUSED_BY(pairs, s.alone, s, CLPRIM_INVALID_ARGUMENT, "values", wrong.count = count);
        REFUSED_BY(indices, s.alone, s, CLPRIM_INVALID_ARGUMENT, "values", wrong.count = count);
        REFUSED_BY(pairs, s.indices, s, CLPRIM_INVALID_ARGUMENT, "values_in", wrong.count = count);
    }
    setting_destroy(&s);
}

/* Then there is an event all the same, and nothing is written. */
Test(top_k_errors, no_elements_need_no_arrays)
{
    setting s = setting_create();
    for (int way = 0; way < 6; way++) {
        cl_event done = NULL;
        call nothing = s.good;
        nothing.count = 0;
        if (way >= 3)
            nothing.keys_in = nothing.values_in = nothing.keys_out = nothing.values_out = NULL;
        ASSERT_OK(way % 3 == 0   ? alone(s.alone, &nothing, &done)
                  : way % 3 == 1 ? pairs(s.pairs, &nothing, &done)
                                 : indices(s.indices, &nothing, &done));
        cr_assert_not_null(done);
        ASSERT_CL(clWaitForEvents(1, &done));
        ASSERT_CL(clReleaseEvent(done));
        expect_untouched(&s);
    }
    setting_destroy(&s);
}

Test(top_k_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = TO + K, wrong.count = 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_in", wrong.values_in_offset = 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_out", wrong.values_out_offset = TO + 1);
    INDICES_REFUSED(s, CLPRIM_INVALID_RANGE, "values_out", wrong.values_out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "max_count", wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "max_count", wrong.count = SIZE_MAX);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_in", wrong.keys_in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = SIZE_MAX - K + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, "keys_out", wrong.keys_out_offset = SIZE_MAX / 4 + 1);
    PAIRS_REFUSED(s, CLPRIM_INVALID_RANGE, "values_in", wrong.values_in_offset = SIZE_MAX / 4 + 1);
    setting_destroy(&s);
}

/* What is written meets what is read, also where it is the same; or what else is written. Side by side is fine. */
Test(top_k_errors, overlap)
{
    setting s = setting_create();
    call beside = s.good;
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_out = wrong.keys_in, wrong.keys_out_offset = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.keys_out = wrong.keys_in, wrong.keys_out_offset = COUNT - K);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "values_in", wrong.values_out = wrong.values_in);
    PAIRS_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_out", wrong.values_out = wrong.keys_out);
    INDICES_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_out", wrong.values_out = wrong.keys_out);
    INDICES_REFUSED(s, CLPRIM_INVALID_OVERLAP, "keys_in", wrong.values_out = wrong.keys_in,
                    wrong.values_out_offset = 9);
    beside.keys_out = beside.keys_in;
    beside.count = COUNT - K;
    beside.keys_out_offset = COUNT - K;
    ASSERT_OK(alone(s.alone, &beside, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    setting_destroy(&s);
}

Test(top_k_errors, buffers_queues_and_wait_lists_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, (size_t)4 * COUNT);
    cl_context context = clprim_runtime_context(s.runtime);
    cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY, (size_t)4 * COUNT, NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(context, CL_MEM_WRITE_ONLY, (size_t)4 * COUNT, NULL, &code);
    ASSERT_CL(code);
    cl_event event = clCreateUserEvent(context, &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    const cl_event holed[] = {event, NULL};
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_in", wrong.keys_in = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, "keys_out", wrong.keys_out = read_only);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_in", wrong.values_in = write_only);
    PAIRS_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_out", wrong.values_out = read_only);
    INDICES_REFUSED(s, CLPRIM_INVALID_BUFFER, "values_out", wrong.values_out = read_only);
    ASSERT_STATUS(clprim_top_k_set_scratch(s.alone, foreign), CLPRIM_INVALID_BUFFER);
    ASSERT_STATUS(clprim_top_k_set_scratch(s.alone, read_only), CLPRIM_INVALID_BUFFER);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other));
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "queue", wrong.queue = clprim_runtime_queue(other), wrong.count = 0);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.waits = &event);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, "wait", wrong.num_waits = 2, wrong.waits = holed);
    call right = s.good; /* the right way round they serve */
    right.keys_in = read_only;
    right.values_out = write_only;
    ASSERT_OK(pairs(s.pairs, &right, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    ASSERT_CL(clReleaseEvent(event));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}
