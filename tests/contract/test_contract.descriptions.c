// SPDX-License-Identifier: MIT
/* test_contract.descriptions.c: any error in a description must be refused by create and by run, with the right status
 * and a sentence that names the member; nothing may be written. Errors that only one operation can have are tested with
 * that operation. */
#include <stdio.h>

#include "contract.h"

enum { COUNT = 20 };

/* A call of each of an operation's samples. */
typedef struct sample_calls {
    test_call all[CLPRIM__TRIAL_MAX_SAMPLES];
    size_t count;
} sample_calls;

/* Whether the sentence contains the name or, for a type, one of its words: "unknown type 12", "counter_type must be U32
 * or U64". */
static bool is_named(const char *name)
{
    const char *type = strstr(name, "_type");
    char word[32] = {0};
    if (strstr(clprim_last_error(), name) != NULL || (type != NULL && strstr(clprim_last_error(), "type") != NULL))
        return true;
    memcpy(word, name, type != NULL && (size_t)(type - name) < sizeof word ? (size_t)(type - name) : 0);
    return word[0] != '\0' && strstr(clprim_last_error(), word) != NULL;
}

/* Returns false if the description is accepted; otherwise, checks how it is refused. */
static bool is_refused(const test_call *self, const test_struct *wrong, clprim_status expected, const char *culprit)
{
    clprim_plan *plan = NULL;
    test_call other = *self;
    const clprim_status status = self->face->create(&plan, self->runtime, wrong->bytes);
    if (status == CLPRIM_SUCCESS) {
        clprim_plan_destroy(plan);
        return false;
    }
    cr_assert_null(plan, "%s: a plan of a description that is refused", self->name);
    test_expect_status(status, expected, "", self->name);
    cr_assert(is_named(culprit), "%s: %s is not named in: %s", self->name, culprit, clprim_last_error());
    if (expected == CLPRIM_BUILD_FAILED)
        return true; /* run makes its plan in the same way, so once is enough */
    other.desc = *wrong;
    const test_struct call = test_call_on_host(self);
    ASSERT_STATUS(test_call_run(&other, &call), expected);
    test_call_expect_on_host(self, culprit, false);
    return true;
}

/* At least one sample must refuse the value: others may not use the member. */
static void refuse_value(const sample_calls *samples, const clprim_member *m, size_t value)
{
    bool any = false;
    for (size_t s = 0; s < samples->count; s++) {
        test_struct wrong = samples->all[s].desc;
        memcpy(wrong.bytes + m->place, &value, test_member_width(m)); /* little-endian */
        any = is_refused(&samples->all[s], &wrong, CLPRIM_INVALID_ARGUMENT, m->name) || any;
    }
    cr_assert(any, "%s: %s may be %zu", samples->all[0].face->name, m->name, value);
}

/* Values that no operation accepts for a member of that name. */
static const struct {
    const char *name;
    size_t value;
} values[] = {
    {"work_group_size", 3},
    {"work_group_size", 48},
    {"work_group_size", SIZE_MAX},
    {"value_size", 3},
    {"value_size", 32},
    {"items_per_work_item", 1025},
    {"index_type", CLPRIM_I32},
    {"index_type", CLPRIM_U16},
    {"index_type", CLPRIM_F32},
    {"index_type", CLPRIM_I64},
    {"offsets_type", CLPRIM_I32},
    {"count_at_type", CLPRIM_I32},
    {"count_at_type", CLPRIM_I64},
    {"count_at_type", CLPRIM_U16},
    {"count_at_type", CLPRIM_F64},
};

static void refuse_values(const sample_calls *samples)
{
    for (const clprim_member *m = samples->all[0].face->desc_members; m->name != NULL; m++) {
        const bool is_variant =
            strcmp(m->name, "variant") == 0; /* the first number after them may be in another table */
        for (size_t i = is_variant ? 1 : 0; i < TEST_WRONG_VALUES; i++)
            if (m->kind == CLPRIM_MEMBER_TYPE || m->kind == CLPRIM_MEMBER_ENUM)
                refuse_value(samples, m, (size_t)test_wrong_value(samples->all[0].face, m, i));
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            if (strcmp(values[i].name, m->name) == 0)
                refuse_value(samples, m, values[i].value);
    }
}

