// SPDX-License-Identifier: MIT
/* judge.c: is a kernel right, and how fast is it? exercise.py runs this with the reader's kernels (CLPRIM_KERNEL_DIR)
 * and without. It compares a variant's results with the reference's, for numbers of elements around the edges of
 * work-groups and tiles, and then times it. */
#include <clprim/bitonic_sort.h>
#include <clprim/histogram.h>
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"
#include "timing.h"

enum {
    BINS = 64, /* which the variants with a table for each work-item can count, too */
    MOST_TO_CHECK = 300007,
    TO_TIME_ON_GPU = 1 << 24,
    TO_TIME_ELSEWHERE = 1 << 20,
    UNSUPPORTED = 3 /* exit status: the device cannot run the variant */
};

/* What the judge needs to know of an operation; `variant` stands in its description. All results have 4 bytes. */
typedef struct subject {
    const clprim_operation *operation;
    size_t element_size;
    size_t results; /* 0: as many as elements */
    clprim_status (*create)(clprim_plan **plan, clprim_runtime *runtime, int variant);
    clprim_status (*enqueue)(clprim_plan *plan, cl_command_queue queue, cl_mem in, size_t count, cl_mem out);
    clprim_status (*expect)(void *out, void *in, size_t count);
    const struct subject *also; /* the same with another operator; NULL: there is none */
    const char *name;           /* of `also`: what is said of it */
} subject;

static const clprim_reference_operator SUM = {.type = CLPRIM_I32, .op = CLPRIM_SUM};
static const clprim_reference_histogram_how BINNED = {
    .type = CLPRIM_U8, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = BINS, .high = 256};

static clprim_status create_reduce(clprim_plan **plan, clprim_runtime *runtime, int variant)
{
    return clprim_reduce_create(
        plan, runtime,
        &(clprim_reduce_desc){.type = SUM.type, .op = SUM.op, .variant = (clprim_reduce_variant)variant});
}

static clprim_status enqueue_reduce(clprim_plan *plan, cl_command_queue queue, cl_mem in, size_t count, cl_mem out)
{
    return clprim_reduce_enqueue(plan, queue, &(clprim_reduce_call){.in = {in}, .count = count, .out = {out}}, 0, NULL,
                                 NULL);
}

static clprim_status expect_reduce(void *out, void *in, size_t count)
{
    return clprim_reference_reduce(out, &SUM, in, count);
}

static clprim_status create_scan(clprim_plan **plan, clprim_runtime *runtime, int variant)
{
    return clprim_scan_create(
        plan, runtime,
        &(clprim_scan_desc){
            .type = SUM.type, .op = SUM.op, .exclusive = true, .variant = (clprim_scan_variant)variant});
}

static clprim_status enqueue_scan(clprim_plan *plan, cl_command_queue queue, cl_mem in, size_t count, cl_mem out)
{
    return clprim_scan_enqueue(plan, queue, &(clprim_scan_call){.in = {in}, .count = count, .out = {out}}, 0, NULL,
                               NULL);
}

static clprim_status expect_scan(void *out, void *in, size_t count)
{
    return clprim_reference_scan(out, &SUM, &(clprim_reference_scan_how){.exclusive = true}, in, count);
}

/* Two halves of a word are the function x -> a * x + b of numbers of 16 bits; to do one after the other does not commute. */
#define AFTER(left, right)                                                                                             \
    (((left) >> 16) * ((right) >> 16) << 16 | ((((right) >> 16) * ((left)&0xffffu) + ((right)&0xffffu)) & 0xffffu))
#define TEXT_OF(expression)    #expression
#define TEXT_AFTER(expression) TEXT_OF(expression)

static void do_after(void *accumulated, const void *element)
{
    const cl_uint left = *(cl_uint *)accumulated;
    const cl_uint right = *(const cl_uint *)element;
    *(cl_uint *)accumulated = AFTER(left, right);
}

