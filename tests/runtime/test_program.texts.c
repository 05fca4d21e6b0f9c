/* test_program.texts.c: a caller's own text, whatever it is, fails with a sentence or works; nothing crashes.
 *
 * Not here, since they are the driver's compiler's, which the library can neither stop nor outlive: text that takes it
 * for ever (macros that double forty times, #include of a device without end). SECURITY.md: the text is code. */
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

typedef struct text {
    const char *name;
    clprim_custom_op op;
    const char *says; /* in the log; NULL: whatever */
} text;

enum { LARGE = 1 << 20, DEEP = 2000 };

/* All but the last must be refused; how, depends on the compiler. */
static const text texts[] = {
    {"unbalanced braces", {.source = "}}}} {{", .combine = "a + b", .identity = "0"}, "source"},
    {"an unbalanced bracket", {.combine = "a + b)", .identity = "0"}, NULL},
    {"a statement", {.combine = "a; while (1) {}", .identity = "0"}, "combine"},
    {"nothing", {.combine = "", .identity = ""}, NULL},
    {"a comment that does not end", {.combine = "a + b /*", .identity = "0"}, NULL},
    {"a string that does not end", {.combine = "a + \"b", .identity = "0"}, "combine"},
    {"a file that is not there",
     {.source = "#include \"no/such/file\"", .combine = "a + b", .identity = "0"},
     "source"},
    {"itself", {.source = "#include __FILE__", .combine = "a + b", .identity = "0"}, NULL},
    {"#error", {.source = "#error the caller's own words", .combine = "a + b", .identity = "0"}, "caller's own words"},
    {"#if without end", {.source = "#if 0", .combine = "a + b", .identity = "0"}, NULL},
    {"a directive in an expression", {.combine = "a\n#line 999999999 \"/etc/passwd\"\n+ c", .identity = "0"}, NULL},
    {"no UTF-8", {.combine = "a + \xff\xfe\x80 b", .identity = "0"}, NULL},
    {"control characters", {.combine = "a \x01\x02\x1b[31m + b", .identity = "0"}, NULL},
    {"a macro of itself", {.source = "#define c c d\n#define d d c", .combine = "a + c", .identity = "0"}, NULL},
    {"a format", {.combine = "a %s%n%d b", .identity = "0"}, NULL},
    {"no type", {.type_name = "no_such_type", .type_size = 4, .combine = "a", .identity = "b"}, "no_such_type"},
    {"a type of another size",
     {.type_name = "int", .type_size = 8, .combine = "a + b", .identity = "0"},
     "type_size_differs"},
    {"a type of no end", {.type_name = "int", .type_size = SIZE_MAX, .combine = "a + b", .identity = "0"}, NULL},
    {"code in a type's name",
     {.type_name = "int\n#error in the type\n", .type_size = 4, .combine = "a", .identity = "b"},
     "in the type"},
};

static void expect_refused(clprim_runtime *runtime, const char *name, const clprim_custom_op *op, const char *says)
{
    clprim_plan *plan = NULL;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .custom = op};
    const clprim_status status = clprim_reduce_create(&plan, runtime, &desc);
    cr_assert(status == CLPRIM_BUILD_FAILED || status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_UNSUPPORTED,
              "%s: %s (%s)", name, clprim_status_string(status), clprim_last_error());
    cr_assert_null(plan, "%s", name);
    cr_assert_gt(strlen(clprim_last_error()), 20, "%s: no log", name);
    if (status == CLPRIM_BUILD_FAILED && says != NULL)
        cr_assert_not_null(strstr(clprim_last_error(), says), "%s: \"%s\" is not in: %s", name, says,
                           clprim_last_error());
}

/* The runtime is none the worse for it. */
static void expect_sound(clprim_runtime *runtime)
{
    static int32_t in[] = {1, 20, 300};
    static const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    int32_t sum = 0;
    ASSERT_OK(clprim_reduce_run(runtime, &desc,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &sum}}));
    cr_assert_eq(sum, 321);
}

