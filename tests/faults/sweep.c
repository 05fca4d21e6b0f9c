/* sweep.c: run an operation with every one of its calls failing in turn. */
#include "sweep.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tally.h"

enum { MANY = 20000 /* calls: more than any operation makes */ };

static char sentence[2048];
static char fault[128];

const char *sweep_fault(void)
{
    return fault;
}

bool sweep_wrong(const char *format, ...)
{
    va_list args;
    if (sentence[0] != '\0')
        return false;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return false;
}

static bool is_listed(const char *const *list, const char *name)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* Another sentence than any that is expected. */
static void forget_last_error(void)
{
    (void)clprim_runtime_create(NULL, NULL);
}

static bool has_sentence(const sweep *s, clprim_status status, const faults_report *report)
{
    const char *said = clprim_last_error();
    if (s->group == FAULTS_MEMORY)
        return strstr(said, "host memory") != NULL;
    if (status == CLPRIM_BUILD_FAILED)
        return strstr(said, "did not compile") != NULL;
    if (status == s->instead)
        return said[0] != '\0' && strstr(said, "clprim_runtime_create: out") == NULL;
    return strstr(said, s->is_forever ? "cl" : report->name) != NULL &&
           strstr(said, clprim_status_string(status)) != NULL;
}

/* Status and sentence of a call of which a part failed. */
static bool judge(const sweep *s, clprim_status status, cl_int code, const faults_report *report)
{
    if (status == CLPRIM_SUCCESS)
        return is_listed(s->tolerated, report->name) || sweep_wrong("its failure goes unnoticed");
    if (s->group == FAULTS_FILES && status != s->instead)
        return sweep_wrong("the operation fails: %s", clprim_last_error());
    const bool is_right = s->group == FAULTS_MEMORY
                              ? status == CLPRIM_OUT_OF_MEMORY
                              : (int)status == code || (s->instead != CLPRIM_SUCCESS && status == s->instead) ||
                                    (code == CL_BUILD_PROGRAM_FAILURE && status == CLPRIM_BUILD_FAILED);
    if (!is_right)
        return sweep_wrong("the status is %s (%s)", clprim_status_string(status), clprim_last_error());
    return has_sentence(s, status, report) || sweep_wrong("the sentence is \"%s\"", clprim_last_error());
}

/* True where the operation is through without a fault, or something is wrong. */
static bool try_one(const sweep *s, unsigned at)
{
    static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
                                   CL_DEVICE_NOT_AVAILABLE, CL_INVALID_EVENT};
    const cl_int code = s->code != 0 ? s->code : codes[at % (sizeof codes / sizeof *codes)];
    const faults_order order = {.group = s->group, .at = at, .code = code, .is_forever = s->is_forever};
    if (s->prepare != NULL)
        s->prepare(s->self);
    forget_last_error();
    faults_arm(&order);
    const clprim_status status = s->run(s->self);
    const faults_report report = faults_disarm();
    (void)snprintf(fault, sizeof fault, "call %u, %s (%zu)%s", at, report.name != NULL ? report.name : "no fault",
                   report.index, s->is_forever ? " and all that follow" : "");
    bool good = report.name == NULL
                    ? status == CLPRIM_SUCCESS || sweep_wrong("fails without a fault: %s", clprim_last_error())
                    : judge(s, status, code, &report);
    if (s->finish != NULL)
        s->finish(s->self);
    if (good && status == CLPRIM_SUCCESS && s->is_right != NULL)
        good = s->is_right(s->self);
    if (good && status != CLPRIM_SUCCESS && s->is_kept != NULL)
        good = s->is_kept(s->self, &report);
    if (good && s->recover != NULL)
        good = s->recover(s->self) || sweep_wrong("the next call is not right");
    if (!good) {
        char what[1024];
        (void)snprintf(what, sizeof what, "%.1000s", sentence);
        (void)snprintf(sentence, sizeof sentence, "%s, %s: %s", s->name, fault, what);
    }
    return !good || report.name == NULL;
}

const char *sweep_run(const sweep *s, unsigned *calls)
{
    unsigned at = 1;
    sentence[0] = '\0';
    while (at < MANY && !try_one(s, at))
        at++;
    if (calls != NULL)
        *calls = at - 1;
    if (!s->is_planted)
        tally_add(s->name, s->group, at - 1);
    if (at == MANY)
        (void)sweep_wrong("%s: comes to no end", s->name);
    return sentence[0] != '\0' ? sentence : NULL;
}

const char *sweep_leaks(const char *name, size_t objects, size_t blocks)
{
    char what[1024];
    sentence[0] = '\0';
    if (faults_excess() > 0)
        (void)sweep_wrong("%s: references were given up that nobody held: %zu", name, faults_excess());
    if (faults_objects() != objects || faults_blocks() != blocks) {
        faults_describe(what, sizeof what);
        (void)sweep_wrong("%s: references %zu, not %zu; blocks of memory %zu, not %zu: %s", name, faults_objects(),
                          objects, faults_blocks(), blocks, what);
    }
    return sentence[0] != '\0' ? sentence : NULL;
}

void sweep_expect(const sweep *s)
{
    unsigned calls = 0;
    const char *wrong = sweep_run(s, &calls);
    cr_assert_null(wrong, "%s", wrong);
    cr_assert_gt(calls, 0, "%s: no call was made to fail", s->name);
}

void sweep_expect_no_leaks(const char *name)
{
    const char *wrong = sweep_leaks(name, 0, 0);
    cr_assert_null(wrong, "%s", wrong);
}
