/* test_program.texts.c: a caller's own text, whatever it is, fails with a sentence or works; nothing crashes.
 *
 * Not here, since they are the driver's compiler's, which the library can neither stop nor outlive: text that takes it
 * for ever (macros that double forty times, #include of a device without end). SECURITY.md: the text is code. */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"

typedef struct text {
    const char *name;
    clprim_custom_op op;
    const char *says; /* in the log; NULL: whatever */
} text;

enum { LARGE = 1 << 20, DEEP = 2000 };

#define SUM .combine = "a + b", .identity = "0"

/* All must be refused; how, depends on the compiler. */
static const text texts[] = {
    {"unbalanced braces", {.source = "}}}} {{", SUM}, "source"},
    {"an unbalanced bracket", {.combine = "a + b)", .identity = "0"}, NULL},
    {"a statement", {.combine = "a; while (1) {}", .identity = "0"}, "combine"},
    {"nothing", {.combine = "", .identity = ""}, NULL},
    {"a comment that does not end", {.combine = "a + b /*", .identity = "0"}, NULL},
    {"a string that does not end", {.combine = "a + \"b", .identity = "0"}, "combine"},
    {"a file that is not there", {.source = "#include \"no/such/file\"", SUM}, "source"},
    {"itself", {.source = "#include __FILE__", SUM}, NULL},
    {"#error", {.source = "#error the caller's own words", SUM}, "caller's own words"},
    {"#if without end", {.source = "#if 0", SUM}, NULL},
    {"a directive in an expression", {.combine = "a\n#line 999999999 \"/etc/passwd\"\n+ c", .identity = "0"}, NULL},
    {"no UTF-8", {.combine = "a + \xff\xfe\x80 b", .identity = "0"}, NULL},
    {"control characters", {.combine = "a \x01\x02\x1b[31m + b", .identity = "0"}, NULL},
    {"a macro of itself", {.source = "#define c c d\n#define d d c", .combine = "a + c", .identity = "0"}, NULL},
    {"a format", {.combine = "a %s%n%d b", .identity = "0"}, NULL},
    {"no type", {.type_name = "no_such_type", .type_size = 4, .combine = "a", .identity = "b"}, "no_such_type"},
    {"a type of no end", {.type_name = "int", .type_size = SIZE_MAX, SUM}, NULL},
    {"code in a type's name",
     {.type_name = "int\n#error in the type\n", .type_size = 4, .combine = "a", .identity = "b"},
     "in the type"},
};

/* create refuses the operator, whatever the status, in a sentence that has these words. */
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

/* `count` times `part`, between two others. The caller frees it. */
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

Test(texts, hostile_ones_are_refused, .timeout = 900)
{
    static int32_t in[] = {1, 20, 300};
    static const clprim_reduce_desc harmless = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    int32_t sum = 0;
    char *huge = repeat("#error ", "0123456789abcdef", LARGE / 16, "\n");
    char *deep = repeat("", "(", DEEP, "a");
    char *lines = repeat("", "x\n", LARGE / 64, "");
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += EVERY)
        expect_refused(runtime, texts[i].name, &texts[i].op, texts[i].says);
    expect_refused(runtime, "a megabyte", &(const clprim_custom_op){.source = huge, .combine = "a", .identity = "b"},
                   NULL);
    expect_refused(runtime, "deep brackets", &(const clprim_custom_op){.combine = deep, .identity = "0"}, NULL);
    expect_refused(runtime, "many errors", &(const clprim_custom_op){.source = lines, .combine = "a", .identity = "0"},
                   NULL);
    free(huge);
    free(deep);
    free(lines);

    /* The runtime is none the worse for it. */
    ASSERT_OK(clprim_reduce_run(runtime, &harmless,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 3, .out = {.host = &sum}}));
    cr_assert_eq(sum, 321);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    cr_assert_eq(stats.built + stats.from_disk, 1, "something hostile was built");
    clprim_runtime_destroy(runtime);
}

/* Where a type has another size on the device than on the host, both are named: of orders, predicates and operators;
 * where it is more on the device, and where it is less. */
Test(texts, with_types_of_another_size_are_told_both, .timeout = 120)
{
    static const clprim_custom_op wide = {.source = "typedef struct { long a[40]; char b; } thing;",
                                          .type_name = "thing",
                                          .type_size = 400,
                                          .combine = "a",
                                          .identity = "(thing){0}"};
    static const clprim_reduce_desc reduce = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .custom = &wide};
    static const clprim_merge_desc merge = {.less = "sizeof a < sizeof b",
                                            .source = "typedef struct { int3 a; } thing;",
                                            .type_name = "thing",
                                            .type_size = 12};
    static const clprim_select_desc select = {.predicate = "x.a > 1",
                                              .source = "typedef struct { char a; short b; } thing;",
                                              .type_name = "thing",
                                              .type_size = 3};
    static const struct {
        const clprim_operation *face;
        const void *desc;
        const char *host, *device;
    } rows[] = {
        {&clprim_merge_operation, &merge, "type_size is 12 bytes", "the type has 16 bytes on the device"},
        {&clprim_select_operation, &select, "type_size is 3 bytes", "the type has 4 bytes on the device"},
        {&clprim_reduce_operation, &reduce, "type_size is 400 bytes", "the type has 328 bytes on the device"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_refuse(runtime, rows[i].face, rows[i].desc, CLPRIM_BUILD_FAILED, rows[i].host);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].device), "\"%s\" is not in: %s", rows[i].device,
                           clprim_last_error());
    }
    clprim_runtime_destroy(runtime);
}
