// SPDX-License-Identifier: MIT
/* test_program.parameters.c: how parameters are passed to the functions in a program's text, and which options the
 * compiler gets for a caller's text. */
#include <stdio.h>

#include "cases.h"
#include "files.h"
#include "input_packets.h"
#include "pass_on.h"

/* has_arguments applies to the second text; the first one has none. */
Test(parameters, are_passed_on)
{
    static const struct {
        const char *text, *without, *with;
    } rows[] = {
        {"int f(int a) { return a; }", "int f(PARAMETERS, int a) { return a; }", NULL},
        {"int f(void)\n{}\nint g() { f(); f( 1 ); }",
         "int f(PARAMETERS)\n{}\nint g(PARAMETERS) { f(PASSED); f(PASSED,  1 ); }", NULL},
        {"__kernel __attribute__((reqd_work_group_size(G, 1, 1))) void\nk(int a)\n{\n}",
         "__kernel __attribute__((reqd_work_group_size(G, 1, 1))) void\nk(PARAMETERS, int a)\n{\n}", NULL},
        {"int f(int a) {}\n#define F f(f(1))\n#define D void f(int a);\n#define E return f(1)\nint k(int a) { F; E; }",
         "int f(PARAMETERS, int a) {}\n#define F f(PASSED, f(PASSED, 1))\n#define D void f(PARAMETERS, int a);\n"
         "#define E return f(PASSED, 1)\nint k(PARAMETERS, int a) { F; E; }",
         NULL},
        {"/* int f(int a) {} */ \"f(1) {\" #if f(1)\nint x = g(2), f;\nint h(int a);", NULL, NULL},
        {"typedef struct { int f; } t;\nint a[] = {1};\nint f(t x) { return ((t){1}).f + x.f; }",
         "typedef struct { int f; } t;\nint a[] = {1};\nint f(PARAMETERS, t x) { return ((t){1}).f + x.f; }", NULL},
        {"#define LESS(a, b) clprim__callers_less(a, b)\nclprim__callers_type x = clprim__callers_identity();", NULL,
         "#define LESS(a, b) clprim__callers_less(ARGUMENTS, a, b)\n"
         "clprim__callers_type x = clprim__callers_identity(ARGUMENTS);"},
        {"CLPRIM__INLINE int clprim_lane(int a) { return a; }\nint g(int a) {}\n"
         "#define CLPRIM_SCAN(NAME) int NAME##_scan(CLPRIM_PARAMETERS int x) { return clprim_lane(x); }\n"
         "CLPRIM_SCAN(clprim__sums)\n#define D(T) CLPRIM_SCAN( clprim__folds, T)\n#define F(x) clprim__folds_scan(x)\n"
         "int f(int a) { return clprim__sums_scan(a) + clprim__sum_scan(clprim_lane(a)) + F(a); }",
         "CLPRIM__INLINE int clprim_lane(int a) { return a; }\nint g(PARAMETERS, int a) {}\n"
         "#define CLPRIM_SCAN(NAME) int NAME##_scan(CLPRIM_PARAMETERS int x) { return clprim_lane(x); }\n"
         "CLPRIM_SCAN(clprim__sums)\n#define D(T) CLPRIM_SCAN( clprim__folds, T)\n"
         "#define F(x) clprim__folds_scan(PASSED, x)\n"
         "int f(PARAMETERS, int a) { return clprim__sums_scan(PASSED, a) + clprim__sum_scan(clprim_lane(a)) + F(a); }",
         NULL},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const char *text = rows[i / 2].text;
        const char *expected = rows[i / 2].without != NULL ? rows[i / 2].without : text;
        clprim__text out = {0};
        if (i % 2 == 1 && rows[i / 2].with != NULL)
            expected = rows[i / 2].with;
        ASSERT_OK(clprim__pass_on(&out, text, strlen(text), i % 2 == 1));
        cr_assert_str_eq(out.data, expected);
        clprim__text_free(&out);
    }
}

