/* test_cli.operations.c: `clprim operations` says what the operations' tables say, all of it. */
#include <clprim/operation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_cli.h"

static void expect_number(const char *object, const char *key, double expected, const char *where)
{
    const double number = json_number(json_member(object, key), -1);
    cr_assert_eq(number, expected, "%s: %s is %g, not %g", where, key, number, expected);
}

/* A text that is there, or, where `expected` is NULL, is not. */
static void expect_text(const char *object, const char *key, const char *expected, const char *where)
{
    const char *value = json_member(object, key);
    cr_assert(expected == NULL ? value == NULL : json_is(value, expected), "%s: %s is not %s", where, key,
              expected != NULL ? expected : "left out");
}

static void expect_bool(const char *object, const char *key, bool expected, const char *where)
{
    const char *value = json_member(object, key);
    cr_assert_eq(value != NULL && strncmp(value, "true", 4) == 0, expected, "%s: %s", where, key);
}

static void expect_enumerators(const char *list, const clprim_enumerator *expected, const char *where)
{
    const char *one = list != NULL ? json_first(list) : NULL;
    for (; expected != NULL && expected->name != NULL; expected++, one = json_next(one)) {
        cr_assert_not_null(one, "%s: %s is missing", where, expected->name);
        expect_text(one, "name", expected->name, where);
        expect_number(one, "value", expected->value, where);
    }
    cr_assert_null(one, "%s: more enumerators than in the table", where);
}

static void expect_struct(const char *object, size_t size, const clprim_member *expected, const char *where)
{
    static const char *const kinds[] = {[CLPRIM_MEMBER_TYPE] = "type",           [CLPRIM_MEMBER_ENUM] = "enum",
                                        [CLPRIM_MEMBER_BOOL] = "bool",           [CLPRIM_MEMBER_UNSIGNED] = "unsigned",
                                        [CLPRIM_MEMBER_SIZE] = "size",           [CLPRIM_MEMBER_DOUBLE] = "double",
                                        [CLPRIM_MEMBER_TEXT] = "text",           [CLPRIM_MEMBER_DATA] = "data",
                                        [CLPRIM_MEMBER_CUSTOM_OP] = "custom_op", [CLPRIM_MEMBER_INPUT] = "input",
                                        [CLPRIM_MEMBER_OUTPUT] = "output"};
    const char *one = json_first(json_member(object, "members"));
    expect_number(object, "size", (double)size, where);
    for (; expected->name != NULL; expected++, one = json_next(one)) {
        char here[128];
        (void)snprintf(here, sizeof here, "%s.%s", where, expected->name);
        cr_assert_not_null(one, "%s is missing", here);
        expect_text(one, "name", expected->name, here);
        expect_text(one, "summary", expected->summary, here);
        expect_text(one, "kind", kinds[expected->kind], here);
        expect_number(one, "place", (double)expected->place, here);
        expect_number(one, "size", (double)expected->size, here);
        expect_enumerators(json_member(one, "enumerators"), expected->enumerators, here);
        expect_number(one, "repeat", expected->repeat > 0 ? (double)expected->repeat : -1, here);
        expect_text(one, "in_place_of", expected->in_place_of, here);
        expect_text(one, "counted_by", expected->counted_by, here);
        expect_bool(one, "optional", expected->is_optional, here);
        expect_bool(one, "partial", expected->is_partial, here);
    }
    cr_assert_null(one, "%s: more members than in the table", where);
}

static void expect_variants(const char *list, const clprim_operation *expected)
{
    size_t count = 0;
    const clprim_variant_info *variants = expected->variants != NULL ? expected->variants(&count) : NULL;
    const char *one = json_first(list);
    for (size_t i = 0; i < count; i++, one = json_next(one)) {
        cr_assert_not_null(one, "%s: %s is missing", expected->name, variants[i].name);
        expect_text(one, "name", variants[i].name, expected->name);
        expect_number(one, "value", variants[i].id, variants[i].name);
        expect_text(one, "summary", variants[i].summary, variants[i].name);
        expect_text(one, "needs", variants[i].needs, variants[i].name);
        expect_text(one, "origin", variants[i].origin, variants[i].name);
        expect_bool(one, "keeps_order", variants[i].keeps_order, variants[i].name);
    }
    cr_assert_null(one, "%s: more variants than in the table", expected->name);
}

Test(cli, operations_are_those_of_the_library_with_all_members_and_variants)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    const char *all = CLI_OK("operations", "--json").out;
    cr_assert(json_is_valid(all), "%s", all);
    const char *one = json_first(json_member(all, "operations"));
    for (size_t i = 0; i < count; i++, one = json_next(one)) {
        const clprim_operation *expected = operations[i];
        cr_assert_not_null(one, "%s is missing", expected->name);
        expect_text(one, "name", expected->name, expected->name);
        expect_text(one, "summary", expected->summary, expected->name);
        expect_struct(json_member(one, "desc"), expected->desc_size, expected->desc_members, expected->name);
        expect_struct(json_member(one, "call"), expected->call_size, expected->call_members, expected->name);
        expect_variants(json_member(one, "variants"), expected);
    }
    cr_assert_null(one, "more operations than in the library");
}

Test(cli, operations_are_listed_without_a_device)
{
    size_t count = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    cr_assert_eq(setenv("CLPRIM_DEVICE", "no such device", 1), 0);
    const char *line = CLI_OK("operations").out;
    for (size_t i = 0; i < count; i++) {
        char begin[128];
        (void)snprintf(begin, sizeof begin, "%s%-18s %s\n  desc ", i > 0 ? "\n" : "", operations[i]->name,
                       operations[i]->summary);
        line = i > 0 ? strstr(line, begin) : line;
        cr_assert(line != NULL && strncmp(line, begin, strlen(begin)) == 0, "%s", begin);
    }
}
