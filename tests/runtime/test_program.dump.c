// SPDX-License-Identifier: MIT
/* test_program.dump.c: programs that CLPRIM_DUMP writes, which other compilers must be able to compile. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cases.h"
#include "files.h"

/* Each test has its own directory, which does not exist yet: <new directory>/dump. */
static char directory[TEST_PATH_SIZE], dump[TEST_PATH_SIZE + 16];

static void begin(void)
{
    test_make_every_plan();
    test_directory_create(directory);
    (void)snprintf(dump, sizeof dump, "%s/dump", directory);
    test_setenv("CLPRIM_CACHE", "on");
    test_setenv("CLPRIM_CACHE_DIR", test_path(directory, "cache"));
    test_setenv("CLPRIM_SELF_TEST", "off");
    test_setenv("CLPRIM_DUMP", dump);
}

static void end(void)
{
    test_directory_remove(directory);
}

TestSuite(dump, .init = begin, .fini = end);

static const clprim_reduce_desc plain = {.type = CLPRIM_I32, .variant = CLPRIM_REDUCE_SEQUENTIAL};

/* A new runtime makes one plan, which must compute the right sum. Checks its programs, and what it reports about the
 * directory. */
static clprim_program_stats reduce_once(const clprim_reduce_desc *desc, const char *problem)
{
    char text[2 * TEST_PATH_SIZE];
    const clprim_reduce_call call = {
        .in = {.host = (int32_t[]){1, 20, 300}}, .count = 3, .out = {.host = &(int32_t){321}}};
    clprim_runtime *runtime = test_runtime(NULL);
    test_check_known(runtime, &clprim_reduce_operation, desc, &call);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, text, sizeof text), problem != NULL, "%s", text);
    cr_assert(problem == NULL || strstr(text, problem) != NULL, "\"%s\" is not in: %s", problem, text);
    clprim_runtime_destroy(runtime);
    return stats;
}

static char *only_file(void)
{
    size_t size = 0;
    glob_t files = test_list(dump, "");
    cr_assert_eq(files.gl_pathc, 1, "%zu files", (size_t)files.gl_pathc);
    const size_t length = strlen(files.gl_pathv[0]);
    cr_assert_str_eq(files.gl_pathv[0] + length - 3, ".cl");
    char *text = test_read_file(files.gl_pathv[0], &size);
    globfree(&files);
    return text;
}

