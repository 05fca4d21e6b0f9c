/* test_select.refusals.c: descriptions that make no sense or do not compile. */
#include "call.h"

Test(select_refusals, descriptions_that_make_no_sense)
{
    static const struct {
        clprim_select_desc desc;
        const char *culprit;
    } rows[] = {
        {{.partition = true, .variant = CLPRIM_SELECT_LOOK_BACK}, "partition"},
        {{.partition = true, .predicate = "x > 0", .variant = CLPRIM_SELECT_LOOK_BACK}, "partition"},
        {{.type_name = "int"}, "type_size"}, /* by flags, too */
        {{.type_size = 4}, "type_name"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, &clprim_select_operation, &rows[i].desc, CLPRIM_INVALID_ARGUMENT, rows[i].culprit);
    clprim_runtime_destroy(runtime);
}

/* The compiler's log names the text with the mistake, and its line. */
Test(select_refusals, mistakes_are_located)
{
    static const struct {
        clprim_select_desc desc;
        const char *place;
    } rows[] = {
        {{.predicate = "x > missing"}, "predicate:1"},
        {{.predicate = "\nx >\n missing"}, "predicate:3"},
        {{.predicate = "x > 0;"}, "predicate"},
        {{.predicate = "x.weight > 0"}, "predicate:1"},
        {{.predicate = "fine(x)", .source = "typedef int fine;\ntypedef missing broken;"}, "source:2"},
        {{.source = "typedef missing number;", .type_name = "number", .type_size = 4}, "source:1"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&num_variants);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t v = 0; v <= num_variants; v++) {
            clprim_plan *plan = NULL;
            clprim_select_desc desc = rows[i].desc;
            if (i > 0 && i % (num_variants + 1) != v && !test_is_full()) /* the first by all, the others by one each */
                continue;
            desc.variant = v < num_variants ? (clprim_select_variant)variants[v].id : CLPRIM_SELECT_AUTO;
            const clprim_status status = clprim_select_create(&plan, runtime, &desc);
            cr_assert_null(plan);
            if (status == CLPRIM_UNSUPPORTED)
                continue;
            cr_assert_eq((int)status, (int)CLPRIM_BUILD_FAILED, "row %zu: %s", i, clprim_status_string(status));
            cr_assert_not_null(strstr(clprim_last_error(), rows[i].place), "%s is not named in: %s", rows[i].place,
                               clprim_last_error());
        }
    /* and what was wrong once leaves nothing behind */
    static int32_t in[] = {-1, 2};
    const clprim_select_desc right = {.predicate = "x > 0"};
    int32_t out[2] = {0};
    uint32_t selected = 99;
    ASSERT_OK(clprim_select_run(
        runtime, &right,
        &(clprim_select_call){.in = {.host = in}, .count = 2, .out = {.host = out}, .out_count = {.host = &selected}}));
    cr_assert(selected == 1 && out[0] == 2);
    clprim_runtime_destroy(runtime);
}

Test(select_refusals, no_text_is_no_predicate)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    const clprim_select_desc desc = {.predicate = ""};
    cr_assert_neq((int)clprim_select_create(&plan, runtime, &desc), (int)CLPRIM_SUCCESS);
    cr_assert_null(plan);
    clprim_runtime_destroy(runtime);
}

/* Without a predicate, too. */
Test(select_refusals, a_type_of_another_size_is_found_out)
{
    const clprim_select_desc desc = {
        .type_name = "span", .type_size = 16, .source = "typedef struct { uint begin, end; int weight; } span;"};
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_select_operation, &desc, CLPRIM_BUILD_FAILED, "type_size");
    clprim_runtime_destroy(runtime);
}