/* Arrays are read in packets if the expression reads them at i, whatever the values are; others are not. */
Test(parameters, arrays_in_packets)
{
    static const clprim_parameter parameters[] = {{"x", CLPRIM_F32, .is_array = true},
                                                  {"limit", .type = CLPRIM_F32},
                                                  {"y", CLPRIM_U8, .is_array = true},
                                                  {"h", CLPRIM_F16, .is_array = true},
                                                  {"s", .type_name = "pair", .type_size = 8, .is_array = true}};
    static const struct {
        const char *input, *packed; /* NULL: none */
        const char *source;
    } rows[] = {
        {.input = "x[i] * y[i]", .packed = "clprim__at_0 * clprim__at_2"},
        {.input = "fabs(x [ i ]) - x[i + 1] /* x[i] */", .packed = "fabs(clprim__at_0) - x[i + 1] /* x[i] */"},
        {.input = "limit > x[i] ? x[i] : y[i]", .packed = "limit > clprim__at_0 ? clprim__at_0 : y[i]"},
        {.input = "y[i] && x[i]", .packed = "clprim__at_2 && x[i]"},
        {.input = "x[i] || y[i]", .packed = "clprim__at_0 || y[i]"},
        {.input = "y[i] & y[i] & 1 & y[i]", .packed = "clprim__at_2 & clprim__at_2 & 1 & clprim__at_2"},
        {.input = "s[i].x[i] + s->x[i] + y[i]", .packed = "s[i].x[i] + s->x[i] + clprim__at_2"},
        {.input = "*(const __global uint *)&x[i] + f(&y[i])", .packed = NULL},
        {.input = "i < 3 ? x[i] : y[i]", .packed = NULL},
        {.input = "sizeof x[i]", .packed = NULL},
        {.input = "vload_half(i, h) + h[i] + s[i].a + limit", .packed = NULL},
        {.input = "x[y[i]]", .packed = "x[clprim__at_2]"},
        {.input = "x[i]", .packed = NULL, .source = "#define i 2\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim__prelude prelude = {.parameters = parameters, .num_parameters = sizeof parameters / sizeof *parameters};
        const char *const sources[] = {NULL, rows[i].source};
        const clprim__packed input = {.text = rows[i].input, .type = CLPRIM_F32, .name = "input"};
        const size_t pack = clprim__packets_write(&prelude, &input, 1, 0, sources);
        ASSERT_OK(clprim__prelude_status(&prelude));
        cr_assert_eq(pack > 0, rows[i].packed != NULL, "%s", rows[i].input);
        cr_assert_eq(prelude.own.data != NULL, pack > 0, "%s", rows[i].input);
        if (rows[i].packed != NULL)
            cr_assert_not_null(strstr(prelude.callers.data, rows[i].packed), "%s: %s", rows[i].input,
                               prelude.callers.data);
        clprim__prelude_free(&prelude);
    }
}

/* The sum of a text's results for 1, 20 and 300. */
static int32_t sum_of(clprim_runtime *runtime, const clprim_text *text, const char *input)
{
    int32_t sum = 0;
    ASSERT_OK(clprim_reduce_run(
        runtime, &(clprim_reduce_desc){.variant = CLPRIM_REDUCE_SEQUENTIAL, .text = *text, .input = input},
        &(clprim_reduce_call){.arguments = {{.host = (int32_t[]){1, 20, 300}}}, .count = 3, .out = {.host = &sum}}));
    return sum;
}

#define X .parameters = {{"x", CLPRIM_I32, .is_array = true}}

/* Options define macros only for the caller's texts: names of the library with the same names keep their meaning. */
TEST_WITH_RUNTIME(parameters, options_are_the_texts)
{
    cr_assert_eq(sum_of(runtime, &(clprim_text){X, .options = "-DLIMIT=19 -DADDED"}, "x[i] > LIMIT ? x[i] + ADDED : 0"),
                 322);
    cr_assert_eq(sum_of(runtime, &(clprim_text){X, .options = "-DGROUP_SIZE=7 -DVALUE=x -Dn=2 -cl-mad-enable"},
                        "GROUP_SIZE * VALUE[i] * n"),
                 14 * 321);
}

/* A file that a text includes may change, so such a program is not kept on disk, but other programs are. */
Test(parameters, included_files_are_read_anew)
{
    char directory[TEST_PATH_SIZE];
    char options[TEST_PATH_SIZE + 8];
    test_directory_create(directory);
    test_setenv("CLPRIM_CACHE", "on");
    test_setenv("CLPRIM_CACHE_DIR", test_path(directory, "cache"));
    (void)snprintf(options, sizeof options, "-I %s", directory);
    for (int round = 0; round < 3; round++) {
        static const char *const texts[] = {"#define TIMES(x) ((x) * 2)\n", "#define TIMES(x) ((x) * 3)\n"};
        clprim_runtime *runtime = test_runtime(NULL);
        test_write_file(test_path(directory, "times.h"), texts[round > 0], strlen(texts[round > 0]));
        cr_assert_eq(
            sum_of(runtime, &(clprim_text){X, .source = "#include \"times.h\"", .options = options}, "TIMES(x[i])"),
            round > 0 ? 963 : 642);
        cr_assert_eq(sum_of(runtime, &(clprim_text){X}, "x[i]"), 321);
        const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
        cr_assert_eq(stats.built, round > 0 ? 1 : 2);
        cr_assert_eq(stats.from_disk, round > 0);
        clprim_runtime_destroy(runtime);
    }
    test_directory_remove(directory);
}
