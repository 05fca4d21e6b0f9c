/* races.c: every kernel of every variant on Oclgrind, which sees each access to memory: races between work-items and
 * between work-groups, and what is out of bounds. Plain C on the public headers, since Oclgrind runs one process.
 *
 *     oclgrind --data-races --check-api --log LOG races STEM LOG
 *
 * After each call the program looks whether Oclgrind wrote anything into its log: that is a failure, but for what is in
 * `meant` with its reason; and results are compared with the reference. A variant that no row reaches is a failure,
 * too, unless `unreached` says why. STEM "planted" proves that mistakes are found. CLPRIM_TEST_FULL: all rows.
 * Ends with 77 (to be skipped) on any other device. */
#include "races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SKIPPED = 77, POISON = 0xa5, EXCERPT = 1600, MAX_CASES = 32 };

/* Exceptions. A row that is not needed any more is a failure. */
typedef struct exception {
    const char *stem;
    const char *variant;
    const char *reason;
    const char *kernel; /* of findings that are meant: of the kernel's, read-write races alone, in this file alone */
    const char *file;
} exception;

/* Findings that are meant. Oclgrind knows no order between work-groups, whatever their atomics. */
static const exception meant[] = {
    {"top_k", "radix_select",
     "the group that takes the last ticket replaces what all have read before they took theirs, with fences between",
     "top_k_count", "kernels/top_k/search.cl"},
    {NULL, NULL, NULL, NULL, NULL}};

/* Variants that cannot be run on Oclgrind. */
static const exception unreached[] = {{"histogram", "sub_group_tagged",
                                       "Oclgrind has no sub-groups; what is meant there are races within one", NULL,
                                       NULL},
                                      {NULL, NULL, NULL, NULL, NULL}};

static const exception *find_exception(const exception *list, const char *stem, const char *variant)
{
    for (; list->stem != NULL; list++)
        if (strcmp(list->stem, stem) == 0 && strcmp(list->variant, variant) == 0)
            return list;
    return NULL;
}

/* The log */

static const char *log_path;
static long log_seen;

