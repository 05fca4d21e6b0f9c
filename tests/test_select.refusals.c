/* test_select.refusals.c: arrays that overlap, and descriptions that make no sense or do not compile. */
#include <clprim/select.h>

#include "support.h"

/* One buffer for everything, in units of 8 bytes, the largest of all: U64 by predicate and by flags of U64. */
enum { UNITS = 64 };

typedef struct setting {
    clprim_runtime *runtime;
    clprim_select *plans[4]; /* by predicate, by flags, and both as partition */
    cl_mem memory;
} setting;

static void setting_poison(const setting *self)
{
    uint64_t units[UNITS];
    memset(units, 0xa5, sizeof units);
    test_write(self->runtime, self->memory, units, sizeof units);
}

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    for (size_t i = 0; i < 4; i++) {
        const clprim_select_desc desc = {.type = CLPRIM_U64,
                                         .predicate = i % 2 == 0 ? "x != 0" : NULL,
                                         .flags_type = CLPRIM_U64,
                                         .partition = i / 2 != 0};
        ASSERT_OK(clprim_select_create(&self.plans[i], self.runtime, &desc));
    }
    self.memory = test_buffer(self.runtime, UNITS * sizeof(uint64_t));
    setting_poison(&self);
    return self;
}

static void setting_destroy(setting *self)
{
    for (size_t i = 0; i < 4; i++)
        clprim_select_destroy(self->plans[i]);
    ASSERT_CL(clReleaseMemObject(self->memory));
    clprim_runtime_destroy(self->runtime);
}

/* Where in the buffer the ranges begin. */
typedef struct places {
    size_t count;
    size_t in;
    size_t flags;
    size_t out;
    size_t selected;
} places;

static clprim_status enqueue(const setting *self, size_t plan, const places *at, cl_event *done)
{
    if (plan % 2 == 0)
        return clprim_select_enqueue(self->plans[plan], NULL, self->memory, at->in, at->count, self->memory, at->out,
                                     self->memory, at->selected, 0, NULL, done);
    return clprim_select_enqueue_flagged(self->plans[plan], NULL, self->memory, at->in, at->count, self->memory,
                                         at->flags, self->memory, at->out, self->memory, at->selected, 0, NULL, done);
}

static void check_refused(const setting *self, size_t plan, const places *at)
{
    cl_event never = NULL;
    unsigned char bytes[UNITS * sizeof(uint64_t)];
    ASSERT_STATUS(enqueue(self, plan, at, &never), CLPRIM_INVALID_OVERLAP);
    cr_assert_null(never);
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    test_read(self->runtime, bytes, self->memory, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        cr_assert_eq(bytes[i], 0xa5, "a refusal wrote byte %zu", i);
}

/* In place is an overlap too; the output is as long as the input, whatever will be selected. */
Test(select_refusals, overlap)
{
    static const places rows[] = {{10, 0, 20, 0, 40}, {10, 0, 20, 9, 40},  {10, 9, 20, 0, 40},  {10, 0, 20, 30, 0},
                                  {10, 0, 20, 30, 9}, {10, 0, 20, 30, 30}, {10, 0, 20, 30, 39}, {1, 0, 20, 0, 40},
                                  {1, 0, 20, 1, 0},   {1, 0, 20, 1, 1}};
    static const places rows_of_flags[] = {{10, 0, 20, 20, 40}, {10, 0, 20, 11, 40}, {10, 0, 20, 29, 40},
                                           {10, 0, 20, 30, 20}, {10, 0, 20, 30, 29}, {1, 0, 20, 20, 40},
                                           {1, 0, 20, 30, 20}};
    setting s = setting_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t plan = 0; plan < 4; plan++)
            check_refused(&s, plan, &rows[i]);
    for (size_t i = 0; i < sizeof rows_of_flags / sizeof *rows_of_flags; i++)
        for (size_t plan = 1; plan < 4; plan += 2)
            check_refused(&s, plan, &rows_of_flags[i]);
    setting_destroy(&s);
}