/* The text after a label in the comments at the beginning. */
static void read_line(char *out, size_t size, const char *text, const char *label)
{
    char line[32];
    (void)snprintf(line, sizeof line, "\n// %s: ", label);
    const char *at = strstr(text, line);
    cr_assert_not_null(at, "there is no line of %s", label);
    at += strlen(line);
    (void)snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static void expect_kernels(cl_program program, char *names)
{
    cl_int code = CL_SUCCESS;
    for (char *rest = NULL, *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        cl_kernel made = clCreateKernel(program, name, &code);
        cr_assert_eq(code, CL_SUCCESS, "there is no kernel %s", name);
        ASSERT_CL(clReleaseKernel(made));
    }
}

/* The file alone must be enough for a compiler: it builds, and contains the kernels that it names. */
static void expect_compiles(const char *text, const char *kernel)
{
    char options[2048];
    char kernels[512];
    cl_int code = CL_SUCCESS;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_device_info *info = clprim_runtime_info(runtime);
    read_line(options, sizeof options, text, "options");
    read_line(kernels, sizeof kernels, text, "kernels");
    cr_assert_not_null(strstr(kernels, kernel), "%s", kernels);
    cl_program program = clCreateProgramWithSource(clprim_runtime_context(runtime), 1, &text, NULL, &code);
    ASSERT_CL(code);
    ASSERT_CL(clBuildProgram(program, 1, &info->device, options, NULL, NULL));
    expect_kernels(program, kernels);
    ASSERT_CL(clReleaseProgram(program));
    clprim_runtime_destroy(runtime);
}

Test(dump, has_programs_that_compile)
{
    char options[2048];
    char device[1024];
    char *text = NULL;
    cr_assert_eq(reduce_once(&plain, NULL).built, 1);
    text = only_file();
    expect_compiles(text, "reduce_sequential");
    cr_assert_eq(strncmp(text, "// clPRIM ", 10), 0);
    cr_assert_not_null(strstr(text, "kernels/reduce/sequential.cl\n"));
    read_line(options, sizeof options, text, "options");
    cr_assert(strncmp(options, "-cl-std=CL", 10) == 0 && strstr(options, " -DGROUP_SIZE=") != NULL, "%s", options);
    read_line(device, sizeof device, text, "device");
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_not_null(strstr(device, clprim_runtime_info(runtime)->driver_version), "%s", device);
    clprim_runtime_destroy(runtime);
    free(text);
}

/* With a caller's text, kernels have other names. */
Test(dump, has_programs_of_a_callers_text)
{
    const clprim_custom_op op = {.type_name = "int", .type_size = 4, .combine = "a + b", .identity = "0"};
    const clprim_reduce_desc desc = {.custom = &op, .variant = CLPRIM_REDUCE_SEQUENTIAL};
    cr_assert_eq(reduce_once(&desc, NULL).built, 1);
    char *text = only_file();
    expect_compiles(text, "clprim__reduce_sequential");
    free(text);
}

/* Programs from the cache are written, too; an existing file is not overwritten. */
Test(dump, leaves_what_is_there)
{
    (void)reduce_once(&plain, NULL);
    char *first = only_file();
    glob_t files = test_list(dump, "");
    cr_assert_eq(remove(files.gl_pathv[0]), 0);
    cr_assert_eq(reduce_once(&plain, NULL).from_disk, 1);
    char *second = only_file();
    cr_assert_str_eq(second, first, "a program that is loaded is another one");
    test_write_file(files.gl_pathv[0], "mine", 4);
    (void)reduce_once(&plain, NULL);
    char *third = only_file();
    cr_assert_str_eq(third, "mine");
    globfree(&files);
    free(first);
    free(second);
    free(third);
}

Test(dump, says_why_a_directory_cannot_be_used)
{
    const clprim_reduce_desc other = {.type = CLPRIM_U32, .variant = CLPRIM_REDUCE_SEQUENTIAL};
    test_write_file(dump, "a file", 6);
    (void)reduce_once(&plain, "CLPRIM_DUMP: programs cannot be written to \"");
    test_setenv("CLPRIM_DUMP", test_path(dump, "below")); /* the file above is in the way */
    (void)reduce_once(&other, "below\": Not a directory");
    test_setenv("CLPRIM_DUMP", test_path(directory, "missing/dump"));
    (void)reduce_once(&plain, "missing/dump\": No such file");
    test_setenv("CLPRIM_DUMP", "");
    (void)reduce_once(&plain, NULL);
    cr_assert_eq(test_count_files(directory, "dump"), 1);

    /* Together with other problems: one sentence per line, truncated if there is not enough room. */
    char text[1024];
    char cut[40];
    test_setenv("CLPRIM_DUMP", dump);
    test_setenv("CLPRIM_CACHE_SIZE", "x");
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, text, sizeof text), 2);
    const char *line = strchr(text, '\n');
    cr_assert(strncmp(text, "CLPRIM_CACHE_SIZE must be", 25) == 0 && line != NULL &&
                  strncmp(line, "\nCLPRIM_DUMP: ", 14) == 0,
              "%s", text);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, cut, sizeof cut), 2);
    cr_assert(strlen(cut) == sizeof cut - 1 && strncmp(cut, text, sizeof cut - 1) == 0, "%s", cut);
    cr_assert_eq(clprim_runtime_cache_problem(runtime, NULL, 0), 2);
    clprim_runtime_destroy(runtime);
}