/* The caller's type may have a name that kernels have, too, for a type, a function or a variable. */
Test(program, types_may_be_called_as_kernels_own, .timeout = 300)
{
    static const char *const names[] = {"item", "array", "x", "load", "packet_words"};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static int32_t in[] = {30, 1, 2};
        int32_t sorted[] = {30, 1, 2};
        int32_t sum = 0;
        uint32_t number = 0;
        char source[64];
        char identity[64];
        (void)snprintf(source, sizeof source, "typedef struct { int own; } %s;", names[i]);
        (void)snprintf(identity, sizeof identity, "(%s){0}", names[i]);
        const clprim_custom_op op = {.type_name = names[i],
                                     .type_size = 4,
                                     .source = source,
                                     .combine = "(a.own += b.own, a)",
                                     .identity = identity};
        const clprim_reduce_desc reduce = {.custom = &op};
        const clprim_comparison_sort_desc sort = {
            .less = "a.own < b.own", .source = source, .type_name = names[i], .type_size = 4};
        const clprim_select_desc select = {
            .predicate = "x.own > 1", .source = source, .type_name = names[i], .type_size = 4};
        if (i % 2 == 0 || test_is_full()) {
            ASSERT_OK(clprim_comparison_sort_run(
                runtime, &sort,
                &(clprim_comparison_sort_call){.keys_in = {.host = sorted}, .count = 3, .keys_out = {.host = sorted}}));
            cr_assert(sorted[0] == 1 && sorted[1] == 2 && sorted[2] == 30, "%s", names[i]);
        }
        if (i % 2 == 1 || test_is_full()) {
            ASSERT_OK(clprim_reduce_run(runtime, &reduce,
                                        &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &sum}}));
            cr_assert_eq(sum, 33, "%s", names[i]);
        }
        if (i % 3 == 0 || test_is_full()) {
            ASSERT_OK(clprim_select_run(
                runtime, &select,
                &(clprim_select_call){
                    .in = {.host = in}, .count = 3, .out = {.host = sorted}, .out_count = {.host = &number}}));
            cr_assert(number == 2 && sorted[0] == 30 && sorted[1] == 2, "%s", names[i]);
        }
    }
    clprim_runtime_destroy(runtime);
}

/* `count` times `part`, between two others. */
static char *repeat(const char *before, const char *part, size_t count, const char *after)
{
    const size_t length = strlen(part);
    char *out = test_allocate(strlen(before) + count * length + strlen(after) + 1);
    char *at = out + sprintf(out, "%s", before);
    for (size_t i = 0; i < count; i++, at += length)
        memcpy(at, part, length);
    (void)strcpy(at, after);
    return out;
}

/* Under AddressSanitizer the driver's compiler takes twenty times as long for each. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 6 };
#else
enum { EVERY = 1 };
#endif

Test(program, hostile_texts_are_refused, .timeout = 900)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += EVERY)
        expect_refused(runtime, texts[i].name, &texts[i].op, texts[i].says);

    char *huge = repeat("#error ", "0123456789abcdef", LARGE / 16, "\n");
    expect_refused(runtime, "a megabyte", &(const clprim_custom_op){.source = huge, .combine = "a", .identity = "b"},
                   NULL);
    free(huge);
    char *deep = repeat("", "(", DEEP, "a");
    expect_refused(runtime, "deep brackets", &(const clprim_custom_op){.combine = deep, .identity = "0"}, NULL);
    free(deep);
    char *lines = repeat("", "x\n", LARGE / 64, "");
    expect_refused(runtime, "many errors", &(const clprim_custom_op){.source = lines, .combine = "a", .identity = "0"},
                   NULL);
    free(lines);
    expect_sound(runtime);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    cr_assert_eq(stats.built + stats.from_disk, 1, "something hostile was built");
    clprim_runtime_destroy(runtime);
}
