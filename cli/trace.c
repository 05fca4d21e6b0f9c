// SPDX-License-Identifier: MIT
/* trace.c: `clprim trace`: run a step of a ladder on a few numbers, and show what its work-items did.
 *
 * The library writes the program that it would compile (CLPRIM_DUMP). instrument.c makes of it one whose work-items print
 * what they do, and the library compiles that in its place (CLPRIM_KERNEL_DIR). If the reader's own kernels are given by
 * CLPRIM_KERNEL_DIR, the first of the two has them. What the device prints goes to standard output, which is a file
 * meanwhile. */
#include <clprim/bitonic_sort.h>
#include <clprim/histogram.h>
#include <clprim/operation.h>
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "file.h"
#include "instrument.h"
#include "output.h"
#include "platform.h"
#include "suggest.h"
#include "system.h"
#include "trace_print.h"

enum {
    MOST_VALUES = 64,
    MOST_BINS = 64,
    LEAST_GROUP = 4,
    MOST_LANES = 32,
    PATH_SIZE = 1024,
    ARRAY_BYTES = 1 << 16 /* so that arrays are apart: trace_record.c */
};

/* What can be traced: steps whose kernels read and write by subscripts, also in functions of clprim/device/ and of macros. */
static const struct {
    const char *operation;
    const char *variants; /* each between spaces */
} steps[] = {
    {"reduce", " interleaved strided sequential first_add unrolled master tree single_pass "},
    {"scan", " naive work_efficient bit_reversed blelloch blelloch_padded reduce_then_scan look_back "},
    {"histogram", " global_atomic local_atomic per_item per_item_shuffled sub_group_tagged replicated "},
    {"radix_sort", " split local onesweep single_group "},
    {"bitonic_sort", " naive better best masked local_step local_block local_merge shared_pairs register_block "},
};

enum { NUM_STEPS = sizeof steps / sizeof *steps };

typedef struct tracer {
    const cli_options *options;
    traced shown;
    char variant_name[64];
    int variant; /* its number */
    clprim_runtime *runtime;
    clprim_plan *plan;
    cl_mem in, out;
    char folder[PATH_SIZE]; /* temporary, or "" */
    site_list sites;
    char *printed; /* what the device printed */
    int32_t values[MOST_VALUES], results[MOST_VALUES], expected[MOST_VALUES];
    size_t bins;
    unsigned key_bits;  /* that the values have */
    bool is_one_of_all; /* then a variant that the device cannot run is left out */
    bool is_refused;    /* the device cannot run it: clprim_last_error() says why */
} tracer;

/* The variants of an operation that can be traced; "" if there are none. */
static const char *traceable(const char *operation)
{
    for (size_t i = 0; i < NUM_STEPS; i++)
        if (strcmp(steps[i].operation, operation) == 0)
            return steps[i].variants;
    return "";
}

/* The command line. */

static cli_result find_variant(tracer *self)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    char meant[SUGGEST_SIZE];
    char name[64];
    size_t at = 0;
    suggest like = suggest_for(self->shown.operation);
    while (at < NUM_STEPS && strcmp(steps[at].operation, self->shown.operation) != 0)
        suggest_add(&like, steps[at++].operation);
    if (at == NUM_STEPS)
        return cli_refuse("trace",
                          "%s: there is no ladder of it; there are reduce, scan, histogram, radix_sort and "
                          "bitonic_sort%s",
                          self->shown.operation, suggest_text(meant, &like, "", ""));
    (void)snprintf(name, sizeof name, " %s ", self->shown.variant);
    if (strchr(self->shown.variant, ' ') != NULL || strstr(steps[at].variants, name) == NULL)
        return cli_refuse("trace", "%s: of %s, these can be traced:%.*s", self->shown.variant, self->shown.operation,
                          (int)strlen(steps[at].variants) - 1, steps[at].variants);
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        if (strcmp(operations[i]->name, self->shown.operation) != 0)
            continue;
        const clprim_variant_info *variants = operations[i]->variants(&num_variants);
        for (size_t v = 0; v < num_variants; v++)
            if (strcmp(variants[v].name, self->shown.variant) == 0)
                self->variant = variants[v].id;
    }
    return CLI_OK;
}

