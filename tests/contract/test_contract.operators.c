/* test_contract.operators.c: a caller's own operator, in all descriptions that have one: its texts are the library's own
 * copies; one with a mistake is refused in a sentence that names the text and its line. */
#include "contract.h"

static const clprim_member *member_named(const clprim_operation *face, const char *name)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

/* A zeroed description with this operator. */
static test_struct desc_with(const clprim_operation *face, const clprim_custom_op *op)
{
    test_struct desc = {.bytes = {0}};
    memcpy(desc.bytes + member_named(face, "custom")->place, &op, sizeof op);
    return desc;
}

static void expect_refusal(clprim_runtime *runtime, const clprim_operation *face, const test_struct *desc,
                           clprim_status expected, const char *word)
{
    clprim_plan *plan = NULL;
    ASSERT_STATUS(face->create(&plan, runtime, desc->bytes), expected);
    cr_assert_null(plan);
    cr_assert_not_null(strstr(clprim_last_error(), word), "%s: \"%s\" does not say \"%s\"", face->name,
                       clprim_last_error(), word);
}

/* What was wrong leaves nothing behind, and what was right may go: MAX by a text is MAX. */
static void call_with_own_maximum(clprim_runtime *runtime, const clprim_operation *face)
{
    char combine[] = "max(a, b)";
    char identity[] = "INT_MIN";
    const clprim_op maximum = CLPRIM_MAX;
    clprim_custom_op op = {.combine = combine, .identity = identity};
    const test_struct desc = desc_with(face, &op);
    const test_struct none = {.bytes = {0}};
    test_call self;
    cr_assert(test_call_create(&self, runtime, face, desc.bytes));
    memset(combine, '?', sizeof combine);
    memset(identity, '?', sizeof identity);
    memset(&op, 0xff, sizeof op);
    self.desc = none; /* what the reference knows it by */
    memcpy(self.desc.bytes + member_named(face, "op")->place, &maximum, sizeof maximum);
    contract_fill(&self, 5000, 7);
    test_call_check(&self, "maxima by the caller's text");
    test_call_destroy(&self);
}

static bool call_with_own_operator(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                                   int variant)
{
    static const struct {
        clprim_custom_op op;
        clprim_status expected;
        const char *word;
    } rows[] = {
        {{.combine = "a + missing", .identity = "0"}, CLPRIM_BUILD_FAILED, "combine:1"},
        {{.combine = "\na +\n missing", .identity = "0"}, CLPRIM_BUILD_FAILED, "combine:3"},
        {{.combine = "a + b", .identity = "missing"}, CLPRIM_BUILD_FAILED, "identity:1"},
        {{.source = "typedef int fine;\ntypedef missing broken;", .combine = "a + b", .identity = "0"},
         CLPRIM_BUILD_FAILED,
         "source:2"},
        {{.source = "typedef struct { int least, greatest; uint count; } range;",
          .type_name = "range",
          .type_size = 16,
          .combine = "a",
          .identity = "(range){0}"},
         CLPRIM_BUILD_FAILED,
         "type_size"},
        {{.identity = "0"}, CLPRIM_INVALID_ARGUMENT, "combine"},
        {{.combine = "a + b"}, CLPRIM_INVALID_ARGUMENT, "identity"},
        {{.combine = "a + b", .identity = "0", .type_size = 4}, CLPRIM_INVALID_ARGUMENT, "type_name"},
        {{.combine = "a + b", .identity = "0", .type_name = "int"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
    };
    const clprim_operation *face = subject->operation->face;
    (void)sample, (void)variant;
    if (member_named(face, "custom") == NULL)
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const test_struct desc = desc_with(face, &rows[i].op);
        expect_refusal(runtime, face, &desc, rows[i].expected, rows[i].word);
    }
    const clprim_type unknown = CLPRIM_TYPE_END;
    test_struct desc = desc_with(face, &(const clprim_custom_op){.combine = "a + b", .identity = "0"});
    memcpy(desc.bytes + member_named(face, "type")->place, &unknown, sizeof unknown);
    expect_refusal(runtime, face, &desc, CLPRIM_INVALID_ARGUMENT, "type");
    call_with_own_maximum(runtime, face);
    return true;
}

Test(contract_operators, own_operators, .timeout = 240)
{
    contract_for_operations(call_with_own_operator);
}
