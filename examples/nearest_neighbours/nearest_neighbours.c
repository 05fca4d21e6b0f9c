// SPDX-License-Identifier: MIT
/* nearest_neighbours.c: the k nearest points of each query, in one kernel of its own (fused.c) and by three calls of
 * clPRIM (separate.c). README.md says what to look for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fused.h"
#include "plain.h"
#include "points.h"
#include "separate.h"
#include "timing.h"

static const char USAGE[] =
    "Find which atoms of a protein are nearest to each atom of the drug in it; and the nearest atoms of each\n"
    "atom of a crystal of such proteins (2^18 atoms on a GPU, 2^13 elsewhere).\n";
static const char PROTEIN[] = CLPRIM_EXAMPLE_DATA_DIR "/1hpv.pdb";
static const char DRUG[] = "478"; /* the residue's name; it is in columns 18 to 20 of a line, and labels begin at 13 */

typedef struct results {
    cl_uint *indices;
    cl_float4 *vectors;
} results;

static void clear(results *self)
{
    free(self->indices);
    free(self->vectors);
}

/* Read the results, and fill the device's with other values, so that no other way can pass with them. */
static clprim_status fetch(results *out, const neighbours *task)
{
    const cl_uint wrong = 0x7fffffff;
    const cl_command_queue queue = task->program->queue;
    const size_t count = task->num_queries * task->k;
    const size_t bytes = count * sizeof(cl_float4);
    clprim_status status = CLPRIM_SUCCESS;
    *out = (results){malloc(count * sizeof(cl_uint)), malloc(bytes)};
    if (out->indices == NULL || out->vectors == NULL)
        EXAMPLE_TRY(example_fail("no memory for %zu neighbours on the host", count));
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, task->indices, CL_TRUE, 0, count * 4, out->indices, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, task->vectors, CL_TRUE, 0, bytes, out->vectors, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueFillBuffer(queue, task->indices, &wrong, sizeof wrong, 0, count * 4, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueFillBuffer(queue, task->vectors, &wrong, sizeof wrong, 0, bytes, 0, NULL, NULL));
done:
    return status;
}

/* The kernel alone, with groups of any size: is it right? The neighbours are left in *found, which is to be cleared. */
static clprim_status find(bool *is_right, results *found, neighbours *task, size_t group_size)
{
    fused one_kernel = {0};
    plain host = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(neighbours_begin(task));
    EXAMPLE_TRY(fused_begin(&one_kernel, task, group_size));
    EXAMPLE_TRY(plain_begin(&host, task));
    EXAMPLE_TRY(fused_find(&one_kernel));
    EXAMPLE_TRY(fetch(found, task));
    EXAMPLE_TRY(plain_find(&host));
    *is_right = plain_is_same(&host, found->indices, found->vectors);
done:
    fused_end(&one_kernel);
    plain_clear(&host);
    neighbours_end(task);
    return status;
}

/* Move the drug's atoms to the front, in their order; returns how many there are. */
static size_t drug_first(points *set)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        char label[POINTS_LABEL_SIZE];
        const cl_float4 position = set->positions[i];
        memcpy(label, set->labels[i], sizeof label);
        if (strncmp(label + 5, DRUG, strlen(DRUG)) != 0)
            continue;
        memmove(set->labels + count + 1, set->labels + count, (i - count) * sizeof *set->labels);
        memmove(set->positions + count + 1, set->positions + count, (i - count) * sizeof position);
        memcpy(set->labels[count], label, sizeof label);
        set->positions[count++] = position;
    }
    return count;
}

/* The nearest atoms of the protein and of the water, for those of the drug's atoms that come as near to one as in a
 * hydrogen bond. */
