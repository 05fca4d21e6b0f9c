// SPDX-License-Identifier: MIT
/* csr_matrix.c: a sparse matrix in compressed rows (CSR) made of a list of edges, and a product with it: on the device
 * (matrix.c) and by plain loops (plain.c). README.md says what to look for. */
#include <stdio.h>
#include <stdlib.h>

#include "matrix.h"
#include "plain.h"
#include "report.h"
#include "timing.h"

static const char USAGE[] =
    "Make a sparse matrix of a list of edges: which word follows which in a book, or the lines\n"
    "\"from to\" or \"from to weight\" of FILE (numbers from 0 on; # and % begin comments), and of a\n"
    "generated graph (of 2^26 edges on a GPU, 2^20 elsewhere).\n";

/* What comes back from the device at the end. */
typedef struct result {
    cl_ulong num_entries;
    uint32_t *offsets, *columns;
    float *values, *row_sums;
} result;

static void clear(result *self)
{
    free(self->offsets);
    free(self->columns);
    free(self->values);
    free(self->row_sums);
}

static clprim_status fetch(result *out, const matrix *from)
{
    const cl_command_queue queue = from->program->queue;
    const size_t rows = from->list->vertices;
    const size_t n = from->list->count;
    clprim_status status = CLPRIM_SUCCESS;
    *out = (result){.offsets = calloc(rows + 1, 4), .columns = calloc(n, 4), .values = calloc(n, 4)};
    out->row_sums = calloc(rows, 4);
    if (out->offsets == NULL || out->columns == NULL || out->values == NULL || out->row_sums == NULL)
        return example_fail("no memory for a matrix of %zu edges on the host", n);
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, from->num_entries, CL_TRUE, 0, 8, &out->num_entries, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, from->offsets, CL_TRUE, 0, (rows + 1) * 4, out->offsets, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, from->columns, CL_TRUE, 0, n * 4, out->columns, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, from->values, CL_TRUE, 0, n * 4, out->values, 0, NULL, NULL));
    EXAMPLE_TRY(clEnqueueReadBuffer(queue, from->y, CL_TRUE, 0, rows * 4, out->row_sums, 0, NULL, NULL));
done:
    return status;
}

static const char *name_of(const edges *list, size_t vertex)
{
    static char number[32];
    if (vertex < list->num_names && list->names[vertex][0] != '\0')
        return list->names[vertex];
    (void)snprintf(number, sizeof number, "%zu", vertex);
    return number;
}

/* The five rows with the most entries, and the greatest entry of each. */
static void print_longest_rows(const result *r, const edges *list)
{
    static const report_column columns[] = {{"row", -16}, {"entries", 8}, {"sum", 10}, {"greatest", 10}, {"at", -16}};
    report table;
    size_t last = SIZE_MAX; /* the row before has so many entries, and this number */
    size_t last_row = 0;
    report_begin(&table, "The rows with the most entries", columns, sizeof columns / sizeof *columns);
    for (size_t place = 0; place < 5 && place < list->vertices; place++) {
        size_t best = SIZE_MAX;
        for (size_t row = 0; row < list->vertices; row++) {
            const size_t length = r->offsets[row + 1] - r->offsets[row];
            const bool is_left = length < last || (length == last && row > last_row);
            if (is_left && (best == SIZE_MAX || length > r->offsets[best + 1] - r->offsets[best]))
                best = row;
        }
        size_t greatest = r->offsets[best];
        for (size_t k = r->offsets[best]; k < r->offsets[best + 1]; k++)
            greatest = r->values[k] > r->values[greatest] ? k : greatest;
        last = r->offsets[best + 1] - r->offsets[best];
        last_row = best;
        if (last == 0)
            break;
        report_cell(&table, "%s", name_of(list, best));
        report_cell(&table, "%zu", last);
        report_cell(&table, "%g", (double)r->row_sums[best]);
        report_cell(&table, "%g", (double)r->values[greatest]);
        report_cell(&table, "%s", name_of(list, r->columns[greatest]));
    }
}

/* Build it here and there, compare, and print what came out and how long it took. */
static clprim_status show(bool *is_right, const example *program, const edges *list, const char *name)
{
    timing seconds = {0};
    timing cpu_seconds = {0};
    matrix device = {0};
    plain_matrix host = {0};
    result r = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(matrix_begin(&device, program, list));
    EXAMPLE_TRY(plain_begin(&host, list));
    EXAMPLE_TRY(timing_measure(&seconds, program, matrix_build, &device));
    EXAMPLE_TRY(timing_host(&cpu_seconds, program, plain_build, &host));
    EXAMPLE_TRY(fetch(&r, &device));
    *is_right = r.num_entries == host.num_entries && plain_is_same(&host, r.offsets, r.columns, r.values, r.row_sums);
    printf("\nMatrix:      %s: %zu edges among %zu vertices; %zu entries, %zu edges were duplicates (%s)\n", name,
           list->count, list->vertices, (size_t)r.num_entries, list->count - (size_t)r.num_entries,
           *is_right ? "right" : "WRONG");
    printf("Time:        %s,", report_time(seconds.median));
    printf(" %.1f million edges a second; plain loops on one core %s,", (double)list->count / seconds.median * 1e-6,
           report_time(cpu_seconds.median));
    printf(" %s as long\n", report_times(cpu_seconds.median / seconds.median));
    if (*is_right)
        print_longest_rows(&r, list);
done:
    clear(&r);
    plain_clear(&host);
    matrix_end(&device);
    return status;
}

int main(int argc, char **argv)
{
    static const char book[] = CLPRIM_EXAMPLE_DATA_DIR "/alice.edges";
    example program = {0};
    edges list = {0};
    bool are_right[2] = {0};
    int exit_code = EXIT_FAILURE;
    clprim_status status = CLPRIM_SUCCESS;
    if (!example_begin(&program, argc, argv, EXAMPLE_TAKES_N | EXAMPLE_TAKES_FILE, USAGE, &exit_code))
        return exit_code;
    /* 64: the bytes that an edge takes, in all buffers and the sort's scratch memory */
    const size_t n = example_count(&program, 64, (size_t)1 << 14, (size_t)1 << 26, (size_t)1 << 20);
    EXAMPLE_TRY(edges_read(&list, program.file != NULL ? program.file : book));
    EXAMPLE_TRY(show(&are_right[0], &program, &list, program.file != NULL ? program.file : "alice.edges"));
    edges_clear(&list);
    EXAMPLE_TRY(edges_generate(&list, n));
    EXAMPLE_TRY(show(&are_right[1], &program, &list, "generated"));
    if (are_right[0] && are_right[1])
        exit_code = EXIT_SUCCESS;
done:
    edges_clear(&list);
    example_end(&program);
    return status == CLPRIM_SUCCESS ? exit_code : EXIT_FAILURE;
}
