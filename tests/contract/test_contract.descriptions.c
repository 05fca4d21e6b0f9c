/* test_contract.descriptions.c: whatever a description may have wrong is refused by create and by run, with the right
 * status and a sentence that names the member; nothing is written. What only one operation can have wrong is tested with
 * that operation. */
#include <limits.h>

#include "contract.h"

enum { COUNT = 20 };

/* A call of each of an operation's samples. */
typedef struct sample_calls {
    test_call all[CLPRIM__TRIAL_MAX_SAMPLES];
    size_t count;
} sample_calls;

/* Calls try(samples) for each operation. */
static void for_each_operation(void (*try)(const sample_calls *samples))
{
    static sample_calls samples;
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++) {
        samples.count = 0;
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subjects[i]->sample_names[s] != NULL; s++)
            samples.count += contract_create(&samples.all[samples.count], runtime, subjects[i], s, 0, COUNT, 4);
        cr_assert_gt(samples.count, 0, "%s refuses all samples", subjects[i]->stem);
        try(&samples);
        while (samples.count > 0)
            test_call_destroy(&samples.all[--samples.count]);
    }
    clprim_runtime_destroy(runtime);
}

/* The sentence has the name, or for a type one of its words: "unknown type 12", "counters are U32 or U64". */
static bool is_named(const char *name)
{
    const char *type = strstr(name, "_type");
    char word[32] = {0};
    if (strstr(clprim_last_error(), name) != NULL || (type != NULL && strstr(clprim_last_error(), "type") != NULL))
        return true;
    memcpy(word, name, type != NULL && (size_t)(type - name) < sizeof word ? (size_t)(type - name) : 0);
    return word[0] != '\0' && strstr(clprim_last_error(), word) != NULL;
}

/* False if the description is taken; else it is refused like this. */
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
    cr_assert_eq((int)status, (int)expected, "%s: %s: %s: %s", self->name, culprit, clprim_status_string(status),
                 clprim_last_error());
    cr_assert(is_named(culprit), "%s: %s is not named in: %s", self->name, culprit, clprim_last_error());
    if (expected == CLPRIM_BUILD_FAILED)
        return true; /* run makes its plan in the same way: once is enough for what takes long */
    other.desc = *wrong;
    const test_struct call = test_call_on_host(self);
    ASSERT_STATUS(test_call_run(&other, &call), expected);
    test_call_expect_on_host(self, culprit, false);
    return true;
}

/* With one sample at least: others may have no use for the member. */
static void refuse_value(const sample_calls *samples, const clprim_member *m, size_t value)
{
    bool any = false;
    for (size_t s = 0; s < samples->count; s++) {
        test_struct wrong = samples->all[s].desc;
        memcpy(wrong.bytes + m->place, &value, m->size); /* little-endian */
        any = is_refused(&samples->all[s], &wrong, CLPRIM_INVALID_ARGUMENT, m->name) || any;
    }
    cr_assert(any, "%s: %s may be %zu", samples->all[0].face->name, m->name, value);
}

/* What no operation takes for a member of that name. */
static const struct {
    const char *name;
    size_t value;
} values[] = {
    {"work_group_size", 3},     {"work_group_size", 48},      {"work_group_size", SIZE_MAX},
    {"value_size", 3},          {"value_size", 32},           {"items_per_work_item", 1025},
    {"index_type", CLPRIM_I32}, {"index_type", CLPRIM_U16},   {"index_type", CLPRIM_F32},
    {"index_type", CLPRIM_I64}, {"offsets_type", CLPRIM_I32},
};

static void refuse_values(const sample_calls *samples)
{
    for (const clprim_member *m = samples->all[0].face->desc_members; m->name != NULL; m++) {
        if (m->kind == CLPRIM_MEMBER_TYPE)
            refuse_value(samples, m, CLPRIM_TYPE_END);
        for (const clprim_enumerator *e = m->enumerators; e != NULL && e->name != NULL; e++)
            if (e[1].name == NULL)
                refuse_value(samples, m, (size_t)e->value + 1);
        if (m->kind == CLPRIM_MEMBER_TYPE || m->kind == CLPRIM_MEMBER_ENUM) {
            refuse_value(samples, m, INT_MAX);
            refuse_value(samples, m, (size_t)-1);
        }
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            if (strcmp(values[i].name, m->name) == 0)
                refuse_value(samples, m, values[i].value);
    }
}

Test(contract_descriptions, values, .timeout = 600)
{
    for_each_operation(refuse_values);
}

/* False if there is no such member. */
static bool set(test_struct *desc, const clprim_operation *face, const char *name, const void *value)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0) {
            memcpy(desc->bytes + m->place, value, m->size);
            return true;
        }
    return false;
}

/* Texts that are wrong; `text` stands in the place of each member that is an expression. */
static const struct {
    const char *text, *source, *type_name;
    size_t type_size;
    clprim_status status;
    const char *culprit; /* NULL: the expression's member */
} texts[] = {
    {"a << < b", NULL, NULL, 0, CLPRIM_BUILD_FAILED, NULL},
    {"1", "typedef int fine;\ntypedef nothing broken;", NULL, 0, CLPRIM_BUILD_FAILED, "source:2"},
    {"1", "typedef struct { int x; } t;", "t", 8, CLPRIM_BUILD_FAILED, "type_size"},
    {"1", NULL, "t", 0, CLPRIM_INVALID_ARGUMENT, "type_size"},
    {"1", NULL, NULL, 4, CLPRIM_INVALID_ARGUMENT, "type_size"},
};