/* Texts with errors; `text` is used for each member that is an expression. */
static const struct {
    const char *text, *source, *type_name;
    size_t type_size;
    clprim_status status;
    const char *culprit; /* NULL: the member of the expression */
} texts[] = {
    {"a << < b", NULL, NULL, 0, CLPRIM_BUILD_FAILED, NULL},
    {"\n1 +", NULL, NULL, 0, CLPRIM_BUILD_FAILED, NULL}, /* the error is where something is missing */
    {"1", "typedef int fine;\ntypedef nothing broken;", NULL, 0, CLPRIM_BUILD_FAILED, "source:2"},
    {"1", "typedef struct { int x; } t;", "t", 8, CLPRIM_BUILD_FAILED, "type_size"},
    {"1", NULL, "t", 0, CLPRIM_INVALID_ARGUMENT, "type_size"},
    {"1", NULL, NULL, 4, CLPRIM_INVALID_ARGUMENT, "type_size"},
};

/* The sentence must name the line of the member, or of the first of its texts. NULL: it need not. */
static void expect_place(const clprim_member *m, size_t line)
{
    char place[64] = "";
    if (m != NULL)
        (void)snprintf(place, sizeof place, "%s%s:%zu:", m->name, m->size > sizeof(char *) ? "_0" : "", line);
    cr_assert_not_null(strstr(clprim_last_error(), place), "no %s in %s", place, clprim_last_error());
}

/* Refuse errors in the texts of a member; `desc` accepts texts for it. */
static void refuse_texts_of(const test_call *self, const test_struct *desc, const clprim_member *m)
{
    const clprim_member *members = self->face->desc_members;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        test_struct wrong = *desc;
        if (strcmp(m->name, "then") == 0 && (texts[i].type_name != NULL || texts[i].type_size != 0))
            continue; /* additional keys have built-in types */
        memcpy(wrong.bytes + m->place, &texts[i].text, test_member_width(m));
        if ((texts[i].source != NULL && !test_put(&wrong, members, "source", (uintptr_t)texts[i].source)) ||
            (texts[i].type_name != NULL && !test_put(&wrong, members, "type_name", (uintptr_t)texts[i].type_name)) ||
            (texts[i].type_size != 0 && !test_put(&wrong, members, "type_size", texts[i].type_size)))
            continue;
        cr_assert(is_refused(self, &wrong, texts[i].status, texts[i].culprit != NULL ? texts[i].culprit : m->name),
                  "%s: %s: text %zu is taken", self->name, m->name, i);
        const size_t line = 1 + (texts[i].text[0] == '\n');
        expect_place(texts[i].status == CLPRIM_BUILD_FAILED && texts[i].culprit == NULL ? m : NULL, line);
    }
}

/* If the caller's own way is one of several, choose it. */
static void choose_custom(test_struct *desc, const clprim_operation *face)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        for (const clprim_enumerator *e = m->enumerators; e != NULL && e->name != NULL; e++)
            if (strcmp(e->name, "custom") == 0)
                memcpy(desc->bytes + m->place, &e->value, test_member_width(m));
}

/* Set additional dimensions of a histogram whose first dimension is an expression, too. */
static void give_dimensions(test_struct *desc, const clprim_operation *face, bool is_third, uintptr_t right)
{
    const clprim_member *members = face->desc_members;
    test_put(desc, members, "input", right);
    test_put(desc, members, "second_input", right);
    test_put(desc, members, "second_bins", 2);
    test_put(desc, members, "third_bins", is_third ? 2 : 0);
}

