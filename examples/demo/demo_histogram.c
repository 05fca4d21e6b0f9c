// SPDX-License-Identifier: MIT
/* demo_histogram.c: how many pixels there are of each grey level, as a picture. */
#include <clprim/histogram.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "timing.h"

static const clprim_histogram_desc grey_levels = {.type = CLPRIM_U8};

/* Does the reference count the same? */
static clprim_status check(bool *is_right, const uint8_t *pixels, size_t n, const uint32_t *counts)
{
    static const clprim_reference_histogram_how how = {.type = CLPRIM_U8};
    uint32_t expected[LEVELS];
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_reference_histogram(expected, NULL, &how, pixels, NULL, n));
    *is_right = memcmp(counts, expected, sizeof expected) == 0;
done:
    return status;
}

/* The level that most pixels have, `but` one level. */
static size_t most_frequent(const uint32_t *counts, size_t but)
{
    size_t found = but == 0 ? 1 : 0;
    for (size_t level = found + 1; level < LEVELS; level++)
        if (level != but && counts[level] > counts[found])
            found = level;
    return found;
}

enum { BAR_WIDTH = 2, BAR_HEIGHT = 256, SCALE_HEIGHT = 16, WHITE = 255, BLACK = 0 };

/* A black bar per level, and the levels themselves below. The second highest bar has full height and the highest is cut
 * off there: the border of a photograph can have one that leaves nothing to see of the others. */
clprim_status demo_write_histogram(const uint32_t *counts, const char *path)
{
    image picture = {.width = (size_t)LEVELS * BAR_WIDTH, .height = BAR_HEIGHT + SCALE_HEIGHT, .channels = 1};
    const uint64_t second = counts[most_frequent(counts, most_frequent(counts, LEVELS))];
    const uint64_t full = second > 0 ? second : 1;
    clprim_status status = CLPRIM_SUCCESS;
    picture.samples = malloc(picture.width * picture.height);
    if (picture.samples == NULL)
        return example_fail("no memory for a picture of %zu x %zu pixels", picture.width, picture.height);
    for (size_t y = 0; y < picture.height; y++) {
        for (size_t x = 0; x < picture.width; x++) {
            const size_t level = x / BAR_WIDTH;
            const bool is_bar = y < BAR_HEIGHT && counts[level] * (uint64_t)BAR_HEIGHT >= full * (BAR_HEIGHT - y);
            const size_t below = y < BAR_HEIGHT ? WHITE : level;
            picture.samples[y * picture.width + x] = (uint8_t)(is_bar ? BLACK : below);
        }
    }
    EXAMPLE_TRY(image_write(&picture, path));
done:
    image_clear(&picture);
    return status;
}

clprim_status demo_histogram_facts(demo *self)
{
    static const char path[] = CLPRIM_EXAMPLE_PICTURE_DIR "/demo_histogram.png";
    const size_t n = self->photo.width * self->photo.height;
    size_t num_levels = 0;
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_histogram_run(
        self->program.runtime, &grey_levels,
        &(clprim_histogram_call){.in = {.host = self->photo.samples}, .count = n, .out = {.host = self->histogram}}));
    EXAMPLE_TRY(check(&is_right, self->photo.samples, n, self->histogram));
    EXAMPLE_TRY(demo_write_histogram(self->histogram, path));
    for (size_t level = 0; level < LEVELS; level++)
        num_levels += self->histogram[level] > 0;
    const size_t most = most_frequent(self->histogram, LEVELS);
    printf("  histogram     %zu grey levels occur; %.1f %% of the pixels have level %zu (%s)\n", num_levels,
           100 * (double)self->histogram[most] / (double)n, most, demo_judge(self, is_right));
    printf("                drawn in %s\n", path);
done:
    return status;
}

/* Data and results on the device, a plan made once: as between other kernels. */
typedef struct device_work {
    cl_command_queue queue;
    clprim_plan *plan;
    cl_mem in;
    size_t n;
    cl_mem out;
} device_work;

static clprim_status enqueue(void *user)
{
    const device_work *work = user;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_histogram_enqueue(
        work->plan, work->queue, &(clprim_histogram_call){.in = {work->in}, .count = work->n, .out = {work->out}}, 0,
        NULL, NULL));
done:
    return status;
}

static clprim_status show_speed(demo *self, size_t n)
{
    device_work work = {.queue = self->program.queue, .n = n};
    uint32_t counts[LEVELS] = {0};
    void *data = NULL;
    bool is_right = false;
    timing seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_repeat(&data, CLPRIM_U8, &self->photo, 0, n));
    EXAMPLE_TRY(example_upload(&work.in, &self->program, data, n));
    EXAMPLE_TRY(example_upload(&work.out, &self->program, NULL, sizeof counts));
    EXAMPLE_TRY(clprim_histogram_create(&work.plan, self->program.runtime, &grey_levels));
    EXAMPLE_TRY(timing_serial(&cpu_seconds, &self->program, serial_histogram_u8, counts, data, n));
    EXAMPLE_TRY(timing_measure(&seconds, &self->program, enqueue, &work));
    EXAMPLE_TRY(clEnqueueReadBuffer(work.queue, work.out, CL_TRUE, 0, sizeof counts, counts, 0, NULL, NULL));
    EXAMPLE_TRY(check(&is_right, data, n, counts));
    demo_speed(self, "histogram 256", "u8", n, n, seconds.median, cpu_seconds.median, is_right);
done:
    clprim_plan_destroy(work.plan);
    example_release(work.in);
    example_release(work.out);
    free(data);
    return status;
}

clprim_status demo_histogram_speeds(demo *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(show_speed(self, self->photo.width * self->photo.height));
    EXAMPLE_TRY(show_speed(self, self->wide_n));
done:
    return status;
}