static bool is_of(const tracer *self, const char *operation)
{
    return strcmp(self->shown.operation, operation) == 0;
}

static cli_result take_values(tracer *self)
{
    const bool has_negative = is_of(self, "reduce") || is_of(self, "scan");
    for (size_t i = 0; i < self->shown.num_values; i++) {
        const char *text = self->options->words[2 + i];
        char *end = NULL;
        const long value = strtol(text, &end, 10);
        if (end == text || *end != '\0' || value > 999999 || value < (has_negative ? -999999 : 0))
            return cli_refuse("trace", "%s: values are whole numbers from %d to 999999", text,
                              has_negative ? -999999 : 0);
        if (is_of(self, "histogram") && value >= MOST_BINS)
            return cli_refuse("trace", "%s: a histogram's values are bins from 0 to %d", text, MOST_BINS - 1);
        self->values[i] = (int32_t)value;
        while (value >> self->key_bits > 0)
            self->key_bits++;
        self->bins = (size_t)value + 1 > self->bins ? (size_t)value + 1 : self->bins;
    }
    return CLI_OK;
}

static bool is_power(size_t number)
{
    return (number & (number - 1)) == 0;
}

static cli_result take_shape(tracer *self)
{
    const cli_options *options = self->options;
    size_t group = LEAST_GROUP;
    while (group < self->shown.num_values)
        group *= 2;
    group = options->group != 0 ? options->group : group;
    const size_t half = group / 2 < MOST_LANES ? group / 2 : MOST_LANES;
    const size_t lanes = options->lanes != 0 ? options->lanes : half;
    const size_t banks = options->banks != 0 ? options->banks : lanes;
    if (!is_power(group) || !is_power(lanes) || !is_power(banks) || group < 2 || group > 256 || lanes > group ||
        banks > 256)
        return cli_refuse("trace", "--group, --lanes and --banks are powers of two, up to 256, and a group has at "
                                   "least as many work-items as a sub-group has lanes");
    self->shown.group_size = (unsigned)group;
    self->shown.lanes = (unsigned)lanes;
    self->shown.banks = (unsigned)banks;
    return CLI_OK;
}

/* variant NULL: any of the ladder */
static cli_result take_arguments(tracer *self, const char *variant)
{
    const cli_options *options = self->options;
    cli_result result = CLI_OK;
    if (options->num_words < 3 || options->num_words > 2 + MOST_VALUES)
        return cli_refuse("trace",
                          "takes an operation, a variant and 1 to %d values: clprim trace reduce strided "
                          "3 1 7 0 4 1 6 3",
                          (int)MOST_VALUES);
    if (variant != NULL)
        (void)snprintf(self->variant_name, sizeof self->variant_name, "%s", variant);
    else
        (void)sscanf(traceable(options->words[0]), "%63s", self->variant_name);
    self->shown = (traced){.operation = options->words[0],
                           .variant = self->variant_name,
                           .values = self->values,
                           .results = self->results,
                           .expected = self->expected,
                           .num_values = options->num_words - 2};
    CLI_TRY(find_variant(self));
    CLI_TRY(take_values(self));
    CLI_TRY(take_shape(self));
    self->shown.num_results = is_of(self, "reduce")      ? 1
                              : is_of(self, "histogram") ? self->bins
                                                         : self->shown.num_values;
done:
    return result;
}

/* Plans. */

