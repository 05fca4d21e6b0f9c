// SPDX-License-Identifier: MIT
/* test_program.texts.c: whatever a caller's text contains, it works or fails with an error sentence; nothing crashes.
 *
 * Not tested are texts for which the driver's compiler takes for ever (macros that double forty times, #include of an
 * endless device): the library can neither stop nor survive them. SECURITY.md says that texts are code. */
#include "cases.h"

typedef struct text {
    const char *name;
    clprim_custom_op op;
    const char *says; /* words in the log; NULL: any */
} text;

enum { LARGE = 1 << 20, DEEP = 2000 };

#define SUM .combine = "a + b", .identity = "0"

/* All must be refused; how depends on the compiler. */
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

/* create must refuse the operator, with any status, and a sentence that contains these words. */
static void expect_refused(clprim_runtime *runtime, const text *of)
{
    clprim_plan *plan = NULL;
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .custom = &of->op};
    const clprim_status status = clprim_reduce_create(&plan, runtime, &desc);
    cr_assert(status == CLPRIM_BUILD_FAILED || status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_UNSUPPORTED,
              "%s: %s (%s)", of->name, clprim_status_string(status), clprim_last_error());
    cr_assert_null(plan, "%s", of->name);
    cr_assert_gt(strlen(clprim_last_error()), 20, "%s: no log", of->name);
    if (status == CLPRIM_BUILD_FAILED && of->says != NULL)
        test_expect_status(status, status, of->says, of->name);
}

/* Under AddressSanitizer, the driver's compiler takes twenty times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 6 };
#else
enum { EVERY = 1 };
#endif

TEST_WITH_RUNTIME(texts, hostile_ones_are_refused)
{
    static char huge[LARGE] = "#error ", deep[DEEP + 2], lines[LARGE / 32 + 1];
    static const text large[] = {{"a megabyte", {.source = huge, .combine = "a", .identity = "b"}, NULL},
                                 {"deep brackets", {.combine = deep, .identity = "0"}, NULL},
                                 {"many errors", {.source = lines, .combine = "a", .identity = "0"}, NULL}};
    static const clprim_reduce_desc harmless = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
    const clprim_reduce_call call = {
        .in = {.host = (int32_t[]){1, 20, 300}}, .count = 3, .out = {.host = &(int32_t){321}}};
    memset(huge + strlen(huge), 'x', LARGE - 1 - strlen(huge));
    memset(deep, '(', DEEP);
    deep[DEEP] = 'a';
    for (size_t i = 0; i < LARGE / 32; i++)
        lines[i] = i % 2 == 0 ? 'x' : '\n';
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += EVERY)
        expect_refused(runtime, &texts[i]);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        expect_refused(runtime, &large[i]);
    /* The runtime must still work. */
    test_check_known(runtime, &clprim_reduce_operation, &harmless, &call);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    cr_assert_eq(stats.built + stats.from_disk, 1, "something hostile was built");
}

/* If a type has different sizes on the device and on the host, the error names both: for orders, predicates and
 * operators; if it is larger on the device, and if it is smaller. */
TEST_WITH_RUNTIME(texts, with_types_of_another_size_are_told_both)
{
#define THING(host_size) .type_name = "thing", .type_size = host_size
    static const clprim_custom_op wide = {THING(400), .source = "typedef struct { long a[40]; char b; } thing;",
                                          .combine = "a", .identity = "(thing){0}"};
    const struct {
        const clprim_operation *face;
        const void *desc;
        const char *host, *device;
    } rows[] = {
        {&clprim_merge_operation,
         &(const clprim_merge_desc){THING(12), .text.source = "typedef struct { int3 a; } thing;",
                                    .less = "sizeof a < sizeof b"},
         "type_size is 12 bytes", "the type has 16 bytes on the device"},
        {&clprim_select_operation,
         &(const clprim_select_desc){THING(3), .text.source = "typedef struct { char a; short b; } thing;",
                                     .predicate = "x.a > 1"},
         "type_size is 3 bytes", "the type has 4 bytes on the device"},
        {&clprim_reduce_operation, &(const clprim_reduce_desc){.variant = CLPRIM_REDUCE_SEQUENTIAL, .custom = &wide},
         "type_size is 400 bytes", "the type has 328 bytes on the device"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_refuse(runtime, rows[i].face, rows[i].desc, CLPRIM_BUILD_FAILED, rows[i].host);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].device), "%s", clprim_last_error());
    }
}
