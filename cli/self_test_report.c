// SPDX-License-Identifier: MIT
/* self_test_report.c: the file of `clprim self-test --report`. */
#include "self_test_report.h"

#include <clprim/version.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json.h"
#include "number.h"
#include "platform.h"

enum { FORMAT = 1, SENTENCES_SIZE = 1 << 16, SENTENCE_SIZE = 2048 };

/* A member of clprim_device_info. */
typedef struct member {
    const char *key;
    size_t at;
} member;

#define MEMBER(name)                                                                                                   \
    {                                                                                                                  \
#name, offsetof(clprim_device_info, name)                                                                      \
    }

static const member texts[] = {MEMBER(name), MEMBER(vendor_name), MEMBER(driver_version), MEMBER(platform_name),
                               MEMBER(platform_version)};
static const member sizes[] = {MEMBER(max_work_group_size), MEMBER(local_memory_size), MEMBER(global_memory_size),
                               MEMBER(max_allocation_size), MEMBER(base_address_alignment)};
static const member numbers[] = {MEMBER(opencl_c_version), MEMBER(compute_units), MEMBER(sub_group_size)};
static const member flags[] = {MEMBER(has_int64_atomics),
                               MEMBER(has_fp64),
                               MEMBER(has_fp16),
                               MEMBER(has_denormals_f32),
                               MEMBER(has_warp_reduction),
                               MEMBER(has_device_fence),
                               MEMBER(has_forward_progress),
                               MEMBER(starts_groups_in_order),
                               MEMBER(is_unified_memory),
                               MEMBER(has_svm),
                               MEMBER(has_system_svm),
                               MEMBER(has_command_buffers),
                               MEMBER(has_native_kernels)};
static const char *const kinds[] = {"other", "CPU", "GPU", "accelerator"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == '~';
}

/* Whether a path begins at the root of a file system, and goes on. */
static bool is_absolute(const char *path)
{
    const size_t root = clprim__root_size(path);
    return root > 0 && clprim__is_separator(path[root - 1]) && path[root] != '\0';
}

/* The length of a directory name at the beginning of the text, if an environment variable names that directory. It may
 * contain spaces, where a path would otherwise end. */
static size_t known_folder(const char *text)
{
    static const char *const names[] = {
        "HOME",         "TMPDIR", "XDG_CACHE_HOME", "POCL_CACHE_DIR",   "USERPROFILE",
        "LOCALAPPDATA", "TEMP",   "CLPRIM_DUMP",    "CLPRIM_CACHE_DIR", "CLPRIM_KERNEL_DIR"};
    size_t longest = 0;
    for (size_t i = 0; i < LENGTH(names); i++) {
        const char *folder = clprim__environment(names[i]);
        const size_t size = folder != NULL && is_absolute(folder) ? strlen(folder) : 0;
        if (size > longest && strncmp(text, folder, size) == 0)
            longest = size;
    }
    return longest;
}

static bool begins_path(const char *p)
{
    return (is_absolute(p) && is_word(p[clprim__root_size(p)])) || (p[0] == '~' && clprim__is_separator(p[1]));
}

/* Remove absolute paths from a text: compilers name their temporary files, which may be in a home directory. */
static void remove_paths(char out[static SENTENCE_SIZE], const char *text)
{
    size_t used = 0;
    for (const char *p = text; *p != '\0' && used + sizeof "(path)" < SENTENCE_SIZE;) {
        const size_t folder = known_folder(p);
        if (folder == 0 && ((p > text && (is_word(p[-1]) || clprim__is_separator(p[-1]))) || !begins_path(p))) {
            out[used++] = *p++;
            continue;
        }
        memcpy(out + used, "(path)", sizeof "(path)" - 1);
        used += sizeof "(path)" - 1;
        p += folder > 0 ? folder : *p == '~' ? 1 : clprim__root_size(p);
        while (is_word(*p) || clprim__is_separator(*p))
            p++;
    }
    out[used] = '\0';
}

static void write_sentence(json *object, const char *key, const char *sentence)
{
    char text[SENTENCE_SIZE];
    remove_paths(text, sentence);
    json_member_text(object, key, text);
}

static void write_number(json *object, const char *key, double number)
{
    char text[NUMBER_TEXT_SIZE];
    number_text(text, CLPRIM_F64, &number);
    json_member_number(object, key, text);
}

