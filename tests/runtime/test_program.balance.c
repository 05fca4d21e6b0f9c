// SPDX-License-Identifier: MIT
/* test_program.balance.c: whether a text is complete in itself, and if not, where the error is; and which arrays it
 * reads. */
#include <clprim/transform.h>
#include <time.h>

#include "balance.h"
#include "cases.h"
#include "plan_texts.h"

/* The sentence of a refusal begins with the position. */
static const struct {
    clprim__text_kind kind;
    const char *text, *says;
} refused[] = {
    {CLPRIM__EXPRESSION, "x > 3) || (1", "member:1:6: ')' closes nothing"},
    {CLPRIM__EXPRESSION, "x > 3] || [1", "member:1:6: ']' closes nothing"},
    {CLPRIM__EXPRESSION, "x > 3; } int f() { (1", "member:1:6: ';'"},
    {CLPRIM__EXPRESSION, "x > 3 } int f() { (1", "member:1:7: '}' closes nothing"},
    {CLPRIM__EXPRESSION, "x > 3;", "member:1:6: ';' ends a statement"},
    {CLPRIM__EXPRESSION, "f(x", "member:1:2: '(' is not closed"},
    {CLPRIM__EXPRESSION, "(f(x)", "member:1:1: '(' is not closed"},
    {CLPRIM__EXPRESSION, "a[(i])", "member:1:5: ']' where ')' must come first"},
    {CLPRIM__EXPRESSION, "\n a[{i]", "member:2:6: ']' where '}' must come first"},
    {CLPRIM__EXPRESSION, "a[i)", "member:1:4: ')' where ']' must come first"},
    {CLPRIM__EXPRESSION, "x ?\?(i", "member:1:3: '[' is not closed"},
    {CLPRIM__EXPRESSION, "x <: i", "member:1:3: '[' is not closed"},
    {CLPRIM__EXPRESSION, "x <% i ?\?> )", "member:1:12: ')' closes nothing"},
    {CLPRIM__EXPRESSION, "", "member is blank"},
    {CLPRIM__EXPRESSION, " \t\n\\\n", "member is blank"},
    {CLPRIM__EXPRESSION, "/* x */ // x", "member is blank"},
    {CLPRIM__EXPRESSION, "x > 3 /*", "member:1:7: a comment"},
    {CLPRIM__EXPRESSION, "x > 3 /*/", "member:1:7: a comment"},
    {CLPRIM__EXPRESSION, "x > 3 /\\\n* ) || (1", "member:1:7: a comment"},
    {CLPRIM__EXPRESSION, "x > 3 //\\", "member:1:9: a backslash"},
    {CLPRIM__EXPRESSION, "x > 3 \\  \t", "member:1:7: a backslash"},
    {CLPRIM__EXPRESSION, "x > 3 ?\?/", "member:1:7: a backslash"},
    {CLPRIM__EXPRESSION, "x > \"a", "member:1:5: a string"},
    {CLPRIM__EXPRESSION, "x > \"a\\\"", "member:1:5: a string"},
    {CLPRIM__EXPRESSION, "x > 'a\n'", "member:1:5: a character"},
    {CLPRIM__EXPRESSION, "x\n#if 1", "member:2:1: an #if without #endif"},
    {CLPRIM__EXPRESSION, "x\n # /* */ ifdef A\n", "member:2:2: an #if without #endif"},
    {CLPRIM__EXPRESSION, "x\n%:if 1", "member:2:1: an #if without #endif"},
    {CLPRIM__EXPRESSION, "x\n?\?=if 1", "member:2:1: an #if without #endif"},
    {CLPRIM__EXPRESSION, "#endif\nx", "member:1:1: an #else, #elif or #endif without #if"},
    {CLPRIM__EXPRESSION, "#else\nx", "member:1:1: an #else, #elif or #endif without #if"},
    {CLPRIM__EXPRESSION, "x > 3\n#if 1\n) || (1\n#endif\n", "member:3:1: ')' closes nothing"},
    {CLPRIM__EXPRESSION, "x > 3\n#if 1\n|| (\n#else\n|| (\n#endif\n1)", "member:3:4: '(' is not closed in its branch"},
    {CLPRIM__EXPRESSION, "x > 3\n#define A )\n|| (1", "member:3:4: '(' is not closed"},
    {CLPRIM__DECLARATIONS, "int f() {", "member:1:9: '{' is not closed"},
    {CLPRIM__DECLARATIONS, "int f() { }\n}", "member:2:1: '}' closes nothing"},
    {CLPRIM__DECLARATIONS, "}}}} {{", "member:1:1: '}' closes nothing"},
    {CLPRIM__DECLARATIONS, "int a; /* b", "member:1:8: a comment"},
    {CLPRIM__DECLARATIONS, "#ifdef A\nint a;\n#else\nint b;", "member:1:1: an #if without #endif"},
    {CLPRIM__DECLARATIONS, "#define A 1 \\", "member:1:13: a backslash"},
    {CLPRIM__TYPE_NAME, "", "member '' is not the name of a type"},
    {CLPRIM__TYPE_NAME, "  ", "is not the name of a type"},
    {CLPRIM__TYPE_NAME, "int a; typedef int", "is not the name of a type"},
    {CLPRIM__TYPE_NAME, "int a, *", "is not the name of a type"},
    {CLPRIM__TYPE_NAME, "int\n#error", "is not the name of a type"},
    {CLPRIM__TYPE_NAME, "int /*", "is not the name of a type"},
    {CLPRIM__TYPE_NAME, "int\\", "is not the name of a type"},
    {CLPRIM__OPTIONS, "-DA=1\n#define B", "member:1:6: a line ends"},
    {CLPRIM__OPTIONS, "-w -DA=/*", "member:1:8: a comment"},
    {CLPRIM__OPTIONS, "-DA=1\\ -DB=2", "member:1:6: a backslash"},
    {CLPRIM__OPTIONS, "-DA=1\\", "member:1:6: a backslash"},
};

