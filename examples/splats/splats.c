// SPDX-License-Identifier: MIT
/* splats.c: a picture of Gaussian splats: on the device (renderer.c) and by plain loops (plain.c). README.md says what
 * to look for. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] = "Draw a scene of Gaussian splats (2^20 on a GPU, 2^16 elsewhere), tile by tile.\n";
static const char PICTURE[] = CLPRIM_EXAMPLE_PICTURE_DIR "/splats.png";

typedef struct step_call {
    const renderer *renderer;
    renderer_step step;
} step_call;

static clprim_status enqueue_step(void *user)
{
    const step_call *call = user;
    return renderer_enqueue(call->renderer, call->step);
}

static clprim_status print_steps(renderer *device, timing *whole)
{
    static const report_column columns[] = {{"step", -34}, {"ms", 8}, {"million a second", 17}, {"of", -8}};
    static const char *const names[RENDERER_STEPS] = {
        "project, and count tiles",     "scan: where pairs begin",   "emit pairs",
        "radix_sort by tile and depth", "search: where tiles begin", "blend"};
    const double pairs = device->num_pairs;
    const double pixels = (double)device->camera.width * device->camera.height;
    const double splats = (double)device->scene->count;
    const double tiles = (double)device->columns * device->rows;
    const struct {
        double count;
        const char *name;
    } of[RENDERER_STEPS] = {{splats, "splats"}, {splats, "splats"}, {pairs, "pairs"},
                            {pairs, "pairs"},   {tiles, "tiles"},   {pixels, "pixels"}};
    report table;
    timing seconds;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(timing_measure(whole, device->program, renderer_frame, device));
    report_begin(&table, "Steps", columns, sizeof columns / sizeof *columns);
    for (int step = 0; step < RENDERER_STEPS; step++) {
        step_call call = {device, (renderer_step)step};
        EXAMPLE_TRY(timing_measure(&seconds, device->program, enqueue_step, &call));
        report_cell(&table, "%s", names[step]);
        report_cell(&table, "%s", report_digits(seconds.median * 1e3));
        report_cell(&table, "%s", report_digits(of[step].count / seconds.median * 1e-6));
        report_cell(&table, "%s", of[step].name);
    }
    report_cell(&table, "all");
    report_cell(&table, "%s", report_digits(whole->median * 1e3));
    report_cell(&table, "%s", report_digits(splats / whole->median * 1e-6));
    report_cell(&table, "splats");
done:
    return status;
}

static clprim_status write_picture(const frame *drawn, const camera *by)
{
    image picture = {.width = by->width, .height = by->height, .channels = 3};
    const size_t samples = picture.width * picture.height * 3;
    clprim_status status = CLPRIM_SUCCESS;
    picture.samples = malloc(samples);
    if (picture.samples == NULL)
        return example_fail("no memory for %zu samples on the host", samples);
    for (size_t i = 0; i < samples; i++)
        picture.samples[i] = (uint8_t)(255 * (drawn->picture[i] < 1 ? drawn->picture[i] : 1) + 0.5F);
    EXAMPLE_TRY(image_write(&picture, PICTURE));
    printf("\nPicture:     %s\n", PICTURE);
done:
    image_clear(&picture);
    return status;
}

static clprim_status run(bool *is_right, const example *program)
{
    /* 512: the bytes that a splat takes, with its pairs */
    const size_t n = example_count(program, 512, (size_t)1 << 12, (size_t)1 << 20, (size_t)1 << 16);
    const camera by = program->check ? scene_camera(203, 117) : scene_camera(1280, 720);
    scene splats = {0};
    renderer device = {0};
    plain host = {0};
    frame drawn = {0};
    timing seconds = {0};
    timing cpu_seconds = {0};
    const char *wrong = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(scene_make(&splats, n));
    EXAMPLE_TRY(renderer_begin(&device, program, &splats, &by));
    EXAMPLE_TRY(plain_begin(&host, &splats, &by));
    printf("Scene:       %zu splats, %u x %u pixels in %u x %u tiles; %u pairs of a splat and a tile\n", n,
           (unsigned)by.width, (unsigned)by.height, (unsigned)device.columns, (unsigned)device.rows,
           (unsigned)device.num_pairs);
    EXAMPLE_TRY(print_steps(&device, &seconds));
    EXAMPLE_TRY(timing_host(&cpu_seconds, program, plain_frame, &host));
    EXAMPLE_TRY(frame_fetch(&drawn, &device));
    EXAMPLE_TRY(frame_is_right(is_right, &wrong, &drawn, &device, &host));
    printf("\nTime:        %s (%s%s);", report_time(seconds.median),
           *is_right ? "right" : "WRONG: ", *is_right ? "" : wrong);
    printf(" plain loops on one core %s,", report_time(cpu_seconds.median));
    printf(" %s as long\n", report_times(cpu_seconds.median / seconds.median));
    EXAMPLE_TRY(write_picture(&drawn, &by));
done:
    frame_clear(&drawn);
    plain_clear(&host);
    renderer_end(&device);
    scene_clear(&splats);
    return status;
}

int main(int argc, char **argv)
{
    example program = {0};
    bool is_right = false;
    int exit_code = EXIT_FAILURE;
    if (!example_begin(&program, argc, argv, EXAMPLE_TAKES_N | EXAMPLE_TAKES_NO_FILE, USAGE, &exit_code))
        return exit_code;
    if (run(&is_right, &program) == CLPRIM_SUCCESS && is_right)
        exit_code = EXIT_SUCCESS;
    example_end(&program);
    return exit_code;
}