static clprim_status show_drug(bool *is_right, const example *program)
{
    enum { K = 3 };
    static const double NEAR = 3.3; /* angstroms */
    static const report_column columns[] = {{"atom", -8}, {"nearest", -14}, {"distance", 8},
                                            {" ", 1},     {"second", -14},  {"distance", 8},
                                            {" ", 1},     {"third", -14},   {"distance", 8}};
    points set = {0};
    results found = {0};
    report table;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(points_read(&set, PROTEIN));
    const size_t count = drug_first(&set);
    neighbours task = {.program = program,
                       .num_queries = count,
                       .num_points = set.count - count,
                       .k = K,
                       .queries = set.positions,
                       .points = set.positions + count};
    EXAMPLE_TRY(find(is_right, &found, &task, 0));
    printf("Drug:        1hpv.pdb: its %zu atoms, and the nearest of the %zu atoms around it (%s)\n", count,
           task.num_points, *is_right ? "right" : "WRONG");
    report_begin(&table, "Atoms of the drug that have an atom within 3.3 angstroms", columns,
                 sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        if (sqrt((double)found.vectors[i * K].s[3]) > NEAR)
            continue;
        report_cell(&table, "%.4s", set.labels[i]);
        for (size_t p = 0; p < K; p++) {
            if (p > 0)
                report_cell(&table, " ");
            report_cell(&table, "%s", set.labels[count + found.indices[i * K + p]]);
            report_cell(&table, "%.2f", sqrt((double)found.vectors[i * K + p].s[3]));
        }
    }
done:
    clear(&found);
    points_clear(&set);
    return status;
}

/* Copies of the protein side by side in a cube, as many as give n atoms. *out is to be cleared. */
static clprim_status make_crystal(points *out, size_t n)
{
    static const float GAP = 3; /* angstroms between the boxes around two copies */
    points protein = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(points_read(&protein, PROTEIN));
    cl_float4 side = {{0}};
    for (size_t axis = 0; axis < 3; axis++) {
        float low = protein.positions[0].s[axis];
        float high = low;
        for (size_t i = 0; i < protein.count; i++) {
            low = fminf(low, protein.positions[i].s[axis]);
            high = fmaxf(high, protein.positions[i].s[axis]);
        }
        side.s[axis] = high - low + GAP;
    }
    size_t copies = 1; /* on each axis */
    while (copies * copies * copies * protein.count < n)
        copies++;
    out->positions = n > 0 ? malloc(n * sizeof *out->positions) : NULL;
    if (out->positions == NULL)
        EXAMPLE_TRY(example_fail("no memory for %zu atoms on the host", n));
    for (; out->count < n; out->count++) {
        const size_t copy = out->count / protein.count;
        const size_t cell[] = {copy % copies, copy / copies % copies, copy / copies / copies};
        cl_float4 at = protein.positions[out->count % protein.count];
        for (size_t axis = 0; axis < 3; axis++)
            at.s[axis] += (float)cell[axis] * side.s[axis];
        out->positions[out->count] = at;
    }
done:
    points_clear(&protein);
    return status;
}

/* A row of the table: both ways for one k. */
static clprim_status show_k(bool *is_right, report *table, neighbours *task)
{
    fused one_kernel = {0};
    separate three_calls = {0};
    plain host = {0};
    results found = {0};
    results expected = {0};
    timing seconds = {0};
    timing separate_seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const example *program = task->program;
    const size_t count = task->num_queries * task->k;
    EXAMPLE_TRY(neighbours_begin(task));
    EXAMPLE_TRY(fused_begin(&one_kernel, task, 0));
    EXAMPLE_TRY(separate_begin(&three_calls, task));
    EXAMPLE_TRY(plain_begin(&host, task));
    EXAMPLE_TRY(timing_measure(&seconds, program, fused_find, &one_kernel));
    EXAMPLE_TRY(fetch(&found, task));
    EXAMPLE_TRY(timing_measure(&separate_seconds, program, separate_find, &three_calls));
    EXAMPLE_TRY(fetch(&expected, task));
    EXAMPLE_TRY(timing_host(&cpu_seconds, program, plain_find, &host));
    *is_right = plain_is_same(&host, found.indices, found.vectors) &&
                memcmp(found.indices, expected.indices, count * sizeof *found.indices) == 0 &&
                memcmp(found.vectors, expected.vectors, count * sizeof *found.vectors) == 0;
    const double pairs = (double)task->num_queries * (double)task->num_points;
    report_cell(table, "%zu", task->k);
    report_cell(table, "%s", report_digits(seconds.median * 1e3));
    report_cell(table, "%s", report_digits(pairs / seconds.median * 1e-9));
    report_cell(table, "%s", report_digits(separate_seconds.median * 1e3));
    report_cell(table, "%s", report_times(separate_seconds.median / seconds.median));
    report_cell(table, "%s", report_digits((double)host.rows * (double)task->num_points / cpu_seconds.median * 1e-9));
    report_cell(table, "%s", *is_right ? "right" : "WRONG");
done:
    clear(&found);
    clear(&expected);
    plain_clear(&host);
    separate_end(&three_calls);
    fused_end(&one_kernel);
    neighbours_end(task);
    return status;
}