static clprim_status create_plan(tracer *self)
{
    const size_t group = self->shown.group_size;
    const size_t most = self->shown.num_values;
    if (is_of(self, "reduce"))
        return clprim_reduce_create(&self->plan, self->runtime,
                                    &(clprim_reduce_desc){.type = CLPRIM_I32,
                                                          .op = CLPRIM_SUM,
                                                          .variant = (clprim_reduce_variant)self->variant,
                                                          .work_group_size = group});
    if (is_of(self, "scan"))
        return clprim_scan_create(&self->plan, self->runtime,
                                  &(clprim_scan_desc){.type = CLPRIM_I32,
                                                      .op = CLPRIM_SUM,
                                                      .exclusive = true,
                                                      .variant = (clprim_scan_variant)self->variant,
                                                      .banks = self->shown.banks,
                                                      .work_group_size = group});
    if (is_of(self, "histogram"))
        return clprim_histogram_create(&self->plan, self->runtime,
                                       &(clprim_histogram_desc){.type = CLPRIM_U32,
                                                                .mapping = CLPRIM_HISTOGRAM_IDENTITY,
                                                                .bins = self->bins,
                                                                .variant = (clprim_histogram_variant)self->variant,
                                                                .work_group_size = group});
    if (is_of(self, "radix_sort"))
        return clprim_radix_sort_create(&self->plan, self->runtime,
                                        &(clprim_radix_sort_desc){.key_type = CLPRIM_U32,
                                                                  .bit_range = true,
                                                                  .end_bit = self->key_bits,
                                                                  .max_count = most,
                                                                  .variant = (clprim_radix_sort_variant)self->variant,
                                                                  .work_group_size = group});
    return clprim_bitonic_sort_create(&self->plan, self->runtime,
                                      &(clprim_bitonic_sort_desc){.key_type = CLPRIM_U32,
                                                                  .max_count = most,
                                                                  .variant = (clprim_bitonic_sort_variant)self->variant,
                                                                  .work_group_size = group});
}

static clprim_status enqueue(const tracer *self, cl_command_queue queue)
{
    const size_t n = self->shown.num_values;
    if (is_of(self, "reduce"))
        return clprim_reduce_enqueue(
            self->plan, queue, &(clprim_reduce_call){.in = {self->in}, .count = n, .out = {self->out}}, 0, NULL, NULL);
    if (is_of(self, "scan"))
        return clprim_scan_enqueue(
            self->plan, queue, &(clprim_scan_call){.in = {self->in}, .count = n, .out = {self->out}}, 0, NULL, NULL);
    if (is_of(self, "histogram"))
        return clprim_histogram_enqueue(self->plan, queue,
                                        &(clprim_histogram_call){.in = {self->in}, .count = n, .out = {self->out}}, 0,
                                        NULL, NULL);
    if (is_of(self, "radix_sort"))
        return clprim_radix_sort_enqueue(
            self->plan, queue, &(clprim_radix_sort_call){.keys_in = {self->in}, .count = n, .keys_out = {self->out}}, 0,
            NULL, NULL);
    return clprim_bitonic_sort_enqueue(
        self->plan, queue, &(clprim_bitonic_sort_call){.keys_in = {self->in}, .count = n, .keys_out = {self->out}}, 0,
        NULL, NULL);
}

static void end_plan(tracer *self)
{
    clprim_plan_destroy(self->plan);
    clprim_runtime_destroy(self->runtime);
    self->plan = NULL;
    self->runtime = NULL;
}

static cli_result begin_plan(tracer *self)
{
    cli_result result = CLI_OK;
    CLI_TRY(cli_device_runtime(&self->runtime, self->options));
    const clprim_status status = create_plan(self);
    self->is_refused = status == CLPRIM_UNSUPPORTED;
    if (self->is_refused && self->is_one_of_all)
        return CLI_FAILED;
    if (status != CLPRIM_SUCCESS)
        return cli_fail("trace", "%s", clprim_last_error());
done:
    return result;
}

/* Files. */

static cli_result out_of_memory(void)
{
    return cli_refuse(NULL, "out of memory");
}

/* The whole text of a file. The caller frees it. NULL: it cannot be read, or memory is short. */
static char *read_text(int directory, const char *name)
{
    const int fd = clprim__file_open(directory, name, CLPRIM__OPEN_READ);
    clprim__facts facts = {0};
    size_t got = 0;
    char *text = NULL;
    if (fd >= 0 && clprim__facts_of(&facts, fd) && clprim__file_rewind(fd))
        text = calloc((size_t)facts.size + 1, 1);
    if (text != NULL && !clprim__file_read(fd, text, (size_t)facts.size, 0, &got)) {
        free(text);
        text = NULL;
    }
    if (fd >= 0)
        clprim__file_close(fd);
    return text;
}

