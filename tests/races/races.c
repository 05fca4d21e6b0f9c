/* races.c: every kernel of every variant on Oclgrind, which sees each access to memory: races between work-items and
 * between work-groups, and what is out of bounds. A plain program, since Oclgrind runs one process.
 *
 *     oclgrind --data-races --check-api --log LOG races STEM LOG
 *
 * Each variant is called in each of the rounds, by descriptions made from the operation's table (descs.c). After each
 * call the program looks whether Oclgrind wrote anything into its log: that is a failure, but for what `exceptions`
 * allow; and results are compared with the reference. A variant that is never called is a failure, too,
 * unless `exceptions` say why, and so is a member of the description that no call has changed. STEM "planted" proves
 * that mistakes are found. CLPRIM_TEST_FULL: all rounds.
 * Ends with 77 (to be skipped) on any other device. */
#include "races.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, EXCERPT = 1600 };

/* Exceptions. A row that is not needed any more is a failure. */
typedef struct exception {
    const char *stem, *variant, *reason;
    const char *kernel,
        *file; /* of findings that are meant: read-write races alone, in this kernel and file alone; NULL:
                                * the variant cannot be run on Oclgrind */
} exception;

static const exception exceptions[] = {
    /* Oclgrind knows no order between work-groups, whatever their atomics. */
    {"top_k", "radix_select",
     "the group that takes the last ticket replaces what all have read before they took theirs, with fences between",
     "top_k_count", "kernels/top_k/parts/search.cl"},
    {"histogram", "sub_group_tagged", "Oclgrind has no sub-groups; what is meant there are races within one", NULL,
     NULL},
};

/* Operations in which groups of one launch wait for each other, by counters between fences. Oclgrind sees no order in
 * that: in turn there are no fences, or no more elements than one pass takes. */
static const char *const one_pass[] = {"bitonic_sort", "comparison_sort"};

static const exception *find_exception(const char *stem, const char *variant, bool is_meant)
{
    for (const exception *row = exceptions; row < exceptions + sizeof exceptions / sizeof *exceptions; row++)
        if (strcmp(row->stem, stem) == 0 && strcmp(row->variant, variant) == 0 && (row->kernel != NULL) == is_meant)
            return row;
    return NULL;
}

static const char *log_path;

/* What is in the log, which a new context begins anew; NULL: nothing. */
static const char *log_text(void)
{
    static char text[1 << 22];
    FILE *file = fopen(log_path, "r");
    const size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    if (file == NULL)
        return errno != ENOENT ? "the log cannot be read" : NULL;
    fclose(file);
    return size > 0 ? text : NULL;
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

enum { ONE_PASS = 64, MAX_VARIANTS = 16 };

/* In turn plain, with text where the operation takes some, and between them with what else can be changed. */
static const races_round rounds[] = {
    {.name = "plain", .count = 401},
    {.name = "in place", .count = 300, .skip = 1, .is_in_place = true, .without = "device_fence"},
    {.name = "text", .count = 260, .skip = 1, .pattern = 1},
    {.name = "descending", .count = 250, .skip = 3, .pattern = 3, .without = "int64_atomics"},
    {.name = "other types", .count = 350},
    {.name = "tuned", .count = 9002, .skip = 2, .is_full = true, .without = "device_fence"},
    {.name = "tuned, in place", .count = 9001, .skip = 1, .is_in_place = true, .is_full = true},
    {.name = "tuned, text", .count = 5000, .pattern = 1, .is_full = true, .without = "int64_atomics"},
    {.name = "tuned, few", .count = 1025, .pattern = 3, .is_full = true},
    {.name = "one", .count = 1, .is_full = true},
    {.name = "none", .count = 0, .is_full = true},
};

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
    return runtime;
}

/* One call, judged, to sum. False where the variant cannot do it. *is_excused: it had what `excuse` allows. */
static bool run_one(tally *sum, races_call *call, const char *variant, const exception *excuse, bool *is_excused)
{
    char name[TEST_NAME_SIZE];
    call->runtime = make_runtime(call->without);
    call->trial.runtime = call->runtime;
    clprim_runtime_set_trace(call->runtime, count_kernel, &sum->kernels);
    clprim_status status = races_make(call);
    const bool can = !races_is_refused(status);
    if (status == CLPRIM_SUCCESS)
        status = races_enqueue(call);
    const char *found = log_text();
    if (found != NULL && excuse != NULL && is_meant(excuse, found)) {
        *is_excused = true;
        found = NULL;
    }
    if (found != NULL || (can && (status != CLPRIM_SUCCESS || call->is_wrong))) {
        test_describe(name, call->subject->operation->face, &call->desc.given);
        printf("%s (%s), %s: %s\n%.*s\n", name,
               call->plan != NULL && call->plan->variant != NULL ? call->plan->variant->name : variant,
               call->round->name,
               !can                       ? "refused"
               : status != CLPRIM_SUCCESS ? clprim_last_error()
               : call->is_wrong           ? "WRONG"
                                          : "right, but",
               EXCERPT, found != NULL ? found : "");
        sum->failed++;
    }
    clprim_plan_destroy(call->plan);
    clprim__trial_clear(&call->trial);
    clprim_runtime_destroy(call->runtime);
    sum->calls += can;
    return can;
}