/* One behind the other in one buffer is fine, in any order; and so is an empty range, wherever it is. */
Test(select_refusals, beside_each_other)
{
    static const places rows[] = {{10, 0, 10, 20, 30}, {10, 21, 11, 1, 0}, {10, 30, 0, 20, 10}, {5, 9, 4, 16, 15}};
    setting s = setting_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t plan = 0; plan < 4; plan++) {
            uint64_t units[UNITS];
            setting_poison(&s);
            ASSERT_OK(enqueue(&s, plan, &rows[i], NULL));
            test_read(s.runtime, units, s.memory, sizeof units);
            for (size_t u = 0; u < UNITS; u++)
                cr_assert_eq(units[u], u == rows[i].selected ? rows[i].count : UINT64_C(0xa5a5a5a5a5a5a5a5),
                             "row %zu, plan %zu, unit %zu: %llx", i, plan, u, (unsigned long long)units[u]);
        }
    const places empty = {.count = 0, .in = 5, .flags = 5, .out = 5, .selected = 5};
    for (size_t plan = 0; plan < 4; plan++)
        ASSERT_OK(enqueue(&s, plan, &empty, NULL));
    setting_destroy(&s);
}

static cl_mem sub_buffer(cl_mem parent, size_t origin, size_t size)
{
    cl_int code = CL_SUCCESS;
    const cl_buffer_region region = {origin, size};
    cl_mem result = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    return result;
}

/* Sub-buffers of one parent overlap by where they lie in it, not by what they are called. */
Test(select_refusals, sub_buffers_of_one_parent)
{
    setting s = setting_create();
    const size_t unit = clprim_runtime_info(s.runtime)->base_address_alignment;
    const size_t n = unit / sizeof(uint64_t);
    clprim_select *plan = s.plans[0];
    cl_mem parent = test_buffer(s.runtime, 4 * unit);
    cl_mem front = sub_buffer(parent, 0, 2 * unit);
    cl_mem middle = sub_buffer(parent, unit, 2 * unit);
    cl_event never = NULL;
    ASSERT_STATUS(clprim_select_enqueue(plan, NULL, front, 0, 2 * n, middle, 0, s.memory, 0, 0, NULL, &never),
                  CLPRIM_INVALID_OVERLAP);
    ASSERT_STATUS(clprim_select_enqueue(plan, NULL, parent, n, n, middle, 0, s.memory, 0, 0, NULL, &never),
                  CLPRIM_INVALID_OVERLAP);
    ASSERT_STATUS(clprim_select_enqueue(plan, NULL, front, 0, n, parent, 2 * n, middle, n, 0, NULL, &never),
                  CLPRIM_INVALID_OVERLAP);
    ASSERT_STATUS(clprim_select_enqueue(plan, NULL, front, 0, n, middle, n + 1, s.memory, 0, 0, NULL, &never),
                  CLPRIM_INVALID_RANGE);
    cr_assert_null(never);
    ASSERT_CL(clReleaseMemObject(front));
    ASSERT_CL(clReleaseMemObject(middle));
    /* The first unit into the third one, the number to where the last one begins. OpenCL defines a kernel's use of
     * several sub-buffers of one parent only where these lie apart. */
    front = sub_buffer(parent, 0, unit);
    middle = sub_buffer(parent, 2 * unit, unit);
    cl_mem last = sub_buffer(parent, 3 * unit, unit);
    uint64_t words[4 * 1024];
    cr_assert_leq(4 * unit, sizeof words);
    for (size_t i = 0; i < 4 * n; i++)
        words[i] = i % 2;
    test_write(s.runtime, parent, words, 4 * unit);
    ASSERT_OK(clprim_select_enqueue(plan, NULL, front, 0, n, middle, 0, last, 0, 0, NULL, NULL));
    test_read(s.runtime, words, parent, 4 * unit);
    for (size_t i = 0; i < 4 * n; i++) {
        const uint64_t expected = i == 3 * n ? n / 2 : i >= 2 * n && i < 2 * n + n / 2 ? 1 : i % 2;
        cr_assert_eq(words[i], expected, "word %zu of %zu: %llu", i, 4 * n, (unsigned long long)words[i]);
    }
    ASSERT_CL(clReleaseMemObject(last));
    ASSERT_CL(clReleaseMemObject(front));
    ASSERT_CL(clReleaseMemObject(middle));
    ASSERT_CL(clReleaseMemObject(parent));
    setting_destroy(&s);
}