static clprim_status create_scan_in_order(clprim_plan **plan, clprim_runtime *runtime, int variant)
{
    static const clprim_custom_op after = {.type_name = "uint",
                                           .type_size = sizeof(cl_uint),
                                           .combine = TEXT_AFTER(AFTER(a, b)),
                                           .identity = "0x10000u",
                                           .non_commutative = true};
    return clprim_scan_create(
        plan, runtime,
        &(clprim_scan_desc){.custom = &after, .exclusive = true, .variant = (clprim_scan_variant)variant});
}

static clprim_status expect_scan_in_order(void *out, void *in, size_t count)
{
    static const cl_uint none = 0x10000u;
    static const clprim_reference_operator by = {.combine = do_after, .size = sizeof none, .identity = &none};
    return clprim_reference_scan(out, &by, &(clprim_reference_scan_how){.exclusive = true}, in, count);
}

static clprim_status create_histogram(clprim_plan **plan, clprim_runtime *runtime, int variant)
{
    return clprim_histogram_create(plan, runtime,
                                   &(clprim_histogram_desc){.type = BINNED.type,
                                                            .mapping = BINNED.mapping,
                                                            .bins = BINNED.bins,
                                                            .high = BINNED.high,
                                                            .variant = (clprim_histogram_variant)variant});
}

static clprim_status enqueue_histogram(clprim_plan *plan, cl_command_queue queue, cl_mem in, size_t count, cl_mem out)
{
    return clprim_histogram_enqueue(plan, queue, &(clprim_histogram_call){.in = {in}, .count = count, .out = {out}}, 0,
                                    NULL, NULL);
}

static clprim_status expect_histogram(void *out, void *in, size_t count)
{
    return clprim_reference_histogram(out, NULL, &BINNED, in, NULL, count);
}

static clprim_status create_radix_sort(clprim_plan **plan, clprim_runtime *runtime, int variant)
{
    return clprim_radix_sort_create(
        plan, runtime,
        &(clprim_radix_sort_desc){.key_type = CLPRIM_U32, .variant = (clprim_radix_sort_variant)variant});
}

static clprim_status enqueue_radix_sort(clprim_plan *plan, cl_command_queue queue, cl_mem in, size_t count, cl_mem out)
{
    return clprim_radix_sort_enqueue(
        plan, queue, &(clprim_radix_sort_call){.keys_in = {in}, .count = count, .keys_out = {out}}, 0, NULL, NULL);
}

static clprim_status create_bitonic_sort(clprim_plan **plan, clprim_runtime *runtime, int variant)
{
    return clprim_bitonic_sort_create(
        plan, runtime,
        &(clprim_bitonic_sort_desc){.key_type = CLPRIM_U32, .variant = (clprim_bitonic_sort_variant)variant});
}

static clprim_status enqueue_bitonic_sort(clprim_plan *plan, cl_command_queue queue, cl_mem in, size_t count,
                                          cl_mem out)
{
    return clprim_bitonic_sort_enqueue(
        plan, queue, &(clprim_bitonic_sort_call){.keys_in = {in}, .count = count, .keys_out = {out}}, 0, NULL, NULL);
}

static clprim_status expect_sort(void *out, void *in, size_t count)
{
    if (count > 0)
        memcpy(out, in, count * sizeof(cl_uint));
    return clprim_reference_sort(out, NULL, &(clprim_reference_sort_how){.key_type = CLPRIM_U32}, count);
}

static const subject scan_in_order = {&clprim_scan_operation,
                                      4,
                                      0,
                                      create_scan_in_order,
                                      enqueue_scan,
                                      expect_scan_in_order,
                                      NULL,
                                      ", an operator that does not commute"};
static const subject subjects[] = {
    {&clprim_reduce_operation, 4, 1, create_reduce, enqueue_reduce, expect_reduce, NULL, ""},
    {&clprim_scan_operation, 4, 0, create_scan, enqueue_scan, expect_scan, &scan_in_order, ""},
    {&clprim_histogram_operation, 1, BINS, create_histogram, enqueue_histogram, expect_histogram, NULL, ""},
    {&clprim_radix_sort_operation, 4, 0, create_radix_sort, enqueue_radix_sort, expect_sort, NULL, ""},
    {&clprim_bitonic_sort_operation, 4, 0, create_bitonic_sort, enqueue_bitonic_sort, expect_sort, NULL, ""},
};
enum { MOST_PLANS = 2 };