static const struct {
    clprim__text_kind kind;
    const char *text;
} taken[] = {
    {CLPRIM__EXPRESSION, "x > 3 && f((float2)(x, 1), a[i], (t){x, {1}}) // ) ] }"},
    {CLPRIM__EXPRESSION, "x == ')' || x == '\\'' || y[0] == \"(\\\"[\"[i] /* ( \" ' */"},
    {CLPRIM__EXPRESSION, "({ int y = x; y > 3; })"},
    {CLPRIM__EXPRESSION, "x\n#if A /* ( */\n > (3)\n#else\n < (3)\n#endif"},
    {CLPRIM__EXPRESSION, "x // ( \\\n ( \n > 3"},
    {CLPRIM__EXPRESSION, "x >\n 3 // \\\n"},
    {CLPRIM__EXPRESSION, "x?\?(0?\?) + y<:i:> + (t)<%1%>.z"},
    {CLPRIM__EXPRESSION, "(x \\\n > 3)"},
    {CLPRIM__EXPRESSION, "x % 3 < 1 ? ~x : -x"},
    {CLPRIM__DECLARATIONS, ""},
    {CLPRIM__DECLARATIONS, " // nothing"},
    {CLPRIM__DECLARATIONS, "#ifdef A\nfloat f(float x) {\n#else\nint f(int x) {\n#endif\n    return x;\n}"},
    {CLPRIM__DECLARATIONS, "#if 0\nit's ( not code\n#endif\nint a;"},
    {CLPRIM__DECLARATIONS, "#define F(name) int name(int x) { \\\n return\nF(f) x; }"},
    {CLPRIM__DECLARATIONS, "#define F(x) ((x) + 1)\nint f(int x) { return F(x); }"},
    {CLPRIM__DECLARATIONS, "#ifdef A\n#error don't\n#elif defined(B)\n#endif"},
    {CLPRIM__DECLARATIONS, "#include \"what.h\"\nEND }"},
    {CLPRIM__TYPE_NAME, "point"},
    {CLPRIM__TYPE_NAME, " unsigned long\tlong "},
    {CLPRIM__TYPE_NAME, "struct point_2"},
    {CLPRIM__OPTIONS, ""},
    {CLPRIM__OPTIONS, "-cl-fast-relaxed-math -DA=( -DB='  -I/home/o'brien/*"},
};

Test(balance, of_texts)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const clprim_status status = clprim__balance_check("member", refused[i].text, refused[i].kind);
        const bool is_argument = strstr(refused[i].says, "blank") != NULL || strstr(refused[i].says, "name") != NULL;
        test_expect_status(status, is_argument ? CLPRIM_INVALID_ARGUMENT : CLPRIM_BUILD_FAILED, refused[i].says,
                           refused[i].text);
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        test_expect_status(clprim__balance_check("member", taken[i].text, taken[i].kind), CLPRIM_SUCCESS, "",
                           taken[i].text);
    ASSERT_OK(clprim__balance_check("member", NULL, CLPRIM__EXPRESSION));
}

