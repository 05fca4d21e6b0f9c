// SPDX-License-Identifier: MIT
/* demo_select.c: the brightest hundredth of the pixels, and where it lies. */
#include <clprim/select.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"
#include "timing.h"

/* keep[i]: is pixel i brighter than `level`? free() it. */
static clprim_status flag_brighter(uint8_t **out, const uint8_t *pixels, size_t n, unsigned level)
{
    uint8_t *keep = malloc(n);
    if (keep == NULL)
        return example_fail("no memory for %zu flags on the host", n);
    for (size_t i = 0; i < n; i++)
        keep[i] = pixels[i] > level;
    *out = keep;
    return CLPRIM_SUCCESS;
}

/* The smallest rectangle around the pixels with these indices. */
static void print_box(const demo *self, const uint32_t *indices, size_t count, const char *verdict)
{
    const size_t width = self->photo.width;
    size_t left = width;
    size_t right = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t x = indices[i] % width;
        left = x < left ? x : left;
        right = x > right ? x : right;
    }
    if (count > 0) /* in their order: row by row from the top */
        printf("  all of them   in x = %zu to %zu, y = %zu to %zu (%s)\n", left, right, indices[0] / width,
               indices[count - 1] / width, verdict);
}

/* Of the array 0, 1, 2, ... those are kept whose pixel has a flag. */
static clprim_status find_places(demo *self, const uint8_t *keep, size_t n)
{
    static const clprim_select_desc by_flags = {.type = CLPRIM_U32, .flags_type = CLPRIM_U8};
    uint32_t *indices = malloc(n * sizeof *indices);
    uint32_t *kept = malloc(n * sizeof *kept);
    uint32_t count = 0;
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    if (indices == NULL || kept == NULL) {
        status = example_fail("no memory for %zu indices on the host", n);
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        indices[i] = (uint32_t)i;
    EXAMPLE_TRY(clprim_select_run(self->program.runtime, &by_flags,
                                  &(clprim_select_call){.in = {.host = indices},
                                                        .flags = {.host = (void *)keep},
                                                        .count = n,
                                                        .out = {.host = kept},
                                                        .out_count = {.host = &count}}));
    EXAMPLE_TRY(example_check_select(&is_right, sizeof *kept, keep, indices, n, kept, count));
    print_box(self, kept, count, demo_judge(self, is_right));
done:
    free(kept);
    free(indices);
    return status;
}

clprim_status demo_select_facts(demo *self)
{
    const size_t n = self->photo.width * self->photo.height;
    char predicate[32];
    const clprim_select_desc brighter = {.type = CLPRIM_U8, .predicate = predicate};
    uint8_t *keep = NULL;
    uint8_t *kept = malloc(n);
    uint32_t count = 0;
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    if (kept == NULL)
        return example_fail("no memory for %zu pixels on the host", n);
    (void)snprintf(predicate, sizeof predicate, "x > %u", (unsigned)self->bright_level);
    EXAMPLE_TRY(flag_brighter(&keep, self->photo.samples, n, self->bright_level));
    EXAMPLE_TRY(clprim_select_run(
        self->program.runtime, &brighter,
        &(clprim_select_call){
            .in = {.host = self->photo.samples}, .count = n, .out = {.host = kept}, .out_count = {.host = &count}}));
    EXAMPLE_TRY(example_check_select(&is_right, 1, keep, self->photo.samples, n, kept, count));
    printf("  1 %% brightest %7u   pixels are brighter than %u, which 99 %% are not (%s)\n", count,
           (unsigned)self->bright_level, demo_judge(self, is_right));
    EXAMPLE_TRY(find_places(self, keep, n));
done:
    free(keep);
    free(kept);
    return status;
}

/* In the photograph that comes with clPRIM, half of the pixels are brighter. */
enum { SPEED_LEVEL = 110 };

/* Data and results on the device and, for the plain loop, on the host. */
typedef struct speed_work {
    cl_command_queue queue;
    clprim_plan *plan;
    size_t n;
    cl_mem in, out, selected;
    const uint8_t *data;
    uint8_t *results;
    size_t count; /* what the plain loop has selected */
} speed_work;

static clprim_status enqueue(void *user)
{
    const speed_work *work = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_select_enqueue(
        work->plan, work->queue,
        &(clprim_select_call){.in = {work->in}, .count = work->n, .out = {work->out}, .out_count = {work->selected}}, 0,
        NULL, NULL));
done:
    return status;
}

static clprim_status run_plain_loop(void *user)
{
    speed_work *work = user;
    work->count = serial_select_u8(work->results, work->data, work->n, SPEED_LEVEL);
    return CLPRIM_SUCCESS;
}

/* Compare what the plan has left on the device with the reference. */
static clprim_status check_speed_work(bool *is_right, const speed_work *work)
{
    cl_uint count = 0;
    uint8_t *keep = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueReadBuffer(work->queue, work->selected, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueReadBuffer(work->queue, work->out, CL_TRUE, 0, work->n, work->results, 0, NULL, NULL));
    EXAMPLE_TRY(flag_brighter(&keep, work->data, work->n, SPEED_LEVEL));
    EXAMPLE_TRY(example_check_select(is_right, 1, keep, work->data, work->n, work->results, (size_t)count));
done:
    free(keep);
    return status;
}

static clprim_status show_speed(demo *self, size_t n)
{
    char name[32];
    char predicate[32];
    const clprim_select_desc desc = {.type = CLPRIM_U8, .predicate = predicate};
    speed_work work = {.queue = self->program.queue, .n = n, .results = malloc(n)};
    void *data = NULL;
    bool is_right = false;
    timing seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (work.results == NULL)
        return example_fail("no memory for %zu pixels on the host", n);
    (void)snprintf(name, sizeof name, "select x>%d", (int)SPEED_LEVEL);
    (void)snprintf(predicate, sizeof predicate, "x > %d", (int)SPEED_LEVEL);
    EXAMPLE_TRY(example_repeat(&data, CLPRIM_U8, &self->photo, 0, n));
    work.data = data;
    EXAMPLE_TRY(example_upload(&work.in, &self->program, data, n));
    EXAMPLE_TRY(example_upload(&work.out, &self->program, NULL, n));
    EXAMPLE_TRY(example_upload(&work.selected, &self->program, NULL, sizeof(cl_uint)));
    EXAMPLE_TRY(clprim_select_create(&work.plan, self->program.runtime, &desc));
    EXAMPLE_TRY(timing_host(&cpu_seconds, &self->program, run_plain_loop, &work));
    EXAMPLE_TRY(timing_measure(&seconds, &self->program, enqueue, &work));
    EXAMPLE_TRY(check_speed_work(&is_right, &work));
    demo_speed(self, name, "u8", n, n + work.count, seconds.median, cpu_seconds.median, is_right);
done:
    clprim_plan_destroy(work.plan);
    example_release(work.in);
    example_release(work.out);
    example_release(work.selected);
    free(work.results);
    free(data);
    return status;
}

clprim_status demo_select_speeds(demo *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(show_speed(self, self->photo.width * self->photo.height));
    EXAMPLE_TRY(show_speed(self, self->wide_n));
done:
    return status;
}