/* Test each member that is an expression with the first sample that accepts a text for it. */
static void refuse_texts(const sample_calls *samples)
{
    static const char *const right = "1";
    static const char *const needed[] = {"less", "bin_of", "combine",
                                         "predicate"}; /* only with a type or a mapping of the caller */
    const clprim_operation *face = samples->all[0].face;
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        bool takes = m->kind != CLPRIM_MEMBER_TEXT || strcmp(m->name, "source") == 0 ||
                     strcmp(m->name, "options") == 0 || strstr(m->name, "type_name") != NULL;
        for (size_t s = 0; s < samples->count && !takes; s++) {
            const test_call *self = &samples->all[s];
            test_struct desc = self->desc;
            clprim_plan *plan = NULL;
            choose_custom(&desc, face);
            for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
                test_put(&desc, face->desc_members, needed[i], (uintptr_t)right);
            if (strcmp(m->name, "then") == 0) { /* only after a first key, and without an order of the caller */
                test_put(&desc, face->desc_members, "input", (uintptr_t)right);
                test_put(&desc, face->desc_members, "less", 0);
            }
            if (strcmp(m->name, "second_input") == 0 || strcmp(m->name, "third_input") == 0)
                give_dimensions(&desc, face, m->name[0] == 't', (uintptr_t)right);
            memcpy(desc.bytes + m->place, &right, test_member_width(m));
            takes = face->create(&plan, self->runtime, desc.bytes) == CLPRIM_SUCCESS;
            clprim_plan_destroy(plan);
            if (takes)
                refuse_texts_of(self, &desc, m);
        }
        cr_assert(takes, "%s: no sample takes %s: %s", face->name, m->name, clprim_last_error());
    }
}

/* `parameters` is the name of the first one. */
static bool put(test_struct *out, const clprim_operation *face, const char *name, uint64_t value)
{
    const clprim_member *m = test_member(face->desc_members, name);
    if (m == NULL || m->kind != CLPRIM_MEMBER_PARAMETER)
        return test_put(out, face->desc_members, name, value);
    ((clprim_parameter *)(void *)(out->bytes + m->place))->name = (const char *)(uintptr_t)value;
    return true;
}

/* Members that are wrong together, for operations that have all of them: more elements than an index can count; a
 * caller's type, declarations or parameters without an order; members of outputs without an output, or only half of
 * them; operators, if the message names the text and its line. */