static void path_in(char out[PATH_SIZE], const tracer *self, const char *folder, const char *rest)
{
    (void)snprintf(out, PATH_SIZE, "%.512s/%s%s%.256s", self->folder, folder, rest[0] != '\0' ? "/" : "", rest);
}

static void remove_file(void *user, int directory, const char *name)
{
    (void)user;
    (void)clprim__file_remove(directory, name);
}

static void remove_folder(const char *path)
{
    const int directory = clprim__directory_open(path, true);
    if (directory >= 0) {
        clprim__directory_list(directory, remove_file, NULL);
        clprim__file_close(directory);
    }
    system_remove_folder(path);
}

static void remove_folders(tracer *self)
{
    char path[PATH_SIZE];
    if (self->folder[0] == '\0')
        return;
    path_in(path, self, "kernels", self->shown.operation);
    remove_folder(path);
    path_in(path, self, "kernels", "");
    remove_folder(path);
    path_in(path, self, "dump", "");
    remove_folder(path);
    remove_folder(self->folder);
    self->folder[0] = '\0';
}

static cli_result make_folders(tracer *self)
{
    char path[PATH_SIZE];
    (void)snprintf(self->folder, sizeof self->folder, "%.256s/clprim-trace-%ld", system_temporary_directory(),
                   clprim__process());
    if (!clprim__directory_make(self->folder, true)) {
        self->folder[0] = '\0';
        return cli_refuse(system_temporary_directory(), "a folder for kernels cannot be made there");
    }
    path_in(path, self, "kernels", "");
    (void)clprim__directory_make(path, true);
    path_in(path, self, "kernels", self->shown.operation);
    (void)clprim__directory_make(path, true);
    return CLI_OK;
}

/* Kernels that print. */

typedef struct programs {
    tracer *tracer;
    size_t count;
    cli_result result;
} programs;

/* Write what the library is to compile in place of this program's files: the root and all that it includes, as one. */
static cli_result write_kernel(tracer *self, const char *program)
{
    char root[128] = "";
    char line[160];
    char path[PATH_SIZE];
    char *text = NULL;
    cli_result result = CLI_OK;
    if (sscanf(program, "// clPRIM %*s kernels/%127[a-z_0-9./]", root) != 1)
        return cli_fail("trace", "a program of the library begins with no file's name");
    (void)snprintf(line, sizeof line, "#line 1 \"kernels/%s\"", root);
    const char *begin = strstr(program, line);
    if (begin == NULL)
        return cli_fail("trace", "a program of the library does not contain %s", root);
    if (!instrument(&text, &self->sites, begin))
        return out_of_memory();
    path_in(path, self, "kernels", root);
    const int fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_WRITE);
    if (fd < 0 || !clprim__file_truncate(fd, 0) || !clprim__file_write(fd, text, strlen(text), -1))
        result = cli_refuse(path, "cannot be written");
    if (fd >= 0)
        clprim__file_close(fd);
    free(text);
    return result;
}

static void take_program(void *user, int directory, const char *name)
{
    programs *self = user;
    char *text = self->result == CLI_OK && strstr(name, ".cl") != NULL ? read_text(directory, name) : NULL;
    if (text == NULL)
        return;
    self->result = write_kernel(self->tracer, text);
    if (self->count < TRACED_MOST_PROGRAMS)
        self->tracer->shown.programs[self->count] = text;
    else
        free(text);
    self->count++;
}

