/* test_contract.c: the tables themselves: what they say of the structs is so, nothing is left out, and variants work.
 */
#include <stdio.h>

#include "contract.h"

/* In the order of their structs, within them, named once; summaries are lines. */
static void check_members(const clprim_operation *face, const clprim_member *members, size_t size, bool is_call)
{
    size_t end = 0;
    for (const clprim_member *m = members; m->name != NULL; m++) {
        const bool is_array = m->kind == CLPRIM_MEMBER_INPUT || m->kind == CLPRIM_MEMBER_OUTPUT;
        const size_t repeat = m->repeat > 0 ? m->repeat : 1;
        cr_assert(m->place >= end, "%s: %s is listed behind a later member", face->name, m->name);
        end = m->place + m->size;
        cr_assert(end <= size, "%s: %s ends behind its struct", face->name, m->name);
        cr_assert(m->summary != NULL && m->summary[0] != '\0' && strchr(m->summary, '\n') == NULL, "%s: %s", face->name,
                  m->name);
        cr_assert(is_call || !is_array, "%s: %s", face->name, m->name);
        cr_assert(!is_array || (m->element != NULL && m->length != NULL && m->size == repeat * sizeof(clprim_array)),
                  "%s: %s", face->name, m->name);
        cr_assert(m->kind != CLPRIM_MEMBER_DATA || (m->element != NULL && m->length != NULL), "%s: %s", face->name,
                  m->name);
        cr_assert(m->kind != CLPRIM_MEMBER_ENUM || m->enumerators != NULL || strcmp(m->name, "variant") == 0,
                  "%s: %s has no enumerators", face->name, m->name);
    }
    /* no member that the table has not: what is behind the last one is padding */
    cr_assert(size - end < sizeof(void *), "%s: the last member ends at %zu of %zu bytes", face->name, end, size);
}

Test(contract, tables)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    for (size_t i = 0; i < count; i++) {
        const clprim_operation *face = operations[i];
        cr_assert(face->desc_size <= CLPRIM__MAX_DESC && face->call_size <= CLPRIM__MAX_CALL, "%s", face->name);
        check_members(face, face->desc_members, face->desc_size, false);
        check_members(face, face->call_members, face->call_size, true);
        for (size_t k = 0; k < i; k++)
            cr_assert_str_neq(face->name, operations[k]->name);
    }
}

Test(contract, variants_describe_themselves)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        if (operations[i]->variants == NULL)
            continue;
        const clprim_variant_info *variants = operations[i]->variants(&num_variants);
        cr_assert_gt(num_variants, 0);
        for (size_t v = 0; v < num_variants; v++) {
            cr_assert(variants[v].id > 0 && strlen(variants[v].name) > 0 && strlen(variants[v].summary) > 0 &&
                          strlen(variants[v].origin) > 0 && variants[v].needs != NULL,
                      "%s: variant %zu", operations[i]->name, v);
            for (size_t k = 0; k < v; k++) /* in the order of the enumerators */
                cr_assert(variants[v].id > variants[k].id && strcmp(variants[v].name, variants[k].name) != 0,
                          "%s: %s twice", operations[i]->name, variants[v].name);
        }
    }
}

/* Calls of one plan, of different numbers of elements, that share its memory: in turn on two queues, without waiting.
 * Each runs by itself first: PoCL 3.1 aborts now and then where a kernel's first run with a number of groups is not its
 * only one. */
static void call_without_waiting(const test_call *first, const clprim__trial_subject *subject, size_t sample,
                                 int variant)
{
    enum { CALLS = 4, ROUNDS = 3 };
    static const size_t counts[CALLS] = {3000, 1, 900, 2500};
    const cl_command_queue queues[] = {test_queue(first->runtime, 0),
                                       test_queue(first->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    test_call calls[CALLS];
    for (size_t i = 0; i < CALLS; i++)
        cr_assert(contract_create(&calls[i], first->runtime, subject, sample, variant, counts[i], 80 + i));
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < CALLS; i++)
            test_call_reset(&calls[i]);
        for (size_t i = 0; i < CALLS; i++) {
            ASSERT_OK(first->face->enqueue(first->plan, queues[(i + round) % 2], calls[i].call.bytes, 0, NULL, NULL));
            if (round == 0)
                ASSERT_CL(clFinish(queues[i % 2]));
        }
        ASSERT_CL(clFinish(queues[0]));
        ASSERT_CL(clFinish(queues[1]));
        for (size_t i = 0; i < CALLS; i++)
            test_call_expect_right(&calls[i], round == 0 ? "one by one" : "without waiting");
    }
    for (size_t i = 0; i < CALLS; i++)
        test_call_destroy(&calls[i]);
    ASSERT_CL(clReleaseCommandQueue(queues[0]));
    ASSERT_CL(clReleaseCommandQueue(queues[1]));
}

/* Each variant with the first sample that it takes; one that takes none is named, unless it says what the device must
 * have. */
static void call_variants(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    size_t count = 0;
    if (sample > 0 || subject->variants == NULL)
        return;
    const clprim_variant_info *variants = subject->variants(&count);
    for (size_t v = 0; v < count; v++) {
        bool works = false;
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[s] != NULL && !works; s++) {
            test_call self;
            works = contract_create(&self, runtime, subject, s, variants[v].id, 3000, 70 + v);
            if (!works)
                continue;
            cr_assert_eq(clprim_plan_variant(self.plan)->id, variants[v].id);
            ASSERT_OK(test_call_enqueue(&self, &self.call));
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            test_call_expect_right(&self, variants[v].name);
            call_without_waiting(&self, subject, s, variants[v].id);
            test_call_destroy(&self);
        }
        cr_assert(works || variants[v].needs[0] != '\0', "%s: %s refuses all samples: %s", subject->stem,
                  variants[v].name, clprim_last_error());
    }
}

Test(contract, variants_work, .timeout = 1700)
{
    contract_for_all(call_variants);
}