typedef struct judge {
    example program;
    const subject *subject; /* the one that is tried */
    clprim_plan *plans[MOST_PLANS];
    clprim_plan *plan; /* of them */
    cl_mem in, out;
    size_t count;
    size_t room; /* elements of the arrays */
    void *values;
    cl_uint *expected, *got;
    bool is_wrong;
} judge;

static clprim_status enqueue(void *user)
{
    const judge *self = user;
    return self->subject->enqueue(self->plan, self->program.queue, self->in, self->count, self->out);
}

/* Small numbers, so that a sum that is wrong shows what is missing; keys use all their bits. */
static void make_values(judge *self, bool are_equal)
{
    uint32_t state = 1;
    for (size_t i = 0; i < self->room * self->subject->element_size / sizeof(cl_uint); i++) {
        state = state * 1664525u + 1013904223u;
        const bool are_numbers = self->subject->expect == expect_reduce || self->subject->expect == expect_scan;
        const uint32_t value = are_numbers ? (state >> 24) % 9 + 1 : state ^ state >> 15;
        const uint32_t odd = self->subject->expect == expect_scan_in_order ? 0x10000u : 0; /* keeps what was before */
        ((cl_uint *)self->values)[i] = are_equal ? 0x07070707u % (are_numbers ? 8 : UINT32_MAX) : value | odd;
    }
}

static clprim_status check(judge *self, size_t count, const char *values)
{
    const cl_uint nonsense = 0xdeadbeef;
    const size_t results = self->subject->results != 0 ? self->subject->results : count;
    const size_t bytes = results * sizeof(cl_uint);
    clprim_status status = CLPRIM_SUCCESS;
    self->count = count;
    EXAMPLE_TRY(clEnqueueWriteBuffer(self->program.queue, self->in, CL_TRUE, 0, count * self->subject->element_size,
                                     self->values, 0, NULL, NULL));
    EXAMPLE_TRY(
        clEnqueueFillBuffer(self->program.queue, self->out, &nonsense, sizeof nonsense, 0, bytes, 0, NULL, NULL));
    EXAMPLE_TRY(enqueue(self));
    EXAMPLE_TRY(clEnqueueReadBuffer(self->program.queue, self->out, CL_TRUE, 0, bytes, self->got, 0, NULL, NULL));
    EXAMPLE_TRY(self->subject->expect(self->expected, self->values, count));
    size_t first = results;
    size_t wrong = 0;
    for (size_t i = 0; i < results; i++)
        if (self->got[i] != self->expected[i]) {
            first = wrong++ == 0 ? i : first;
        }
    if (wrong == 0)
        goto done;
    self->is_wrong = true;
    printf("wrong: n = %zu%s%s: element %zu of the result ", count, values, self->subject->name, first);
    if (self->got[first] == nonsense)
        printf("was not written, and");
    else
        printf("is %u, and", (unsigned)self->got[first]);
    printf(" should be %u; %zu of %zu are wrong\n", (unsigned)self->expected[first], wrong, results);
done:
    return status;
}

static clprim_status check_all(judge *self)
{
    static const size_t counts[] = {1, 2, 31, 255, 256, 257, 1000, 4097, 65536, MOST_TO_CHECK};
    clprim_status status = CLPRIM_SUCCESS;
    for (int are_equal = 0; are_equal < 2; are_equal++) {
        make_values(self, are_equal != 0);
        for (size_t i = 0; i < sizeof counts / sizeof *counts && !self->is_wrong; i++)
            EXAMPLE_TRY(check(self, counts[i], are_equal != 0 ? ", all equal" : ""));
    }
done:
    return status;
}

static clprim_status time_it(judge *self)
{
    timing time = {0};
    clprim_status status = CLPRIM_SUCCESS;
    make_values(self, false);
    self->count = self->room;
    EXAMPLE_TRY(clEnqueueWriteBuffer(self->program.queue, self->in, CL_TRUE, 0,
                                     self->count * self->subject->element_size, self->values, 0, NULL, NULL));
    EXAMPLE_TRY(timing_measure(&time, &self->program, enqueue, self));
    printf("time: %.9g s for %zu elements on %s\n", time.least, self->count, self->program.device->name);
done:
    return status;
}