/* Let the library say which programs the plan has, and make kernels of them that print. */
static cli_result make_kernels(tracer *self)
{
    programs made = {.tracer = self};
    char path[PATH_SIZE];
    cli_result result = CLI_OK;
    CLI_TRY(make_folders(self));
    path_in(path, self, "dump", "");
    system_set_variable("CLPRIM_CACHE", "off");
    system_set_variable("CLPRIM_SELF_TEST", "off");
    system_set_variable("CLPRIM_DUMP", path);
    CLI_TRY(begin_plan(self));
    end_plan(self);
    system_set_variable("CLPRIM_DUMP", NULL);
    const int directory = clprim__directory_open(path, true);
    if (directory >= 0) {
        clprim__directory_list(directory, take_program, &made);
        clprim__file_close(directory);
    }
    CLI_TRY(made.result);
    if (made.count == 0)
        return cli_fail("trace", "the library has shown no program");
    path_in(path, self, "kernels", "");
    system_set_variable("CLPRIM_KERNEL_DIR", path);
done:
    return result;
}

/* The run. */

static cli_result make_arrays(tracer *self, cl_command_queue queue)
{
    const cl_context context = clprim_runtime_context(self->runtime);
    cl_int code = CL_SUCCESS;
    cli_result result = CLI_OK;
    self->in = clCreateBuffer(context, CL_MEM_READ_WRITE, ARRAY_BYTES, NULL, &code);
    CLI_CALL(code);
    self->out = clCreateBuffer(context, CL_MEM_READ_WRITE, ARRAY_BYTES, NULL, &code);
    CLI_CALL(code);
    CLI_CALL(clEnqueueWriteBuffer(queue, self->in, CL_TRUE, 0, sizeof self->values, self->values, 0, NULL, NULL));
    CLI_CALL(clEnqueueWriteBuffer(queue, self->out, CL_TRUE, 0, sizeof self->results, self->results, 0, NULL, NULL));
done:
    return result;
}

static int by_value(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left;
    const int32_t b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* What the kernel should make of the values; a reader's own one may not. */
static void expect(tracer *self)
{
    const size_t n = self->shown.num_values;
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_of(self, "histogram"))
            self->expected[self->values[i]]++;
        else
            self->expected[i] = is_of(self, "scan") ? sum : self->values[i];
        sum += self->values[i];
    }
    if (is_of(self, "reduce"))
        self->expected[0] = sum;
    else if (strstr(self->shown.operation, "sort") != NULL)
        qsort(self->expected, n, sizeof *self->expected, by_value);
}

/* Enqueue the call, with standard output going to a file. */
static cli_result run_captured(tracer *self, cl_command_queue queue)
{
    int fd = -1;
    cli_result result = CLI_OK;
    CLI_TRY(temporary_open(&fd));
    const int before = system_capture(fd);
    clprim_status status = before >= 0 ? enqueue(self, queue) : CLPRIM_SUCCESS;
    if (status == CLPRIM_SUCCESS)
        status = (clprim_status)clFinish(queue);
    system_release(before);
    if (before < 0)
        result = cli_refuse("standard output", "cannot be captured");
    else if (status != CLPRIM_SUCCESS)
        result = cli_device_failed("enqueue", status);
    clprim__facts facts = {0};
    size_t got = 0;
    if (result == CLI_OK && clprim__facts_of(&facts, fd))
        self->printed = calloc((size_t)facts.size + 1, 1);
    if (result == CLI_OK &&
        (self->printed == NULL || !clprim__file_read(fd, self->printed, (size_t)facts.size, 0, &got)))
        result = out_of_memory();
    clprim__file_close(fd);
done:
    return result;
}

static cli_result run(tracer *self)
{
    cli_result result = CLI_OK;
    CLI_TRY(make_kernels(self));
    CLI_TRY(begin_plan(self));
    const cl_command_queue queue = clprim_runtime_queue(self->runtime);
    self->shown.device = clprim_runtime_info(self->runtime)->name;
    CLI_TRY(make_arrays(self, queue));
    CLI_TRY(run_captured(self, queue));
    remove_folders(self); /* now: who reads what is printed may stop reading, which ends the process */
    expect(self);
    CLI_CALL(clEnqueueReadBuffer(queue, self->out, CL_TRUE, 0, sizeof self->results, self->results, 0, NULL, NULL));
    if (!recording_read(&self->shown.recording, &self->sites, self->printed))
        return out_of_memory();
    if (self->shown.recording.num_accesses == 0)
        return cli_fail("trace", "the device has printed nothing: %s may lack printf", self->shown.device);
done:
    return result;
}

