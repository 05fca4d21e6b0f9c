// SPDX-License-Identifier: MIT
/* sweep.c: run an operation again and again, making each of its calls fail once. */
#include "sweep.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

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

enum {
    MANY = 20000, /* more calls than any operation makes */
    SAMPLED = 40, /* in a quick run, this many of an operation's first calls fail, and then every STEP-th: */
    STEP = 5,     /* compiling kernels again after each fault takes minutes on some drivers */
    GROUPS = FAULTS_FILES + 1
};

/* How many faults this process has injected, and in how many operations. */
static unsigned injected[GROUPS], operations;

static void tell(void)
{
    printf("faults in %u operations: %u, %u calls of OpenCL, %u allocations, %u calls of files\n", operations,
           injected[FAULTS_OPENCL] + injected[FAULTS_MEMORY] + injected[FAULTS_FILES], injected[FAULTS_OPENCL],
           injected[FAULTS_MEMORY], injected[FAULTS_FILES]);
}

TestSuite(faults, .init = faults_forget, .fini = tell, .timeout = 1700);

/* Count the faults that were injected into an operation. An operation with the same name as the previous one is counted
 * once. */
static void tally(const sweep *s, faults_group group, unsigned count)
{
    static char last[256];
    operations += strncmp(last, s->name, sizeof last - 1) != 0;
    (void)snprintf(last, sizeof last, "%s", s->name);
    injected[group] += count;
}

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    while (list != NULL && (strncmp(list, name, length) != 0 || (list[length] != ' ' && list[length] != '\0'))) {
        list = strchr(list, ' ');
        if (list != NULL)
            list++;
    }
    return list != NULL;
}

/* Set the last error to a sentence that no test expects. */
static void forget_last_error(void)
{
    (void)clprim_runtime_create(NULL, NULL);
}

static bool has_sentence(const sweep *s, faults_group group, clprim_status status, const faults_report *report)
{
    const char *said = clprim_last_error();
    if (group == FAULTS_MEMORY)
        return strstr(said, "host memory") != NULL;
    if (status == CLPRIM_BUILD_FAILED)
        return strstr(said, "did not compile") != NULL;
    if (status == s->instead)
        return said[0] != '\0' && strstr(said, "clprim_runtime_create: out") == NULL;
    return strstr(said, report->is_lost ? "cl" : report->name) != NULL &&
           strstr(said, clprim_status_string(status)) != NULL;
}

/* Check the status and the error sentence of an operation in which a call failed. */
static bool judge(const sweep *s, const faults_order *order, clprim_status status, const faults_report *report)
{
    if (status == CLPRIM_SUCCESS)
        return is_listed(s->tolerated, report->name) || sweep_wrong("its failure goes unnoticed");
    if (order->group == FAULTS_FILES && status != s->instead)
        return sweep_wrong("the operation fails: %s", clprim_last_error());
    const bool is_right = order->group == FAULTS_MEMORY
                              ? status == CLPRIM_OUT_OF_MEMORY
                              : (int)status == order->code || status == s->instead ||
                                    (order->code == CL_BUILD_PROGRAM_FAILURE && status == CLPRIM_BUILD_FAILED);
    if (!is_right)
        return sweep_wrong("the status is %s (%s)", clprim_status_string(status), clprim_last_error());
    return has_sentence(s, order->group, status, report) || sweep_wrong("the sentence is \"%s\"", clprim_last_error());
}