/* What was written since the last look, to be freed; NULL: nothing. A new context begins the log anew. */
static char *log_growth(void)
{
    struct stat facts;
    const long size = stat(log_path, &facts) == 0 ? (long)facts.st_size : 0;
    const size_t growth = size > log_seen ? (size_t)(size - log_seen) : 0;
    FILE *file = growth > 0 ? fopen(log_path, "r") : NULL;
    char *text = file != NULL ? calloc(1, growth + 1) : NULL;
    if (text != NULL && (fseek(file, log_seen, SEEK_SET) != 0 || fread(text, 1, growth, file) != growth))
        (void)strcpy(text, "the log cannot be read");
    if (file != NULL)
        fclose(file);
    if (growth > 0 && text == NULL) {
        fprintf(stderr, "races: %s cannot be read\n", log_path);
        exit(1);
    }
    log_seen = size;
    return text;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* Every finding is one of those that the row names: both of what meets is where it says. */
static bool is_meant(const exception *row, const char *text)
{
    char kernel[128];
    const size_t findings = occurrences(text, "\tKernel: ");
    (void)snprintf(kernel, sizeof kernel, "\tKernel: %s\n", row->kernel);
    return occurrences(text, "Read-write data race at ") == findings && occurrences(text, kernel) == findings &&
           occurrences(text, "entity:") == 2 * findings && occurrences(text, row->file) == 2 * findings &&
           strstr(text, "Invalid") == NULL && strstr(text, "rror") == NULL;
}

/* What calls share */

const char races_item_source[] = "typedef struct { uint key, id, sum; } record;";
const char races_item_less[] = "a.key < b.key || (a.key == b.key && a.id < b.id)";

bool races_item_before(const void *a, const void *b)
{
    const races_item *x = a;
    const races_item *y = b;
    return x->key < y->key || (x->key == y->key && x->id < y->id);
}

void *races_memory(races_call *call, size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    if (memory == NULL || call->num_memory == RACES_MAX_BUFFERS) {
        fputs("races: no memory\n", stderr);
        exit(1);
    }
    call->memory[call->num_memory++] = memory;
    return memory;
}

size_t races_size(const races_call *call)
{
    return call->how->order == RACES_STRUCT ? sizeof(races_item) : clprim_type_size(call->how->type);
}

void races_fill(void *out, size_t bytes, uint32_t seed)
{
    uint8_t *byte = out;
    for (size_t i = 0; i < bytes; i++) {
        seed = seed * 1664525U + 1013904223U; /* Numerical Recipes */
        byte[i] = (uint8_t)(seed >> 24);
    }
}

/* In its lower 2 bytes each element has a number of its own. */
void *races_elements(races_call *call, clprim_type type, races_order order, size_t count, uint32_t seed)
{
    const size_t size = order == RACES_STRUCT ? sizeof(races_item) : clprim_type_size(type);
    uint8_t *out = races_memory(call, count * size);
    races_fill(out, count * size, seed);
    for (size_t i = 0; i < count; i++) {
        const uint16_t own = (uint16_t)((i + seed) * 40503U);
        races_item *item = (races_item *)out + i;
        if (order == RACES_STRUCT)
            *item = (races_item){item->key % 97, (uint32_t)i * 7919U % 65536U, item->sum};
        else if (size > 1)
            memcpy(out + i * size, &own, sizeof own);
    }
    return out;
}

/* In order, where a stem takes what is. */
void races_sort(races_call *call, void *data, size_t count)
{
    const clprim_reference_comparison_how how = {.type = call->how->type,
                                                 .before = call->how->order == RACES_STRUCT ? races_item_before : NULL,
                                                 .size = call->how->order == RACES_STRUCT ? sizeof(races_item) : 0,
                                                 .descending = call->how->descending};
    (void)clprim_reference_comparison_sort(data, NULL, &how, count);
}

cl_mem races_buffer(races_call *call, const void *data, size_t size, size_t count)
{
    const size_t before = call->how->skip * size;
    const size_t bytes = before + count * size;
    uint8_t *all = races_memory(call, bytes);
    cl_int code = CL_SUCCESS;
    memset(all, POISON, bytes);
    if (data != NULL)
        memcpy(all + before, data, count * size);
    cl_mem buffer =
        clCreateBuffer(clprim_runtime_context(call->runtime), CL_MEM_READ_WRITE, bytes > 0 ? bytes : 1, NULL, &code);
    if (code == CL_SUCCESS && bytes > 0)
        code = clEnqueueWriteBuffer(clprim_runtime_queue(call->runtime), buffer, CL_TRUE, 0, bytes, all, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        fprintf(stderr, "races: a buffer of %zu bytes: %s\n", bytes, clprim_status_string((clprim_status)code));
        exit(1);
    }
    call->buffers[call->num_buffers++] = buffer;
    return buffer;
}

static bool is_poisoned(const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != POISON)
            return false;
    return true;
}

void races_expect(races_call *call, cl_mem buffer, const void *expected, size_t size, size_t count, const void *data,
                  size_t rest)
{
    const size_t before = call->how->skip * size;
    const size_t bytes = before + (count + rest) * size;
    uint8_t *all = races_memory(call, bytes);
    const uint8_t *behind = all + before + count * size;
    if (bytes > 0 && clEnqueueReadBuffer(clprim_runtime_queue(call->runtime), buffer, CL_TRUE, 0, bytes, all, 0, NULL,
                                         NULL) != CL_SUCCESS)
        call->is_wrong = true;
    if (!is_poisoned(all, before) || memcmp(all + before, expected, count * size) != 0)
        call->is_wrong = true;
    if (data != NULL ? memcmp(behind, (const uint8_t *)data + count * size, rest * size) != 0
                     : !is_poisoned(behind, rest * size))
        call->is_wrong = true;
}

static void give_back(races_call *call)
{
    for (size_t i = 0; i < call->num_buffers; i++)
        (void)clReleaseMemObject(call->buffers[i]);
    for (size_t i = 0; i < call->num_memory; i++)
        free(call->memory[i]);
}

/* The runs */

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct tally {
    size_t calls, kernels, failed;
} tally;

static void count_kernel(void *user, const clprim_trace_record *record)
{
    (void)record;
    ++*(size_t *)user;
}

static clprim_runtime *make_runtime(const char *without)
{
    clprim_runtime *runtime = NULL;
    if (without != NULL)
        (void)setenv("CLPRIM_WITHOUT", without, 1);
    else
        (void)unsetenv("CLPRIM_WITHOUT");
    if (clprim_runtime_create(&runtime, NULL) != CLPRIM_SUCCESS) {
        fprintf(stderr, "races: %s\n", clprim_last_error());
        exit(1);
    }
    log_seen = 0;
    return runtime;
}