Test(select_refusals, descriptions_that_make_no_sense)
{
    static const clprim_select_desc rows[] = {
        {.type = CLPRIM_TYPE_END},
        {.type = (clprim_type)-1},
        {.type = CLPRIM_TYPE_END, .predicate = "1"},
        {.variant = (clprim_select_variant)(CLPRIM_SELECT_LOOK_BACK + 1)},
        {.variant = (clprim_select_variant)-1},
        {.flags_type = CLPRIM_TYPE_END},
        {.flags_type = (clprim_type)-1},
        {.work_group_size = 3},
        {.work_group_size = SIZE_MAX},
        {.items_per_work_item = 1025},
        {.predicate = "x > 0", .work_group_size = 48},
        {.partition = true, .variant = CLPRIM_SELECT_LOOK_BACK},
        {.partition = true, .predicate = "x > 0", .variant = CLPRIM_SELECT_LOOK_BACK},
        {.type_name = "int"},
        {.type_size = 4},
        {.type_name = "int", .predicate = "x > 0"},
        {.type_size = 4, .predicate = "x > 0"},
    };
    static const int32_t in[] = {1, 2};
    static const uint64_t flags[] = {1, 1};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_select *plan = NULL;
        int32_t out[2] = {77, 77};
        size_t selected = 99;
        const clprim_status status = clprim_select_create(&plan, runtime, &rows[i]);
        cr_assert_eq((int)status, (int)CLPRIM_INVALID_ARGUMENT, "row %zu: %s (%s)", i, clprim_status_string(status),
                     clprim_last_error());
        cr_assert_null(plan);
        ASSERT_STATUS(
            clprim_select_host(out, &selected, runtime, &rows[i], in, rows[i].predicate == NULL ? flags : NULL, 2),
            CLPRIM_INVALID_ARGUMENT);
        cr_assert(out[0] == 77 && out[1] == 77 && selected == 99, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* The compiler's log names the text with the mistake, and its line. */
Test(select_refusals, mistakes_are_located)
{
    static const struct {
        clprim_select_desc desc;
        const char *place;
    } rows[] = {
        {{.predicate = "x > missing"}, "predicate:1"},
        {{.predicate = "\nx >\n missing"}, "predicate:3"},
        {{.predicate = "x > 0;"}, "predicate"},
        {{.predicate = "x.weight > 0"}, "predicate:1"},
        {{.predicate = "fine(x)", .source = "typedef int fine;\ntypedef missing broken;"}, "source:2"},
        {{.source = "typedef missing number;", .type_name = "number", .type_size = 4}, "source:1"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_variants(&num_variants);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t v = 0; v <= num_variants; v++) {
            clprim_select *plan = NULL;
            clprim_select_desc desc = rows[i].desc;
            if (i > 0 && i % (num_variants + 1) != v && !test_is_full()) /* the first by all, the others by one each */
                continue;
            desc.variant = v < num_variants ? (clprim_select_variant)variants[v].id : CLPRIM_SELECT_AUTO;
            const clprim_status status = clprim_select_create(&plan, runtime, &desc);
            cr_assert_null(plan);
            if (status == CLPRIM_UNSUPPORTED)
                continue;
            cr_assert_eq((int)status, (int)CLPRIM_BUILD_FAILED, "row %zu: %s", i, clprim_status_string(status));
            cr_assert_not_null(strstr(clprim_last_error(), rows[i].place), "%s is not named in: %s", rows[i].place,
                               clprim_last_error());
        }
    /* and what was wrong once leaves nothing behind */
    static const int32_t in[] = {-1, 2};
    const clprim_select_desc right = {.predicate = "x > 0"};
    int32_t out[2] = {0};
    size_t selected = 99;
    ASSERT_OK(clprim_select_host(out, &selected, runtime, &right, in, NULL, 2));
    cr_assert(selected == 1 && out[0] == 2);
    clprim_runtime_destroy(runtime);
}

Test(select_refusals, no_text_is_no_predicate)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_select *plan = NULL;
    const clprim_select_desc desc = {.predicate = ""};
    cr_assert_neq((int)clprim_select_create(&plan, runtime, &desc), (int)CLPRIM_SUCCESS);
    cr_assert_null(plan);
    clprim_runtime_destroy(runtime);
}

Test(select_refusals, a_type_of_another_size_is_found_out)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int by_flags = 0; by_flags < 2; by_flags++) {
        clprim_select *plan = NULL;
        const clprim_select_desc desc = {.type_name = "span",
                                         .type_size = 16,
                                         .source = "typedef struct { uint begin, end; int weight; } span;",
                                         .predicate = by_flags ? NULL : "x.weight > 0"};
        ASSERT_STATUS(clprim_select_create(&plan, runtime, &desc), CLPRIM_BUILD_FAILED);
        cr_assert_null(plan);
        cr_assert_not_null(strstr(clprim_last_error(), "type_size"), "%s", clprim_last_error());
    }
    clprim_runtime_destroy(runtime);
}