static void refuse_combinations(const sample_calls *samples)
{
#define OPERATOR(...)                                                                                                  \
    "custom", (uintptr_t) & (const clprim_custom_op)                                                                   \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
    enum { MOST = 4 };
    const struct {
        clprim_status status;
        const char *culprit;
        struct {
            const char *name;
            uint64_t value;
        } members[MOST];
    } rows[] = {
        {CLPRIM_INVALID_ARGUMENT, "index_type", {{"index_type", CLPRIM_U32}, {"max_count", SIZE_MAX}}},
        {CLPRIM_INVALID_ARGUMENT, "source", {{"less", 0}, {"source", (uintptr_t) "typedef int t;"}}},
        {CLPRIM_INVALID_ARGUMENT, "less", {{"less", 0}, {"type_name", (uintptr_t) "int"}, {"type_size", sizeof(int)}}},
        {CLPRIM_INVALID_ARGUMENT, "less", {{"less", 0}, {"parameters", (uintptr_t) "a"}}},
        {CLPRIM_INVALID_ARGUMENT,
         "less",
         {{"less", 0}, {"input", (uintptr_t) "0"}, {"type_name", (uintptr_t) "span"}, {"type_size", 8}}},
        {CLPRIM_INVALID_ARGUMENT, "without an output", {{"output_type", CLPRIM_F32}}},
        {CLPRIM_INVALID_ARGUMENT, "without an output", {{"output_type_size", 4}}},
        {CLPRIM_INVALID_ARGUMENT,
         "without an output",
         {{"output_type_name", (uintptr_t) "int"}, {"output_type_size", 4}}},
        {CLPRIM_INVALID_ARGUMENT,
         "has no type_size",
         {{"output", (uintptr_t) "r"}, {"output_type_name", (uintptr_t) "int"}}},
        {CLPRIM_INVALID_ARGUMENT, "unknown type", {{"output", (uintptr_t) "r"}, {"output_type", CLPRIM_TYPE_END}}},
        {CLPRIM_INVALID_ARGUMENT, "takes no output", {{"output", (uintptr_t) "r"}, {"op", CLPRIM_ARGMIN}}},
        {CLPRIM_BUILD_FAILED, "output:1", {{"output", (uintptr_t) "nothing[i]"}}},
        {CLPRIM_INVALID_ARGUMENT, "type", {{OPERATOR(.combine = "a", .identity = "0")}, {"type", CLPRIM_TYPE_END}}},
        {CLPRIM_INVALID_ARGUMENT, "combine", {{OPERATOR(.identity = "0")}}},
        {CLPRIM_BUILD_FAILED, "combine:1", {{OPERATOR(.combine = "a + missing", .identity = "0")}}},
        {CLPRIM_BUILD_FAILED, "combine:3", {{OPERATOR(.combine = "\na +\n missing", .identity = "0")}}},
        {CLPRIM_BUILD_FAILED, "identity:1", {{OPERATOR(.combine = "a + b", .identity = "missing")}}},
        {CLPRIM_BUILD_FAILED,
         "source:2",
         {{OPERATOR(.combine = "a", .identity = "0", .source = "typedef int fine;\ntypedef missing broken;")}}},
        {CLPRIM_BUILD_FAILED,
         "type_size",
         {{OPERATOR(.combine = "a", .identity = "(t){0}", .source = "typedef struct { int x[3]; } t;", .type_name = "t",
                    .type_size = 16)}}},
        {CLPRIM_INVALID_ARGUMENT, "type_name", {{OPERATOR(.combine = "a", .identity = "a", .type_size = 4)}}},
        {CLPRIM_INVALID_ARGUMENT, "type_size", {{OPERATOR(.combine = "a", .identity = "a", .type_name = "t")}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool has_them = true;
        bool any = false;
        for (size_t s = 0; s < (i == 0 ? samples->count : 1); s++) { /* not all samples have indices */
            test_struct wrong = samples->all[s].desc;
            for (size_t k = 0; k < MOST && rows[i].members[k].name != NULL; k++)
                has_them =
                    put(&wrong, samples->all[s].face, rows[i].members[k].name, rows[i].members[k].value) && has_them;
            any = (has_them && is_refused(&samples->all[s], &wrong, rows[i].status, rows[i].culprit)) || any;
        }
        cr_assert_eq(any, has_them, "%s: combination %zu is taken", samples->all[0].face->name, i);
    }
}

/* Key types are for keys that are ordered. Like any other type, each operation must refuse them by name, or accept
 * them. */
static void check_key_types(const test_call *self)
{
    static const char *const ordered[] = {"radix_sort", "sort_by_key",     "comparison_sort", "bitonic_sort",
                                          "merge",      "search",          "is_sorted",       "set_operation",
                                          "top_k",      "segmented_top_k", "segmented_sort",  "nth_element"};
    bool takes_keys = false;
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++)
        takes_keys = takes_keys || strcmp(ordered[i], self->face->name) == 0;
    for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++) {
        test_struct desc = self->desc;
        clprim_plan *plan = NULL;
        const clprim_type type = CLPRIM_BF16;
        const bool is_key = takes_keys && (strcmp(m->name, "type") == 0 || strcmp(m->name, "key_type") == 0);
        if (m->kind != CLPRIM_MEMBER_TYPE || strcmp(m->name, "then_types") == 0)
            continue;
        memcpy(desc.bytes + m->place, &type, sizeof type);
        if (is_key)
            test_expect_status(self->face->create(&plan, self->runtime, desc.bytes), CLPRIM_SUCCESS, "", self->name);
        else
            test_refuse(self->runtime, self->face, desc.bytes, CLPRIM_INVALID_ARGUMENT, "");
        clprim_plan_destroy(plan);
    }
}

CONTRACT_TEST(contract_descriptions, key_types, CONTRACT_OPERATIONS, COUNT, 4)
{
    check_key_types(self);
}

CONTRACT_TEST(contract_descriptions, wrong, CONTRACT_OPERATIONS, COUNT, 4)
{
    static sample_calls samples;
    const clprim__trial_subject *subject = self->plan->subject;
    for (size_t s = 0; s < test_num_samples(subject); s++)
        samples.count += contract_create(&samples.all[samples.count], self->runtime, subject, s, 0, COUNT, 4);
    refuse_values(&samples);
    refuse_texts(&samples);
    refuse_combinations(&samples);
    while (samples.count > 0)
        test_call_destroy(&samples.all[--samples.count]);
}