static clprim_status make_arrays(judge *self, bool quick)
{
    const bool is_gpu = self->program.device->kind == CLPRIM_DEVICE_GPU;
    clprim_status status = CLPRIM_SUCCESS;
    self->room = quick ? MOST_TO_CHECK + 1 : is_gpu ? TO_TIME_ON_GPU : TO_TIME_ELSEWHERE;
    const size_t bytes = self->room * sizeof(cl_uint);
    self->values = malloc(bytes);
    self->expected = malloc(bytes);
    self->got = malloc(bytes);
    if (self->values == NULL || self->expected == NULL || self->got == NULL)
        return example_fail("no memory for %zu elements on the host", self->room);
    EXAMPLE_TRY(example_upload(&self->in, &self->program, NULL, bytes));
    EXAMPLE_TRY(example_upload(&self->out, &self->program, NULL, bytes));
done:
    return status;
}

static void take(judge *self, const subject *of, size_t plan)
{
    self->subject = of;
    self->plan = self->plans[plan];
    make_values(self, false);
}

/* Returns the exit status. */
static int run(judge *self, int variant, bool quick)
{
    const subject *chosen = self->subject;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_runtime_create(&self->program.runtime, NULL));
    self->program.device = clprim_runtime_info(self->program.runtime);
    self->program.queue = clprim_runtime_queue(self->program.runtime);
    self->program.check = quick;
    EXAMPLE_TRY(make_arrays(self, quick));
    size_t num_plans = 0;
    for (const subject *of = chosen; of != NULL && !self->is_wrong; of = of->also) {
        status = of->create(&self->plans[num_plans], self->program.runtime, variant);
        if (status == CLPRIM_UNSUPPORTED) {
            printf("unsupported: %s\n", clprim_last_error());
            return UNSUPPORTED;
        }
        if (status == CLPRIM_BUILD_FAILED) {
            printf("wrong: it does not compile: %s\n", clprim_last_error());
            return EXIT_FAILURE;
        }
        EXAMPLE_TRY(status);
        take(self, of, num_plans++);
        EXAMPLE_TRY(check(self, 1, "")); /* some drivers compile now */
    }
    printf("compiled\n");
    (void)fflush(stdout);
    num_plans = 0;
    for (const subject *of = chosen; of != NULL && !self->is_wrong; of = of->also) {
        take(self, of, num_plans++);
        EXAMPLE_TRY(check_all(self));
    }
    if (self->is_wrong)
        goto done;
    printf("right: n = 1 to %d\n", (int)MOST_TO_CHECK);
    (void)fflush(stdout);
    take(self, chosen, 0);
    EXAMPLE_TRY(time_it(self));
done:
    return status == CLPRIM_SUCCESS && !self->is_wrong ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const subject *find_subject(const char *name)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strcmp(subjects[i].operation->name, name) == 0)
            return &subjects[i];
    return NULL;
}

static int find_variant(const clprim_operation *operation, const char *name)
{
    size_t count = 0;
    const clprim_variant_info *variants = operation->variants(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(variants[i].name, name) == 0)
            return variants[i].id;
    return 0;
}

int main(int argc, char **argv)
{
    judge self = {.subject = argc > 2 ? find_subject(argv[1]) : NULL};
    const int variant = self.subject != NULL ? find_variant(self.subject->operation, argv[2]) : 0;
    const bool quick = argc > 3 && strcmp(argv[3], "--quick") == 0;
    if (variant == 0 || argc > 3 + quick) {
        fprintf(stderr, "usage: %s reduce|scan|histogram|radix_sort|bitonic_sort VARIANT [--quick]\n", argv[0]);
        return 2;
    }
    const int exit_status = run(&self, variant, quick);
    for (size_t i = 0; i < MOST_PLANS; i++)
        clprim_plan_destroy(self.plans[i]);
    example_release(self.in);
    example_release(self.out);
    free(self.values);
    free(self.expected);
    free(self.got);
    clprim_runtime_destroy(self.program.runtime);
    return exit_status;
}
