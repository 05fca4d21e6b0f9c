/* test_names.c: a caller's text may use the names that the library's kernels use. */
#include "assemble.h"
#include "names.h"

#include "test_names.h"

/* How many variants are tried of those that the device can run. As functions names meet each kernel; what types and
 * macros are kept apart by does not depend on it. */
static size_t most_variants(names_kind kind, const names_operation *operation)
{
    if (kind == NAMES_TYPES && !operation->has_types)
        return 0;
    return test_is_full() || (kind == NAMES_FUNCTIONS && !operation->is_another) ? SIZE_MAX : 1;
}

/* All names at once. */
static void check(names_kind kind)
{
    names_text text;
    names_text_create(&text, kind);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t o = 0; o < num_names_operations; o++) {
        const names_operation *operation = &names_operations[o];
        const size_t most = most_variants(kind, operation);
        size_t count = 0;
        size_t ran = 0;
        const clprim_variant_info *variants = operation->face->variants(&count);
        for (size_t i = 0; i < count && ran < most; i++) {
            const clprim_status status = operation->call(runtime, variants[i].id, &text);
            cr_assert_neq(status, CLPRIM_BUILD_FAILED, "%s of %s, names as %s: %s", variants[i].name, operation->name,
                          names_kind_name(kind), clprim_last_error());
            ran += status == CLPRIM_SUCCESS;
        }
        cr_assert(ran > 0 || most == 0, "no variant of %s ran: %s", operation->name, clprim_last_error());
    }
    clprim_runtime_destroy(runtime);
    names_text_destroy(&text);
}

Test(names, may_be_functions_of_the_callers, .timeout = 900)
{
    check(NAMES_FUNCTIONS);
}

Test(names, may_be_types_of_the_callers, .timeout = 900)
{
    check(NAMES_TYPES);
}

Test(names, may_be_macros_of_the_callers, .timeout = 900)
{
    check(NAMES_MACROS);
}

/* Macros of the library's options are the caller's own in the caller's text, and the other way round. */
Test(names, of_options_are_the_callers)
{
    static float in[] = {1.0f, 2.0f};
    float out[2] = {0};
    uint32_t selected = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_select_desc desc = {.type = CLPRIM_F32,
                                     .predicate = "ITEMS(x) > GROUP_SIZE",
                                     .source = "#define GROUP_SIZE 1.5f\n#define ITEMS(v) v\n"
                                               "#ifdef SUB_GROUP_MEANS\n#error the library's options\n#endif"};
    ASSERT_OK(clprim_select_run(
        runtime, &desc,
        &(clprim_select_call){.in = {.host = in}, .count = 2, .out = {.host = out}, .out_count = {.host = &selected}}));
    cr_assert(selected == 1 && out[0] == 2.0f);
    clprim_runtime_destroy(runtime);
}

/* Without a caller's text the compiler gets what it always got. */
Test(names, options_are_lines_behind_a_callers_text)
{
    static const clprim__source source = {"f.cl", (const unsigned char *)"F A", 3};
    const clprim__assembly with = {.common_options = "-cl-std=CL1.2 -DA=1 -w"};
    clprim__program_request request = {.sources = {&source}, .prelude = "P\n", .options = "-DB -DC=x*y -cl-more"};
    clprim__text options = {0};
    clprim__text text = {0};
    ASSERT_OK(clprim__assemble_options(&options, &with, &request));
    ASSERT_OK(clprim__assemble_source(&text, &with, &request));
    cr_assert_str_eq(options.data, "-cl-std=CL1.2 -DA=1 -w -DB -DC=x*y -cl-more");
    cr_assert_str_eq(text.data, "P\n#line 1 \"kernels/f.cl\"\nF A\n");
    clprim__text_free(&options);
    clprim__text_free(&text);

    request.callers = "text\n";
    ASSERT_OK(clprim__assemble_options(&options, &with, &request));
    ASSERT_OK(clprim__assemble_source(&text, &with, &request));
    cr_assert_str_eq(options.data, " -cl-std=CL1.2 -w -cl-more");
    const char *callers = strstr(text.data, "\ntext\n");
    const char *renamed = strstr(text.data, "\n#undef F\n#define F clprim__F\n");
    const char *defined = strstr(text.data, "\n#define A 1\n#define B 1\n#define C x*y\n");
    const char *own = strstr(text.data, "\nP\n#line 1 \"kernels/f.cl\"\nF A\n");
    cr_assert(callers != NULL && renamed != NULL && defined != NULL && own != NULL, "%s", text.data);
    cr_assert(callers < renamed && renamed < defined && defined < own, "%s", text.data);
    clprim__text_free(&options);
    clprim__text_free(&text);
}

/* What is an identifier, and which ones are renamed. */
typedef struct scanned {
    const char *text;
    const char *names; /* in the order of their first occurrence; those kept with a '+' */
} scanned;

Test(names, are_found)
{
    static const scanned rows[] = {
        {"a = b_1 + _c;", "a b_1 _c"},
        {"uint4 v = (uint4)(min(v.x, 1));", "+uint4 v +min +x"},
        {"/* a */ b /*/ c */ d // e\nf", "b d f"},
        {"a /* \n */ b", "a b"},
        {"\"a \\\" b\" c 'd' '\\'' e", "c e"},
        {"0x1p+3f a 1.e+5b .5f c 7ul 0xffu", "a c"},
        {"# define A(b) b a\nA c", "+A b a c"},
        {" #\tdefine A\\\n b\nc", "+A b c"},
        {"#if defined(A) && !B \\\n || C\n#endif\na", "+A +B +C a"},
        {"#ifdef A\n#elif B\n#else\n#error a b\n#endif", "+A +B"},
        {"#line 7 \"a\"\nb", "b"},
        {"#pragma unroll N\na", "+unroll +N a"},
        {"/* a */ #define B\nb", "+B b"},
        {"#define A a##b\n", "+A a b"},
        {"a A\n#define A\n", "a +A"},
        {"__global _Pragma clprim__a _a", "_a"},
        {"lo hi s0 sAF S1 s0g sum xyz xy1 uint3 uints as_int4",
         "+lo +hi +s0 +sAF +S1 s0g sum +xyz xy1 +uint3 uints +as_int4"},
        {"/* a", ""},
        {"\"a", ""},
        {"a \\", "a"},
        {"#", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim__names names = {.list = NULL};
        clprim__text found = {0};
        ASSERT_OK(clprim__names_scan(&names, rows[i].text, strlen(rows[i].text)));
        for (size_t n = 0; n < names.count; n++)
            clprim__text_format(&found, "%s%s%.*s", n > 0 ? " " : "", names.list[n].is_kept ? "+" : "",
                                (int)names.list[n].size, names.list[n].text);
        cr_assert_str_eq(found.data != NULL ? found.data : "", rows[i].names, "%s", rows[i].text);
        clprim__names_free(&names);
        clprim__text_free(&found);
    }
}
