// SPDX-License-Identifier: MIT
/* report.c: messages on stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "system.h"

enum { LINE_SIZE = 4096 };

static const time_t PATIENCE = 1; /* seconds before progress is shown */

static struct {
    bool is_wanted;
    bool is_shown;
    time_t began;
    unsigned percent;
} progress;

static char kept[2 * LINE_SIZE]; /* a message that waits for cli_end_kept */
static unsigned rank_here;
static bool is_one_of_several; /* ranks */

void cli_speak_as_rank(unsigned rank)
{
    rank_here = rank;
    is_one_of_several = true;
}

const char *cli_input_name(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

static void print(const char *text)
{
    cli_progress_end();
    (void)fprintf(stderr, "%s\n", text);
}

static void keep(const char *text)
{
    const size_t size = strlen(kept);
    (void)snprintf(kept + size, sizeof kept - size, "%s%s", size > 0 ? "\n" : "", text);
}

void cli_end_kept(bool is_said)
{
    if (is_said && kept[0] != '\0')
        print(kept);
    kept[0] = '\0';
}

/* Write a message, or keep it: one of several ranks does not know yet whether it should write it. */
static void tell(const char *text)
{
    (is_one_of_several ? keep : print)(text);
}

/* Write a single line, whatever the text contains: file names may contain anything. */
static void say(void (*to)(const char *text), const char *file, const char *format, va_list arguments)
{
    char line[LINE_SIZE];
    char rank[32] = "";
    if (rank_here > 0)
        (void)snprintf(rank, sizeof rank, "rank %u: ", rank_here);
    int size = snprintf(line, sizeof line, "clprim: %s%s%s", rank, file != NULL ? file : "", file != NULL ? ": " : "");
    if (size > 0 && (size_t)size < sizeof line)
        (void)vsnprintf(line + size, sizeof line - (size_t)size, format, arguments);
    for (char *p = line; *p != '\0'; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
    to(line);
}

cli_result cli_refuse(const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(tell, file, format, arguments);
    va_end(arguments);
    return CLI_REFUSED;
}

cli_result cli_fail(const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(tell, file, format, arguments);
    va_end(arguments);
    return CLI_FAILED;
}

cli_result cli_device_failed(const char *call, clprim_status status)
{
    const char *name_end = strchr(call, '(');
    const int name_size = name_end != NULL ? (int)(name_end - call) : (int)strlen(call);
    const bool is_told = strncmp(call, "clprim_", 7) == 0 && clprim_last_error()[0] != '\0';
    const char *log = is_told ? strchr(clprim_last_error(), '\n') : NULL;
    const int why_size = log != NULL ? (int)(log - clprim_last_error()) : LINE_SIZE;
    (void)cli_fail("device", "%.*s: %.*s", name_size, call, why_size,
                   is_told ? clprim_last_error() : clprim_status_string(status));
    if (log != NULL)
        tell(log + 1); /* the compiler's build log */
    return CLI_FAILED;
}

static void say_about(const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(print, what, format, arguments);
    va_end(arguments);
}

/* The library returns one line for each problem. */
void cli_report_runtime(const cli_options *options, const clprim_runtime *runtime)
{
    typedef size_t (*problems_fn)(const clprim_runtime *runtime, char *out, size_t capacity);
    static const struct {
        const char *what;
        problems_fn problems;
    } rows[] = {{"cache of kernels", clprim_runtime_cache_problem},
                {"tuning file", clprim_runtime_tuning_problems},
                {"wrong kernels", clprim_runtime_set_aside}};
    const clprim_device_info *info = clprim_runtime_info(runtime);
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    char problems[LINE_SIZE / 2];
    if (!options->verbose)
        return;
    say_about("device", "%s (%s, driver %s)", info->name, info->platform_name, info->driver_version);
    say_about("kernels", "%zu compiled, %zu from the cache, %zu damaged or stale there", stats.built, stats.from_disk,
              stats.rejected);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].problems(runtime, problems, sizeof problems) == 0)
            continue;
        for (char *rest = NULL, *line = strtok_r(problems, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest))
            say_about(rows[i].what, "%s", line);
    }
}

void cli_progress_begin(const cli_options *options)
{
    progress.is_wanted = !options->quiet && rank_here == 0 && system_has_watcher();
    progress.began = time(NULL);
}

void cli_progress(const char *doing, size_t done, size_t of)
{
    if (!progress.is_wanted || time(NULL) - progress.began <= PATIENCE)
        return;
    const unsigned percent = of == SIZE_MAX || of == 0 ? 0 : (unsigned)((double)done / (double)of * 100);
    if (of == SIZE_MAX)
        (void)fprintf(stderr, "\r\033[K%s: %zu elements", doing, done);
    else if (!progress.is_shown || percent != progress.percent)
        (void)fprintf(stderr, "\r\033[K%s: %u %% [%-20.*s]", doing, percent, (int)(percent / 5),
                      "####################");
    progress.percent = percent;
    progress.is_shown = true;
    (void)fflush(stderr);
}

void cli_progress_end(void)
{
    if (progress.is_shown)
        (void)fprintf(stderr, "\r\033[K");
    progress.is_shown = false;
}