/* Run the operation and all checks that follow it, with a fault or without one. */
static bool attempt(const sweep *s, const faults_order *order, faults_report *report)
{
    static const char nobody; /* the address of no object */
    const void *const untouched = &nobody;
    if (s->prepare != NULL)
        s->prepare(s->self);
    if (s->out != NULL)
        memcpy(s->out, &untouched, sizeof untouched);
    forget_last_error();
    faults_arm(order);
    const clprim_status status = s->run(s->self);
    *report = faults_disarm();
    if (order->at != 0)
        (void)snprintf(fault, sizeof fault, "call %u, %s (%zu)%s", order->at,
                       report->name != NULL ? report->name : "no fault", report->index,
                       order->is_forever ? " and all that follow" : "");
    bool good = report->name != NULL       ? judge(s, order, status, report)
                : status != CLPRIM_SUCCESS ? sweep_wrong("fails without a fault: %s", clprim_last_error())
                                           : true;
    if (s->out != NULL && (memcmp(s->out, &untouched, sizeof untouched) == 0) == (status == CLPRIM_SUCCESS))
        good = sweep_wrong("*out was %swritten", status == CLPRIM_SUCCESS ? "not " : "");
    if (s->out != NULL && memcmp(s->out, &untouched, sizeof untouched) == 0)
        memset(s->out, 0, sizeof untouched);
    if (s->finish != NULL)
        s->finish(s->self);
    if (good && status == CLPRIM_SUCCESS && s->is_right != NULL)
        good = s->is_right(s->self);
    if (good && status != CLPRIM_SUCCESS && s->is_kept != NULL)
        good = s->is_kept(s->self, report);
    if (s->clear != NULL)
        s->clear(s->self);
    return good;
}

/* True if the operation finished without reaching the fault, or if something is wrong. */
static bool try_one(const sweep *s, faults_order *order)
{
    static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
                                   CL_DEVICE_NOT_AVAILABLE, CL_INVALID_EVENT};
    const faults_order none = {.group = order->group};
    faults_report report, unused;
    order->code = s->code != 0 ? s->code : codes[order->at % (sizeof codes / sizeof *codes)];
    bool good = attempt(s, order, &report);
    if (good)
        good = (s->recover != NULL ? s->recover(s->self) : attempt(s, &none, &unused)) ||
               sweep_wrong("the next call is not right");
    if (!good) {
        char what[1024];
        (void)snprintf(what, sizeof what, "%.1000s", sentence);
        (void)snprintf(sentence, sizeof sentence, "%s, %s: %s", s->name, fault, what);
    }
    return !good || report.name == NULL;
}

const char *sweep_run(const sweep *s)
{
    sentence[0] = '\0';
    for (unsigned way = SWEEP_CALLS; way <= SWEEP_FILES && sentence[0] == '\0'; way *= 2) {
        faults_order order = {.group = way == SWEEP_MEMORY  ? FAULTS_MEMORY
                                       : way == SWEEP_FILES ? FAULTS_FILES
                                                            : FAULTS_OPENCL,
                              .at = 1,
                              .is_forever = way == SWEEP_LOST};
        if (((s->ways != 0 ? s->ways : SWEEP_CALLS) & way) == 0)
            continue;
        while (order.at < MANY && !try_one(s, &order))
            order.at += test_is_quick() && order.at >= SAMPLED ? STEP : 1;
        if (order.at >= MANY)
            (void)sweep_wrong("%s: comes to no end", s->name);
        if (order.at == 1 && !s->may_make_none)
            (void)sweep_wrong("%s: no call was made to fail", s->name);
        if (!s->is_planted)
            tally(s, order.group, order.at - 1);
    }
    return sentence[0] != '\0' ? sentence : NULL;
}

const char *sweep_leaks(const faults_balance *before)
{
    char what[1024];
    const faults_balance now = faults_held();
    sentence[0] = '\0';
    if (now.excess > 0)
        (void)sweep_wrong("references were given up that nobody held: %zu", now.excess);
    faults_describe(what, sizeof what);
    if (now.objects != before->objects || now.blocks != before->blocks)
        (void)sweep_wrong("references %zu, not %zu; blocks of memory %zu, not %zu: %s", now.objects, before->objects,
                          now.blocks, before->blocks, what);
    return sentence[0] != '\0' ? sentence : NULL;
}

void sweep_expect(const sweep *s)
{
    const char *wrong = sweep_run(s);
    cr_assert_null(wrong, "%s", wrong);
}

void sweep_expect_no_leaks(void)
{
    const char *wrong = sweep_leaks(&(faults_balance){0});
    cr_assert_null(wrong, "%s", wrong);
}