/* One call, judged. False where the variant cannot do it. *excused: it had what `excuse` allows. */
static bool run_one(bool *excused, tally *sum, const races_stem *stem, const races_case *how,
                    const clprim_variant_info *variant, const exception *excuse)
{
    races_call call = {.how = how, .variant = variant->id, .runtime = make_runtime(how->without)};
    size_t kernels = 0;
    const double began = seconds();
    clprim_runtime_set_trace(call.runtime, count_kernel, &kernels);
    const clprim_status status = stem->run(&call);
    const bool can = status != CLPRIM_UNSUPPORTED && status != CLPRIM_INVALID_ARGUMENT &&
                     status != CLPRIM_INVALID_OPERATOR; /* what the row asks of this variant */
    char *found = log_growth();
    const bool is_wrong = can && (status != CLPRIM_SUCCESS || call.is_wrong);
    *excused = found != NULL && excuse != NULL && is_meant(excuse, found);
    if (is_wrong || (found != NULL && !*excused)) {
        printf("%s, %s, %s: %s\n%.*s\n", stem->name, variant->name, how->name,
               !can                       ? "refused"
               : status != CLPRIM_SUCCESS ? clprim_last_error()
               : call.is_wrong            ? "WRONG"
                                          : "right, but",
               EXCERPT, found != NULL ? found : "");
        sum->failed++;
    }
    free(found);
    give_back(&call);
    clprim_runtime_destroy(call.runtime);
    if (can && getenv("CLPRIM_RACES_TIMES") != NULL)
        printf("%s, %s, %s: %.1f s\n", stem->name, variant->name, how->name, seconds() - began);
    sum->calls += can;
    sum->kernels += kernels;
    return can;
}

/* is_met[i]: the variant can do row i. */
static void run_variant(tally *sum, bool *is_met, const races_stem *stem, const clprim_variant_info *variant,
                        bool is_full)
{
    const exception *excuse = find_exception(meant, stem->name, variant->name);
    const exception *obstacle = find_exception(unreached, stem->name, variant->name);
    bool is_reached = false;
    bool was_excused = false;
    for (size_t i = 0; i < stem->num_cases; i++) {
        bool excused = false;
        if (!is_full && stem->cases[i].is_full)
            continue;
        if (run_one(&excused, sum, stem, &stem->cases[i], variant, excuse))
            is_reached = is_met[i] = true;
        was_excused = was_excused || excused;
    }
    if (is_reached == (obstacle != NULL) && !(stem->is_borrowed && !is_reached)) {
        printf("%s, %s: %s\n", stem->name, variant->name,
               is_reached ? "is reached: its row in `unreached` is not needed" : "no row reaches it");
        sum->failed++;
    } else if (obstacle != NULL) {
        printf("%s, %s: not run: %s\n", stem->name, variant->name, obstacle->reason);
    }
    if (excuse != NULL && !was_excused) {
        printf("%s, %s: its row in `meant` is not needed\n", stem->name, variant->name);
        sum->failed++;
    } else if (excuse != NULL) {
        printf("%s, %s: found, and meant: %s\n", stem->name, variant->name, excuse->reason);
    }
}

/* Mistakes of each kind, in kernels that are right but for them. */
static const struct planted {
    const char *name;
    const char *message; /* which Oclgrind has for it */
    const char *source;
} planted[] = {
    {"race in a work-group", "race",
     "kernel void k(global uint *p) { local uint t[32]; const uint i = get_local_id(0); t[i] = i; /* no barrier */\n"
     "    p[get_global_id(0)] = t[31 - i]; }"},
    {"race between work-groups", "race",
     "kernel void k(global uint *p) { p[get_local_id(0)] = (uint)get_group_id(0); }"},
    {"a flag that is not atomic", "race",
     "kernel void k(volatile global uint *p) { if (get_global_id(0) == 0) p[1] = 7;\n"
     "    if (get_global_id(0) == 63 && p[1] == 7) p[0] = 1; }"},
    {"write behind a buffer", "Invalid write",
     "kernel void k(global uint *p) { p[get_global_id(0) + 1] = (uint)get_global_id(0); }"},
    {"read before a buffer", "Invalid read",
     "kernel void k(global uint *p) { p[get_global_id(0)] = p[(long)get_global_id(0) - 1]; }"},
    {"write behind a local array", "Invalid write",
     "kernel void k(global uint *p) { local uint t[32]; const uint i = get_local_id(0); t[i + 1] = i;\n"
     "    barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = t[i]; }"},
    {"barrier for some", "divergence",
     "kernel void k(global uint *p) { if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE);\n"
     "    p[get_global_id(0)] = 1; }"},
};