/* Write what the library knows about the device. */
static void write_device(FILE *stream, const clprim_device_info *info)
{
    static const char *const vendors[] = {"other", "NVIDIA", "AMD", "Intel", "PoCL", "Mesa"};
    static const char *const means[] = {"none", "ptx", "khr", "intel"};
    const char *base = (const char *)info;
    json object;
    json_begin_in(&object, stream);
    for (size_t i = 0; i < LENGTH(texts); i++)
        json_member_text(&object, texts[i].key, base + texts[i].at);
    json_member_text(&object, "kind", (size_t)info->kind < LENGTH(kinds) ? kinds[info->kind] : "?");
    json_member_text(&object, "vendor", (size_t)info->vendor < LENGTH(vendors) ? vendors[info->vendor] : "?");
    json_member_text(&object, "sub_group_means",
                     (size_t)info->sub_group_means < LENGTH(means) ? means[info->sub_group_means] : "?");
    for (size_t i = 0; i < LENGTH(sizes); i++)
        json_member_count(&object, sizes[i].key, *(const size_t *)(const void *)(base + sizes[i].at));
    for (size_t i = 0; i < LENGTH(numbers); i++)
        json_member_count(&object, numbers[i].key, *(const unsigned *)(const void *)(base + numbers[i].at));
    for (size_t i = 0; i < LENGTH(flags); i++)
        json_member_bool(&object, flags[i].key, *(const bool *)(const void *)(base + flags[i].at));
    (void)fputs("}", stream);
}

/* Write what the driver reports, unchanged. */
static void write_opencl(FILE *stream, cl_device_id device)
{
    static const struct {
        const char *key;
        cl_device_info what;
        bool is_text;
    } rows[] = {{"version", CL_DEVICE_VERSION, true},
                {"c_version", CL_DEVICE_OPENCL_C_VERSION, true},
                {"profile", CL_DEVICE_PROFILE, true},
                {"extensions", CL_DEVICE_EXTENSIONS, true},
                {"address_bits", CL_DEVICE_ADDRESS_BITS, false},
                {"vendor_id", CL_DEVICE_VENDOR_ID, false},
                {"local_memory_type", CL_DEVICE_LOCAL_MEM_TYPE, false},
                {"cache_line", CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, false},
                {"cache_size", CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, false},
                {"clock_mhz", CL_DEVICE_MAX_CLOCK_FREQUENCY, false},
                {"max_parameter_size", CL_DEVICE_MAX_PARAMETER_SIZE, false},
                {"max_constant_size", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, false},
                {"preferred_int_vector", CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, false},
                {"single_fp_config", CL_DEVICE_SINGLE_FP_CONFIG, false}};
    json object;
    json_begin_in(&object, stream);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        union {
            cl_ulong number; /* 4 or 8 bytes, little-endian */
            char text[1 << 14];
        } answer = {.number = 0};
        if (clGetDeviceInfo(device, rows[i].what, sizeof answer - 1, &answer, NULL) != CL_SUCCESS)
            continue;
        if (rows[i].is_text)
            json_member_text(&object, rows[i].key, answer.text);
        else
            json_member_count(&object, rows[i].key, answer.number);
    }
    (void)fputs("}", stream);
}

/* Write environment variables that affect the library. For those that name files, write only whether they are set. */
static void write_environment(FILE *stream)
{
    static const struct {
        const char *name;
        bool is_told;
    } rows[] = {{"CLPRIM_CACHE", true},   {"CLPRIM_CACHE_SIZE", true},  {"CLPRIM_SELF_TEST", true},
                {"CLPRIM_WITHOUT", true}, {"CLPRIM_DEVICE", false},     {"CLPRIM_CACHE_DIR", false},
                {"CLPRIM_DUMP", false},   {"CLPRIM_KERNEL_DIR", false}, {"CLPRIM_TRACE", false},
                {"CLPRIM_TUNING", false}};
    json object;
    json_begin_in(&object, stream);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *value = getenv(rows[i].name);
        if (value != NULL && value[0] != '\0')
            write_sentence(&object, rows[i].name, rows[i].is_told ? value : "is set");
    }
    (void)fputs("}", stream);
}

cli_result self_test_report_open(self_test_report *out, const cli_options *options, const clprim_runtime *runtime)
{
    char version[32];
    json object;
    int fd = -1;
    cli_result result = CLI_OK;
    *out = SELF_TEST_REPORT_NONE;
    if (options->report == NULL)
        return CLI_OK;
    CLI_TRY(output_open(&out->file, options->report));
    CLI_TRY(output_stream(&out->file));
    out->runtime = runtime;
    CLI_TRY(temporary_open(&fd));
    out->speeds_stream = fdopen(fd, "w+b");
    if (out->speeds_stream == NULL)
        return cli_refuse("self-test", "out of memory");
    (void)snprintf(version, sizeof version, "%d.%d.%d", CLPRIM_VERSION_MAJOR, CLPRIM_VERSION_MINOR,
                   CLPRIM_VERSION_PATCH);
    json_begin_in(&object, out->file.stream);
    json_member_count(&object, "report", FORMAT);
    json_member_text(&object, "clprim", version);
    json_member_bool(&object, "quick", options->quick);
    json_member_bool(&object, "again", options->again);
    json_member_text(&object, "primitive", options->primitive != NULL ? options->primitive : "");
    json_key(&object, "device");
    write_device(out->file.stream, clprim_runtime_info(runtime));
    json_key(&object, "opencl");
    write_opencl(out->file.stream, clprim_runtime_info(runtime)->device);
    json_key(&object, "environment");
    write_environment(out->file.stream);
    (void)fputs(", \"plans\": [", out->file.stream);
done:
    return result;
}