static void clear(tracer *self)
{
    cli_device_release(self->in);
    cli_device_release(self->out);
    end_plan(self);
    remove_folders(self);
    recording_clear(&self->shown.recording);
    site_list_clear(&self->sites);
    free(self->printed);
    for (size_t i = 0; i < TRACED_MOST_PROGRAMS; i++)
        free(self->shown.programs[i]);
}

/* Pictures and pages. */

/* What a page shows: one variant, or all of a ladder, with the first text between them. */
static cli_result write_page_of(FILE *stream, tracer *self, const char *between)
{
    const cli_result result = run(self);
    if (result != CLI_OK && self->is_refused && self->is_one_of_all) {
        (void)fprintf(stream, "%s", between);
        trace_write_refusal(stream, &self->shown, clprim_last_error());
        return CLI_OK;
    }
    if (result == CLI_OK) {
        (void)fprintf(stream, "%s", between);
        trace_write_json(stream, &self->shown);
    }
    return result;
}

static cli_result write_variants(FILE *stream, const cli_options *options, const char *kernels)
{
    char names[256];
    cli_result result = CLI_OK;
    bool is_first = true;
    (void)snprintf(names, sizeof names, "%s", traceable(options->words[0]));
    for (char *name = strtok(names, " "); name != NULL && result == CLI_OK; name = strtok(NULL, " ")) {
        tracer self = {.options = options, .is_one_of_all = true};
        system_set_variable("CLPRIM_KERNEL_DIR", kernels);
        result = take_arguments(&self, name);
        if (result == CLI_OK)
            result = write_page_of(stream, &self, is_first ? "" : ",\n");
        is_first = false;
        clear(&self);
    }
    return result;
}

extern const char trace_page[]; /* trace_page.html */

static cli_result write_page(const cli_options *options)
{
    static const char MARK[] = "/*TRACES*/";
    const char *mark = strstr(trace_page, MARK);
    const char *given = clprim__environment("CLPRIM_KERNEL_DIR");
    char kernels[PATH_SIZE];
    output out = OUTPUT_NONE;
    tracer self = {.options = options};
    cli_result result = CLI_OK;
    const bool is_all = options->num_words > 1 && strcmp(options->words[1], "all") == 0;
    (void)snprintf(kernels, sizeof kernels, "%s", given != NULL ? given : "");
    CLI_TRY(take_arguments(&self, is_all ? NULL : options->words[1]));
    CLI_TRY(output_open(&out, options->html));
    CLI_TRY(output_stream(&out));
    (void)fprintf(out.stream, "%.*s", (int)(mark - trace_page), trace_page);
    CLI_TRY(is_all ? write_variants(out.stream, options, given != NULL ? kernels : NULL)
                   : write_page_of(out.stream, &self, ""));
    (void)fprintf(out.stream, "%s", mark + sizeof MARK - 1);
    CLI_TRY(output_finish(&out));
done:
    output_abandon(&out);
    clear(&self);
    return result;
}

static cli_result write_picture(const tracer *self)
{
    output out = OUTPUT_NONE;
    cli_result result = CLI_OK;
    CLI_TRY(output_open(&out, self->options->svg));
    CLI_TRY(output_stream(&out));
    trace_write_svg(out.stream, &self->shown);
    CLI_TRY(output_finish(&out));
done:
    output_abandon(&out);
    return result;
}

cli_result cli_trace(const cli_options *options)
{
    tracer self = {.options = options};
    cli_result result = CLI_OK;
    if (options->html != NULL)
        return write_page(options);
    CLI_TRY(take_arguments(&self, options->num_words > 1 ? options->words[1] : ""));
    CLI_TRY(run(&self));
    if (options->svg != NULL)
        result = write_picture(&self);
    else if (options->json) {
        trace_write_json(stdout, &self.shown);
        printf("\n");
    } else
        trace_print_text(&self.shown);
done:
    clear(&self);
    return result;
}
