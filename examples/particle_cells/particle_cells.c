// SPDX-License-Identifier: MIT
/* particle_cells.c: how many neighbours each particle has within a radius: by cells on the device (cells.c) and in
 * plain loops (plain.c). README.md says what to look for. */
#include <stdio.h>
#include <stdlib.h>

#include "cells.h"
#include "plain.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "Count the neighbours of particles within a radius: of the atoms of a protein within 4 angstroms,\n"
    "or of those in FILE (Protein Data Bank, or lines \"x y z\"); and of generated ones (2^24 on a GPU,\n"
    "2^18 elsewhere).\n";

/* The five with the most neighbours. */
static void print_most_crowded(const points *set, const uint32_t *counts)
{
    static const report_column columns[] = {{"particle", -16}, {"x", 8}, {"y", 8}, {"z", 8}, {"neighbours", 10}};
    size_t before = 0; /* the row before */
    report table;
    report_begin(&table, "The particles with the most neighbours", columns, sizeof columns / sizeof *columns);
    for (size_t place = 0; place < 5 && place < set->count; place++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < set->count; i++) {
            const bool is_left =
                place == 0 || counts[i] < counts[before] || (counts[i] == counts[before] && i > before);
            if (is_left && (best == SIZE_MAX || counts[i] > counts[best]))
                best = i;
        }
        before = best;
        if (set->labels != NULL && set->labels[best][0] != '\0')
            report_cell(&table, "%s", set->labels[best]);
        else
            report_cell(&table, "%zu", best);
        for (size_t axis = 0; axis < 3; axis++)
            report_cell(&table, "%.3f", (double)set->positions[best].s[axis]);
        report_cell(&table, "%u", (unsigned)counts[best]);
    }
}

/* How many particles have how many neighbours, as bars. */
static void print_distribution(const points *set, const uint32_t *counts)
{
    enum { ROWS = 12, WIDTH = 48 };
    size_t rows[ROWS] = {0};
    size_t largest = 1;
    uint32_t most = 0;
    for (size_t i = 0; i < set->count; i++)
        most = counts[i] > most ? counts[i] : most;
    const uint32_t step = most / ROWS + 1;
    for (size_t i = 0; i < set->count; i++)
        rows[counts[i] / step]++;
    for (size_t row = 0; row < ROWS; row++)
        largest = rows[row] > largest ? rows[row] : largest;
    printf("\nNeighbours, particles\n");
    for (uint32_t row = 0; row <= most / step; row++) {
        printf("%5u to %3u %10zu  ", (unsigned)(row * step), (unsigned)(row * step + step - 1), rows[row]);
        for (size_t i = 0; i < rows[row] * WIDTH / largest; i++)
            putchar('#');
        putchar('\n');
    }
}

/* Count here and there, compare, and print what came out and how long it took. */
static clprim_status show(bool *is_right, const example *program, const points *set, const char *name)
{
    timing seconds = {0};
    timing cpu_seconds = {0};
    double sum = 0;
    points_grid grid;
    cells device = {0};
    plain_cells host = {0};
    clprim_status status = CLPRIM_SUCCESS;
    uint32_t *counts = malloc(set->count * sizeof *counts);
    if (counts == NULL)
        return example_fail("no memory for %zu counts on the host", set->count);
    EXAMPLE_TRY(points_make_grid(&grid, set));
    EXAMPLE_TRY(cells_begin(&device, program, set, &grid));
    EXAMPLE_TRY(plain_begin(&host, set, &grid));
    EXAMPLE_TRY(timing_measure(&seconds, program, cells_count, &device));
    EXAMPLE_TRY(timing_host(&cpu_seconds, program, plain_count, &host));
    EXAMPLE_TRY(clEnqueueReadBuffer(program->queue, device.counts, CL_TRUE, 0, set->count * sizeof *counts, counts, 0,
                                    NULL, NULL));
    for (size_t i = 0; i < set->count; i++)
        sum += counts[i];
    *is_right = plain_is_right(set, counts) && plain_is_right(set, host.counts);
    printf("\nParticles:   %s: %zu in %u x %u x %u cells; within %g there are %.2f others on average (%s)\n", name,
           set->count, (unsigned)grid.cells[0], (unsigned)grid.cells[1], (unsigned)grid.cells[2], (double)set->radius,
           sum / (double)set->count, *is_right ? "right" : "WRONG");
    printf("Time:        %s,", report_time(seconds.median));
    printf(" %.1f million particles a second; the CPU's one core %s,", (double)set->count / seconds.median * 1e-6,
           report_time(cpu_seconds.median));
    printf(" %s as long\n", report_times(cpu_seconds.median / seconds.median));
    print_distribution(set, counts);
    print_most_crowded(set, counts);
done:
    free(counts);
    plain_clear(&host);
    cells_end(&device);
    return status;
}

int main(int argc, char **argv)
{
    static const char protein[] = CLPRIM_EXAMPLE_DATA_DIR "/1hpv.pdb";
    example program = {0};
    points set = {0};
    bool are_right[2] = {0};
    int exit_code = EXIT_FAILURE;
    clprim_status status = CLPRIM_SUCCESS;
    if (!example_begin(&program, argc, argv, EXAMPLE_TAKES_N | EXAMPLE_TAKES_FILE, USAGE, &exit_code))
        return exit_code;
    /* 80: the bytes that a particle takes, in all buffers and the sort's scratch memory */
    const size_t n = example_count(&program, 80, (size_t)1 << 13, (size_t)1 << 24, (size_t)1 << 18);
    EXAMPLE_TRY(points_read(&set, program.file != NULL ? program.file : protein));
    EXAMPLE_TRY(show(&are_right[0], &program, &set, program.file != NULL ? program.file : "1hpv.pdb"));
    points_clear(&set);
    EXAMPLE_TRY(points_generate(&set, n));
    EXAMPLE_TRY(show(&are_right[1], &program, &set, "generated"));
    if (are_right[0] && are_right[1])
        exit_code = EXIT_SUCCESS;
done:
    points_clear(&set);
    example_end(&program);
    return status == CLPRIM_SUCCESS ? exit_code : EXIT_FAILURE;
}