/* `desc` takes texts for the member. */
static void refuse_texts_of(const test_call *self, const test_struct *desc, const clprim_member *m)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        test_struct wrong = *desc;
        (void)set(&wrong, self->face, m->name, &texts[i].text);
        if ((texts[i].source != NULL && !set(&wrong, self->face, "source", &texts[i].source)) ||
            (texts[i].type_name != NULL && !set(&wrong, self->face, "type_name", &texts[i].type_name)) ||
            (texts[i].type_size != 0 && !set(&wrong, self->face, "type_size", &texts[i].type_size)))
            continue;
        cr_assert(is_refused(self, &wrong, texts[i].status, texts[i].culprit != NULL ? texts[i].culprit : m->name),
                  "%s: %s: text %zu is taken", self->name, m->name, i);
    }
}

/* Where the caller's way of doing something is one of several, it is the one that is asked for. */
static void choose_custom(test_struct *desc, const clprim_operation *face)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        for (const clprim_enumerator *e = m->enumerators; e != NULL && e->name != NULL; e++)
            if (strcmp(e->name, "custom") == 0)
                memcpy(desc->bytes + m->place, &e->value, m->size);
}

/* Each member that is an expression, with the first sample that takes a text for it. */
static void refuse_texts(const sample_calls *samples)
{
    static const char *const right = "1";
    const clprim_operation *face = samples->all[0].face;
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        bool takes =
            m->kind != CLPRIM_MEMBER_TEXT || strcmp(m->name, "source") == 0 || strcmp(m->name, "type_name") == 0;
        for (size_t s = 0; s < samples->count && !takes; s++) {
            const test_call *self = &samples->all[s];
            test_struct desc = self->desc;
            clprim_plan *plan = NULL;
            choose_custom(&desc, face);
            (void)set(&desc, face, m->name, &right);
            takes = face->create(&plan, self->runtime, desc.bytes) == CLPRIM_SUCCESS;
            clprim_plan_destroy(plan);
            if (takes)
                refuse_texts_of(self, &desc, m);
        }
        cr_assert(takes, "%s: no sample takes %s: %s", face->name, m->name, clprim_last_error());
    }
}

Test(contract_descriptions, texts, .timeout = 600)
{
    for_each_operation(refuse_texts);
}

/* Operators of the caller's that are wrong. */
static void refuse_operators(const sample_calls *samples)
{
    static const struct {
        clprim_custom_op custom;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.identity = "0"}, CLPRIM_INVALID_ARGUMENT, "combine"},
        {{.combine = "a + b"}, CLPRIM_INVALID_ARGUMENT, "identity"},
        {{.combine = "a + missing", .identity = "0"}, CLPRIM_BUILD_FAILED, "combine"},
        {{.combine = "a + b", .identity = "missing"}, CLPRIM_BUILD_FAILED, "identity"},
        {{.combine = "a", .identity = "a", .type_name = "t"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.combine = "a", .identity = "0", .source = "typedef nothing;;; x"}, CLPRIM_BUILD_FAILED, "source"},
    };
    const test_call *self = &samples->all[0];
    for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++)
        for (size_t i = 0; m->kind == CLPRIM_MEMBER_CUSTOM_OP && i < sizeof rows / sizeof *rows; i++) {
            test_struct wrong = self->desc;
            const clprim_custom_op *custom = &rows[i].custom;
            memcpy(wrong.bytes + m->place, &custom, sizeof custom);
            cr_assert(is_refused(self, &wrong, rows[i].status, rows[i].culprit), "%s: operator %zu is taken",
                      self->name, i);
        }
}

Test(contract_descriptions, operators, .timeout = 600)
{
    for_each_operation(refuse_operators);
}

/* More elements than an index says; a type of the caller's, or declarations, without an order of them. */
static void refuse_combinations(const sample_calls *samples)
{
    static const char *const source = "typedef int t;", *const type_name = "int";
    static const size_t most = SIZE_MAX, type_size = sizeof(int);
    const test_call *self = &samples->all[0];
    const clprim_operation *face = self->face;
    test_struct wrong;
    bool has_index = false;
    bool any = false;
    for (size_t s = 0; s < samples->count; s++) {
        const clprim_type index_type = CLPRIM_U32;
        wrong = samples->all[s].desc;
        has_index = set(&wrong, face, "index_type", &index_type) && set(&wrong, face, "max_count", &most);
        any = any || (has_index && is_refused(&samples->all[s], &wrong, CLPRIM_INVALID_ARGUMENT, "index_type"));
    }
    cr_assert_eq(any, has_index, "%s: 2^64 elements with 32-bit indices", self->name);
    wrong = self->desc;
    if (set(&wrong, face, "less", &(const char *){NULL}) && set(&wrong, face, "source", &source))
        cr_assert(is_refused(self, &wrong, CLPRIM_INVALID_ARGUMENT, "source"), "%s: source alone", self->name);
    wrong = self->desc;
    if (set(&wrong, face, "less", &(const char *){NULL}) && set(&wrong, face, "type_name", &type_name) &&
        set(&wrong, face, "type_size", &type_size))
        cr_assert(is_refused(self, &wrong, CLPRIM_INVALID_ARGUMENT, "less"), "%s: a type without less", self->name);
}

Test(contract_descriptions, combinations, .timeout = 600)
{
    for_each_operation(refuse_combinations);
}