/* The time for a text must grow with its length. Each of these, repeated, becomes a text of 4 MiB; if the rest were
 * read once for each character, that would take minutes. */
Test(balance, of_long_texts)
{
    enum { LENGTH = 1 << 22, SECONDS = 20 };
    static const char *const rows[] = {
        "x",  " ",  "\n", "\\\n", "\\ ",  "(", "()",      "[(",       ")",          "/",
        "/*", "//", "\"", "?\?/", "?\?(", "#", "#if 1\n", "#endif\n", "#if 1\n(\n", "#define A (\n",
        "' ", "0"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t size = strlen(rows[i]);
        char *text = calloc(LENGTH + 1, 1);
        cr_assert_not_null(text);
        for (size_t at = 0; at + size <= LENGTH; at += size)
            memcpy(text + at, rows[i], size);
        const clock_t begin = clock();
        for (int kind = CLPRIM__EXPRESSION; kind <= CLPRIM__OPTIONS; kind++)
            (void)clprim__balance_check("member", text, (clprim__text_kind)kind);
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        cr_expect_lt(seconds, SECONDS, "'%s' repeated took %g seconds", rows[i], seconds);
        free(text);
    }
}

/* Which of the arrays x and y, bits 0 and 1, are read only at i. */
static const struct {
    const char *expression, *source, *options;
    unsigned at_index;
} readings[] = {
    {"x[i] + y[i]", NULL, NULL, 3},
    {"x[i + 1] + y[ i ]", NULL, NULL, 2},
    {"x[n - 1 - i]", NULL, NULL, 2},
    {"x[i] & y[i]", NULL, NULL, 3},
    {"x[i] && y[i]", NULL, NULL, 3},
    {"(x[i] >> 3) & y[i]", NULL, NULL, 3},
    {"(n) & y[i]", NULL, NULL, 3},
    {"f(x[i]) & y[i]", NULL, NULL, 3},
    {"7 & y[i]", NULL, NULL, 3},
    {"f(&x[i]) + y[i]", NULL, NULL, 2},
    {"*(const __global int *)&x[i]", NULL, NULL, 2},
    {"x[i] & &y[i]", NULL, NULL, 1},
    {"f(&(x[i]))", NULL, NULL, 2},
    {"f(x) + y[i]", NULL, NULL, 2},
    {"vload_half(i, x) + vload_half(i + 1, y)", NULL, NULL, 1},
    {"vload4(i, x) + y[i]", NULL, NULL, 2},
    {"x[i].y + y[i].x", NULL, NULL, 3},
    {"({ int i = 0; x[i]; })", NULL, NULL, 0},
    {"(t){x[i], y[i]}.a", NULL, NULL, 3},
    {"x[i] /* x[0] */ + y[i] // y", NULL, NULL, 3},
    {"x\\\n[i] + y?\?(i?\?) + y<:i:>", NULL, NULL, 3},
    {"x?\?(0?\?) + y[i]", NULL, NULL, 2},
    {"f(x[i])", "int f(int x) { int i = x; return i & x; }", NULL, 3},
    {"F(x[i])", "#define F(e) ((e) * 2 & 1)", NULL, 3},
    {"F(x[i])", "#define F(e) ((&e)[1])", NULL, 0},
    {"F(x[i])", "#define F(e) ((e) + y[0])", NULL, 1},
    {"x[i]", "#define i 0", NULL, 0},
    {"x[i]", "%:define i 0", NULL, 0},
    {"x[i]", "#define F(a) a##a", NULL, 0},
    {"x[i]", "#include \"what.h\"", NULL, 0},
    {"x[i]", "#pragma OPENCL FP_CONTRACT ON", "-cl-fast-relaxed-math -DA=3", 3},
    {"x[i]", NULL, "-Di=0", 0},
    {"x[i]", NULL, "-Dx=y", 0},
    {"x[i]", NULL, "-include what.h", 0},
};

Test(balance, what_texts_read)
{
    static const char *const texts[] = {"expressions", NULL};
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        const clprim_transform_desc desc = {
            .expressions = {readings[k].expression},
            .text = {.source = readings[k].source,
                     .options = readings[k].options,
                     .parameters = {{"x", .is_array = true}, {"y", .is_array = true}, {"n", CLPRIM_U64}}}};
        const clprim__reading found = clprim__texts_read(&clprim_transform_operation, &desc, texts);
        cr_assert_eq(found.at_index, readings[k].at_index, "%s, %s: %u", readings[k].expression,
                     readings[k].source != NULL ? readings[k].source : "", found.at_index);
    }
}