void self_test_report_plan(self_test_report *self, const clprim_self_test_record *record, const char *outcome)
{
    FILE *stream = self->file.stream;
    json object;
    if (stream == NULL)
        return;
    (void)fputs(self->numbers[0] + self->numbers[1] + self->numbers[2] > 0 ? ",\n" : "\n", stream);
    self->numbers[record->outcome]++;
    json_begin_in(&object, stream);
    json_member_text(&object, "primitive", record->primitive);
    json_member_text(&object, "variant", record->variant);
    json_member_text(&object, "plan", record->plan);
    json_member_text(&object, "outcome", outcome);
    write_sentence(&object, "why", record->why);
    (void)fputs("}", stream);
}

void self_test_report_speed(self_test_report *self, const clprim_self_test_speed *speed)
{
    json object;
    if (self->speeds_stream == NULL)
        return;
    (void)fputs(self->num_speeds++ > 0 ? ",\n" : "\n", self->speeds_stream);
    json_begin_in(&object, self->speeds_stream);
    json_member_text(&object, "primitive", speed->primitive);
    json_member_text(&object, "variant", speed->variant);
    json_member_text(&object, "plan", speed->plan);
    json_member_count(&object, "count", speed->count);
    write_number(&object, "seconds", speed->seconds);
    write_number(&object, "elements_per_second", (double)speed->count / speed->seconds);
    (void)fputs("}", self->speeds_stream);
}

/* Write the variants that the library disabled, one sentence per line. */
static void write_set_aside(FILE *stream, const clprim_runtime *runtime)
{
    char *all = calloc(1, SENTENCES_SIZE);
    char text[SENTENCE_SIZE];
    if (all != NULL)
        (void)clprim_runtime_set_aside(runtime, all, SENTENCES_SIZE);
    (void)fputs(", \"set_aside\": [", stream);
    char *rest = NULL;
    for (char *line = all != NULL ? strtok_r(all, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        (void)fputs(line == all ? "\n" : ",\n", stream);
        remove_paths(text, line);
        json_text(stream, text);
    }
    (void)fputs("]", stream);
    free(all);
}

cli_result self_test_report_finish(self_test_report *self, const char *error)
{
    FILE *stream = self->file.stream;
    json object;
    if (stream == NULL)
        return CLI_OK;
    const clprim_program_stats programs = clprim_runtime_program_stats(self->runtime);
    (void)fputs("],\n\"speeds\": [", stream);
    rewind(self->speeds_stream);
    for (int c = 0; (c = fgetc(self->speeds_stream)) != EOF;)
        (void)fputc(c, stream);
    if (ferror(self->speeds_stream) != 0)
        return temporary_failed();
    (void)fputs("]", stream);
    write_set_aside(stream, self->runtime);
    (void)fputs(",\n\"numbers\": ", stream);
    json_begin_in(&object, stream);
    json_member_count(&object, "right", self->numbers[CLPRIM_SELF_TEST_RIGHT]);
    json_member_count(&object, "wrong", self->numbers[CLPRIM_SELF_TEST_WRONG]);
    json_member_count(&object, "unsupported", self->numbers[CLPRIM_SELF_TEST_UNSUPPORTED]);
    json_member_count(&object, "programs_built", programs.built);
    json_member_count(&object, "programs_from_disk", programs.from_disk);
    json_member_count(&object, "programs_rejected", programs.rejected);
    json_member_count(&object, "cache_problems", clprim_runtime_cache_problem(self->runtime, NULL, 0));
    json_member_count(&object, "tuning_problems", clprim_runtime_tuning_problems(self->runtime, NULL, 0));
    (void)fputs("}", stream);
    write_sentence(&object, "error", error != NULL ? error : "");
    (void)fputs("}\n", stream);
    return output_finish(&self->file);
}

void self_test_report_abandon(self_test_report *self)
{
    output_abandon(&self->file);
    if (self->speeds_stream != NULL)
        (void)fclose(self->speeds_stream);
    *self = SELF_TEST_REPORT_NONE;
}