/* An exception that is not needed, or that is missing; and what one allows is told. */
static void judge_exception(tally *sum, const char *stem, const char *variant, const exception *row, bool is_needed,
                            const char *problem, const char *told)
{
    if (is_needed != (row != NULL))
        printf("%s, %s: %s\n", stem, variant, row != NULL ? "its row in `exceptions` is not needed" : problem);
    else if (row != NULL)
        printf("%s, %s: %s: %s\n", stem, variant, told, row->reason);
    sum->failed += is_needed != (row != NULL);
}

/* is_given[i]: a call has changed the description's member i. */
static void run_variant(tally *sum, bool *is_given, const clprim__trial_subject *subject,
                        const clprim_variant_info *variant, bool is_full)
{
    const exception *excuse = find_exception(subject->stem, variant->name, true);
    const exception *obstacle = find_exception(subject->stem, variant->name, false);
    bool is_reached = subject->variants == NULL; /* whose variants are another operation's */
    bool is_excused = false;
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        races_call call = {
            .subject = subject, .round = &rounds[i], .number = i, .variant = variant->id, .without = rounds[i].without};
        if (rounds[i].is_full && !is_full)
            continue;
        for (size_t k = 0; k < sizeof one_pass / sizeof *one_pass; k++)
            if (strcmp(one_pass[k], subject->stem) == 0 && i % 2 == 0)
                call.without = "device_fence";
            else if (strcmp(one_pass[k], subject->stem) == 0)
                call.most = ONE_PASS;
        is_reached = run_one(sum, &call, variant->name, excuse, &is_excused) || is_reached;
        for (size_t m = 0; m < call.desc.num_members; m++)
            is_given[call.desc.members[m] - subject->operation->face->desc_members] = true;
    }
    judge_exception(sum, subject->stem, variant->name, obstacle, !is_reached, "no call reaches it", "not run");
    judge_exception(sum, subject->stem, variant->name, excuse, is_excused, "", "found, and meant");
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
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        clprim_runtime *runtime = make_runtime(NULL);
        const cl_int code = run_planted(runtime, planted[i].source);
        const char *text = log_text();
        const bool found = code == CL_SUCCESS && text != NULL && strstr(text, planted[i].message) != NULL;
        printf("%s: %s\n", planted[i].name, code != CL_SUCCESS ? "cannot be run" : found ? "found" : "NOT FOUND");
        if (!found)
            printf("%s\n", text != NULL ? text : "");
        sum->failed += !found;
        sum->calls++;
        sum->kernels++;
        clprim_runtime_destroy(runtime);
    }
}

/* All variants: of an operation whose variants are those of what it is built on, those that its plans have. */
static void run_stem(tally *sum, const clprim__trial_subject *subject, bool is_full)
{
    bool is_given[RACES_MAX_MEMBERS] = {false};
    size_t count = 0;
    const clprim_variant_info *variants = subject->variants != NULL ? subject->variants(&count) : NULL;
    for (size_t v = 0; v < count; v++)
        run_variant(sum, is_given, subject, &variants[v], is_full);
    for (int id = 1; variants == NULL && id < MAX_VARIANTS; id++)
        run_variant(sum, is_given, subject, &(clprim_variant_info){.id = id, .name = "?"}, is_full);
    const clprim_member *members = subject->operation->face->desc_members;
    for (size_t m = 0; members[m].name != NULL; m++)
        if (races_knows(&members[m]) && !is_given[m]) {
            printf("%s: no call changes %s\n", subject->stem, members[m].name);
            sum->failed++;
        }
}

int main(int argc, char **argv)
{
    const char *full = getenv("CLPRIM_TEST_FULL");
    const bool is_full = full != NULL && *full != '\0' && strcmp(full, "0") != 0;
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
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
    for (size_t i = 0; i < count; i++)
        if (strcmp(subjects[i]->stem, argv[1]) == 0)
            run_stem(&sum, subjects[i], is_full);
    if (sum.calls == 0) {
        printf("%s: is no operation\n", argv[1]);
        sum.failed++;
    }
    printf("%s: %zu calls, %zu launches, %zu failed\n", argv[1], sum.calls, sum.kernels, sum.failed);
    return sum.failed > 0;
}