static cl_int run_planted(const clprim_runtime *runtime, const char *source)
{
    const size_t items = 64;
    const size_t group = 32;
    cl_int code = CL_SUCCESS;
    cl_context context = clprim_runtime_context(runtime);
    cl_device_id device = clprim_runtime_device(runtime);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_uint), NULL, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    code = code != CL_SUCCESS ? code : clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = code == CL_SUCCESS ? clCreateKernel(program, "k", &code) : NULL;
    code = code != CL_SUCCESS ? code : clSetKernelArg(kernel, 0, sizeof(cl_mem), (const void *)&memory);
    if (code == CL_SUCCESS) /* fails where Oclgrind stops the kernel */
        (void)clEnqueueNDRangeKernel(clprim_runtime_queue(runtime), kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    (void)clFinish(clprim_runtime_queue(runtime));
    if (kernel != NULL)
        (void)clReleaseKernel(kernel);
    (void)clReleaseProgram(program);
    (void)clReleaseMemObject(memory);
    return code;
}

static void find_planted(tally *sum)
{
    clprim_runtime *runtime = make_runtime(NULL);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        const cl_int code = run_planted(runtime, planted[i].source);
        char *text = log_growth();
        const bool found = text != NULL && strstr(text, planted[i].message) != NULL;
        printf("%s: %s\n", planted[i].name, code != CL_SUCCESS ? "cannot be run" : found ? "found" : "NOT FOUND");
        if (code != CL_SUCCESS || !found) {
            printf("%s\n", text != NULL ? text : "");
            sum->failed++;
        }
        free(text);
        sum->calls++;
        sum->kernels++;
    }
    clprim_runtime_destroy(runtime);
}

/* Whether there is such a stem; all its variants are then run. */
static bool run_stems(tally *sum, const char *name, const races_stem *stems, size_t count, bool is_full)
{
    bool is_known = false;
    for (size_t s = 0; s < count; s++) {
        bool is_met[MAX_CASES] = {false};
        size_t num_variants = 0;
        if (strcmp(stems[s].name, name) != 0)
            continue;
        const clprim_variant_info *variants = stems[s].of->variants(&num_variants);
        for (size_t v = 0; v < num_variants; v++)
            run_variant(sum, is_met, &stems[s], &variants[v], is_full);
        for (size_t i = 0; i < stems[s].num_cases; i++)
            if (!is_met[i] && (is_full || !stems[s].cases[i].is_full)) {
                printf("%s, %s: no variant can do it\n", name, stems[s].cases[i].name);
                sum->failed++;
            }
        is_known = true;
    }
    return is_known;
}

int main(int argc, char **argv)
{
    const char *full = getenv("CLPRIM_TEST_FULL");
    const bool is_full = full != NULL && *full != '\0' && strcmp(full, "0") != 0;
    tally sum = {0};
    if (argc != 3) {
        fputs("races STEM|planted LOG, run by oclgrind\n", stderr);
        return 2;
    }
    clprim_runtime *runtime = make_runtime(NULL);
    const bool is_watched = strcmp(clprim_runtime_info(runtime)->platform_name, "Oclgrind") == 0;
    clprim_runtime_destroy(runtime);
    if (!is_watched) {
        puts("skipped: Oclgrind is not installed (./dev test installs it), or did not run this");
        return SKIPPED;
    }
    log_path = argv[2];
    if (strcmp(argv[1], "planted") == 0)
        find_planted(&sum);
    else if (!run_stems(&sum, argv[1], races_folds, races_num_folds, is_full) &&
             !run_stems(&sum, argv[1], races_sorts, races_num_sorts, is_full) &&
             !run_stems(&sum, argv[1], races_searches, races_num_searches, is_full)) {
        printf("%s: has no table here\n", argv[1]);
        sum.failed++;
    }
    printf("%s: %zu calls, %zu launches, %zu failed\n", argv[1], sum.calls, sum.kernels, sum.failed);
    return sum.failed > 0;
}