static clprim_status show_crystal(bool *is_right, const example *program)
{
    static const report_column columns[] = {{"k", 3},       {"kernel ms", 10},    {"Gpairs/s", 9}, {"3 calls ms", 10},
                                            {"as long", 8}, {"CPU Gpairs/s", 12}, {"", 5}};
    static const size_t ks[] = {1, 8, 32};
    const size_t n = example_count(program, 1024, (size_t)1 << 10, (size_t)1 << 18, (size_t)1 << 13);
    points set = {0};
    report table;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(make_crystal(&set, n));
    printf("\nCrystal:     %zu atoms; the k nearest atoms of each, itself included: %.3g pairs\n", n,
           (double)n * (double)n);
    report_begin(&table, "One kernel, and three calls", columns, sizeof columns / sizeof *columns);
    *is_right = true;
    for (size_t i = 0; i < sizeof ks / sizeof *ks && ks[i] <= n; i++) { /* the three calls need k points */
        neighbours task = {.program = program,
                           .num_queries = n,
                           .num_points = n,
                           .k = ks[i],
                           .queries = set.positions,
                           .points = set.positions};
        bool is_row_right = false;
        EXAMPLE_TRY(show_k(&is_row_right, &table, &task));
        *is_right = *is_right && is_row_right;
    }
done:
    points_clear(&set);
    return status;
}

/* Places of a lattice: most distances occur several times, and indices decide. With groups that are not a power of two,
 * and with fewer points than neighbours. */
static clprim_status check_corners(bool *is_right, const example *program)
{
    enum { SIDE = 7, LATTICE = SIDE * SIDE * SIDE };
    static const struct {
        size_t num_points, k, group_size;
    } corners[] = {{LATTICE, 33, 1}, {LATTICE, 7, 50}, {5, 7, 50}, {1, 1, 3}};
    const size_t most = program->device->max_work_group_size;
    cl_float4 lattice[LATTICE];
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < LATTICE; i++) {
        const size_t place[] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        lattice[i] = (cl_float4){{(float)place[0], (float)place[1], (float)place[2], 0}};
    }
    *is_right = true;
    for (size_t c = 0; c < sizeof corners / sizeof *corners && *is_right; c++) {
        neighbours task = {.program = program,
                           .num_queries = LATTICE,
                           .num_points = corners[c].num_points,
                           .k = corners[c].k,
                           .queries = lattice,
                           .points = lattice};
        results found = {0};
        const size_t size = corners[c].group_size < most ? corners[c].group_size : most;
        status = find(is_right, &found, &task, size);
        clear(&found);
        EXAMPLE_TRY(status);
    }
    printf("\nLattice:     %d points, of which many are equally far from each other (%s)\n", LATTICE,
           *is_right ? "right" : "WRONG");
done:
    return status;
}

int main(int argc, char **argv)
{
    example program = {0};
    bool are_right[3] = {0};
    int exit_code = EXIT_FAILURE;
    clprim_status status = CLPRIM_SUCCESS;
    if (!example_begin(&program, argc, argv, EXAMPLE_TAKES_N | EXAMPLE_TAKES_NO_FILE, USAGE, &exit_code))
        return exit_code;
    EXAMPLE_TRY(show_drug(&are_right[0], &program));
    EXAMPLE_TRY(show_crystal(&are_right[1], &program));
    EXAMPLE_TRY(check_corners(&are_right[2], &program));
    if (are_right[0] && are_right[1] && are_right[2])
        exit_code = EXIT_SUCCESS;
done:
    example_end(&program);
    return status == CLPRIM_SUCCESS ? exit_code : EXIT_FAILURE;
}
