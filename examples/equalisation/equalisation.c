// SPDX-License-Identifier: MIT
/* equalisation.c: a photograph's grey levels spread over all greys, of the whole picture and tile by tile: on the
 * device (equaliser.c) and in plain loops (plain.c). README.md says what to look for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equaliser.h"
#include "plain.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] = "Spread the grey levels of a photograph over all greys: of all of it, and tile by tile.\n";

enum { TILES = 8, CONTRAST = 4, NUM_PICTURES = 3 };

static const struct {
    const char *title;
    const char *path;
    cl_uint tiles; /* 0: as it is */
} PICTURES[NUM_PICTURES] = {
    {"as it is", CLPRIM_EXAMPLE_PICTURE_DIR "/equalisation_photograph.png", 0},
    {"equalised", CLPRIM_EXAMPLE_PICTURE_DIR "/equalisation_whole.png", 1},
    {"tile by tile", CLPRIM_EXAMPLE_PICTURE_DIR "/equalisation_tiles.png", TILES},
};

/* Equalise here and there, compare, keep the pixels in *out, and print how long it took. */
static clprim_status equalise(image *out, bool *is_right, const example *program, const image *photo, size_t which)
{
    const tiling tiles = tiling_of(photo, PICTURES[which].tiles, CONTRAST);
    timing seconds = {0};
    timing cpu_seconds = {0};
    equaliser device = {0};
    plain_equaliser host = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(equaliser_begin(&device, program, photo, &tiles));
    EXAMPLE_TRY(plain_begin(&host, photo, &tiles));
    EXAMPLE_TRY(timing_measure(&seconds, program, equaliser_run, &device));
    EXAMPLE_TRY(timing_host(&cpu_seconds, program, plain_equalise, &host));
    *out = (image){.width = photo->width, .height = photo->height, .channels = 1, .samples = malloc(tiles.n)};
    if (out->samples == NULL) {
        status = example_fail("no memory for %zu pixels on the host", tiles.n);
        goto done;
    }
    EXAMPLE_TRY(clEnqueueReadBuffer(program->queue, device.out, CL_TRUE, 0, tiles.n, out->samples, 0, NULL, NULL));
    *is_right = memcmp(out->samples, host.out, tiles.n) == 0;
    printf("Time:        %s, %u x %u tiles: %s,", PICTURES[which].title, (unsigned)tiles.across, (unsigned)tiles.down,
           report_time(seconds.median));
    printf(" %.0f million pixels a second (%s); plain loops on one core %s,", (double)tiles.n / seconds.median * 1e-6,
           *is_right ? "right" : "WRONG", report_time(cpu_seconds.median));
    printf(" %s as long\n", report_times(cpu_seconds.median / seconds.median));
done:
    plain_clear(&host);
    equaliser_end(&device);
    return status;
}

/* The grey levels of all pictures side by side, eight levels a row. */
static void print_levels(uint32_t counts[NUM_PICTURES][LEVELS])
{
    enum { IN_ROW = 8, ROWS = LEVELS / IN_ROW, WIDTH = 22 };
    uint64_t sums[NUM_PICTURES][ROWS] = {{0}};
    uint64_t largest = 1;
    for (size_t picture = 0; picture < NUM_PICTURES; picture++) {
        for (size_t level = 0; level < LEVELS; level++)
            sums[picture][level / IN_ROW] += counts[picture][level];
        for (size_t row = 1; row < ROWS; row++) /* the first one is the black border: its bar may be cut off */
            largest = sums[picture][row] > largest ? sums[picture][row] : largest;
    }
    printf("\nGrey levels  ");
    for (size_t picture = 0; picture < NUM_PICTURES; picture++)
        printf("%-*s  ", WIDTH, PICTURES[picture].title);
    putchar('\n');
    for (size_t row = 0; row < ROWS; row++) {
        printf("%3zu to %3zu   ", row * IN_ROW, row * IN_ROW + IN_ROW - 1);
        for (size_t picture = 0; picture < NUM_PICTURES; picture++) {
            const uint64_t length = (sums[picture][row] * WIDTH + largest - 1) / largest;
            for (uint64_t i = 0; i < WIDTH + 2; i++)
                putchar(i < length && i < WIDTH ? '#' : ' ');
        }
        putchar('\n');
    }
    putchar('\n');
}

static clprim_status run(bool *are_right, const example *program, image pictures[NUM_PICTURES])
{
    uint32_t counts[NUM_PICTURES][LEVELS];
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(example_photograph(&pictures[0], program->image));
    *are_right = true;
    for (size_t i = 1; i < NUM_PICTURES; i++) {
        bool is_right = false;
        EXAMPLE_TRY(equalise(&pictures[i], &is_right, program, &pictures[0], i));
        *are_right = *are_right && is_right;
    }
    for (size_t i = 0; i < NUM_PICTURES; i++)
        serial_histogram_u8(counts[i], pictures[i].samples, pictures[i].width * pictures[i].height);
    print_levels(counts);
    for (size_t i = 0; i < NUM_PICTURES; i++) {
        EXAMPLE_TRY(image_write(&pictures[i], PICTURES[i].path));
        printf("Picture:     %-12s  %s\n", PICTURES[i].title, PICTURES[i].path);
    }
done:
    return status;
}

int main(int argc, char **argv)
{
    example program = {0};
    image pictures[NUM_PICTURES] = {{0}};
    bool are_right = false;
    int exit_code = EXIT_FAILURE;
    if (!example_begin(&program, argc, argv, 0, USAGE, &exit_code))
        return exit_code;
    if (run(&are_right, &program, pictures) == CLPRIM_SUCCESS && are_right)
        exit_code = EXIT_SUCCESS;
    for (size_t i = 0; i < NUM_PICTURES; i++)
        image_clear(&pictures[i]);
    example_end(&program);
    return exit_code;
}
