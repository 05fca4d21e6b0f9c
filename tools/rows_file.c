// SPDX-License-Identifier: MIT
/* rows_file.c: a file of parameters to which lines are added. */
#include "rows_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text.h"
#include "tuning_row.h"

static const char HEAD[] = "# Parameters of clPRIM's kernels, measured by ./dev tune: see docs/tuning.md.\n"
                           "# The first line that fits counts. speed and was: GB/s with these parameters and before.\n";

static bool read_all(clprim__text *out, const char *path)
{
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL && errno == ENOENT) {
        clprim__text_format(out, "%s", HEAD);
        return !out->failed;
    }
    if (file == NULL)
        return false;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        clprim__text_append(out, buffer, n);
    const bool is_read = ferror(file) == 0;
    (void)fclose(file);
    return is_read && !out->failed;
}

static bool is_same(const clprim__tuning_row *a, const clprim__tuning_row *b)
{
    return strcmp(a->stem, b->stem) == 0 && strcmp(a->variant, b->variant) == 0 && strcmp(a->device, b->device) == 0 &&
           a->size == b->size && a->up_to == b->up_to;
}

/* Lines for few elements come before the first other line, for the first that fits counts. */
static void merge(clprim__text *out, const clprim__text *old, const char *line, bool keep)
{
    const char *why = NULL;
    bool has_row = false;
    bool is_there = !keep;
    clprim__tuning_row mine;
    clprim__tuning_row row;
    (void)clprim__tuning_row_parse(&mine, &has_row, line, strlen(line), &why);
    const char *end = old->data != NULL ? old->data + old->size : NULL;
    for (const char *p = old->data; p != NULL && p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        const size_t length = stop != NULL ? (size_t)(stop - p) : (size_t)(end - p);
        const bool is_row = clprim__tuning_row_parse(&row, &has_row, p, length, &why) && has_row;
        if (is_row && !is_there && mine.up_to != 0) {
            clprim__text_format(out, "%s\n", line);
            is_there = true;
        }
        if (!is_row || !is_same(&row, &mine)) {
            clprim__text_append(out, p, length);
            clprim__text_append(out, "\n", 1);
        }
        p += length + 1;
    }
    if (!is_there)
        clprim__text_format(out, "%s\n", line);
}

static void make_directories(const char *path)
{
    char *copy = strdup(path);
    for (char *p = copy != NULL ? strchr(copy + 1, '/') : NULL; p != NULL; p = strchr(p + 1, '/')) {
        *p = '\0';
        (void)mkdir(copy, 0777);
        *p = '/';
    }
    free(copy);
}

bool rows_file_put(const char *path, const char *line, bool keep)
{
    clprim__text old = {0};
    clprim__text merged = {0};
    clprim__text other = {0};
    FILE *file = NULL;
    bool is_done = read_all(&old, path);
    if (is_done) {
        merge(&merged, &old, line, keep);
        clprim__text_format(&other, "%s.new", path);
        make_directories(path);
        is_done = !merged.failed && !other.failed && (file = fopen(other.data, "wb")) != NULL;
    }
    if (is_done) {
        is_done = fwrite(merged.data, 1, merged.size, file) == merged.size;
        is_done = fclose(file) == 0 && is_done && rename(other.data, path) == 0;
    }
    clprim__text_free(&old);
    clprim__text_free(&merged);
    clprim__text_free(&other);
    return is_done;
}
