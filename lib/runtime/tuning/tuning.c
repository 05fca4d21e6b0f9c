// SPDX-License-Identifier: MIT
/* tuning.c: read a file of parameters, and look parameters up in it. */
#include "tuning.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "runtime_internal.h"
#include "text.h"
#include "tuning_row.h"

enum { LARGEST_FILE = 1 << 20, MAX_PROBLEMS_SIZE = 1 << 14 };

struct clprim__tuning {
    clprim_device_info info;
    bool is_empty; /* empty and not watched, so look-ups can skip it; read without the mutex */
    pthread_mutex_t mutex;
    clprim__tuning_row *rows;
    size_t count;
    char *name;
    size_t num_problems;
    clprim__text problems;
    clprim__tuning_watch_fn watch;
    void *user;
};

static bool is_at_most(size_t size, size_t most)
{
    return most == 0 || size <= most;
}

bool clprim__tuning_fits(const clprim__tuning_for *is_for, int variant, const clprim_device_info *info,
                         const clprim__tuned_for *what)
{
    const bool has_shuffles = info->sub_group_means != CLPRIM_SUB_GROUP_NONE;
    const bool has_warps = info->sub_group_means == CLPRIM_SUB_GROUP_PTX;
    return (is_for->variant == 0 || is_for->variant == variant) &&
           (is_for->kind == CLPRIM_DEVICE_OTHER || is_for->kind == info->kind) &&
           (is_for->vendor == CLPRIM_VENDOR_OTHER || is_for->vendor == info->vendor) &&
           (is_for->device == NULL || clprim__contains(info->name, is_for->device)) &&
           (is_for->without != CLPRIM__NO_SHUFFLES || !has_shuffles) &&
           (is_for->without != CLPRIM__NO_WARPS || !has_warps) &&
           (is_for->without != CLPRIM__NO_PROGRESS || !info->has_forward_progress) &&
           is_at_most(what->size, is_for->size) &&
           (is_for->value_size == CLPRIM__NO_VALUES ? what->value_size == 0
                                                    : is_at_most(what->value_size, is_for->value_size)) &&
           is_at_most(what->size + what->value_size, is_for->item_size) && is_at_most(what->max_count, is_for->up_to) &&
           (is_for->of == 0 || is_for->of == what->of);
}

char *clprim__tuning_path(void)
{
    const char *own = clprim__environment("CLPRIM_TUNING");
    const clprim__user_place usual = clprim__user_place_of(CLPRIM__USER_TUNING);
    clprim__text path = {0};
    if (own != NULL && strcmp(own, "off") == 0)
        return NULL;
    if (own != NULL && own[0] != '\0')
        clprim__text_format(&path, "%s", own);
    else if (usual.directory != NULL)
        clprim__text_format(&path, "%s%s", usual.directory, usual.rest);
    if (path.failed)
        clprim__text_free(&path);
    return path.data;
}

/* Begin a sentence about a line that is ignored (0: about the file). The mutex must be held. */
static void begin_problem(clprim__tuning *self, size_t line)
{
    self->num_problems++;
    if (line > 0)
        clprim__text_format(&self->problems, "%s, line %zu: ", self->name, line);
    else
        clprim__text_format(&self->problems, "%s: ", self->name);
}

static bool has_room(const clprim__tuning *self)
{
    return self->problems.size < MAX_PROBLEMS_SIZE;
}

/* Ignore a row, and say why. The mutex must be held. */
static void pass_over(clprim__tuning *self, clprim__tuning_row *row, size_t at, const clprim__tunable *item)
{
    row->is_passed_over = true;
    if (!has_room(self)) {
        self->num_problems++;
        return;
    }
    begin_problem(self, row->line);
    if (item == NULL)
        clprim__text_format(&self->problems, "%s of %s has no %s to tune\n", row->variant, row->stem,
                            row->parameters[at].name);
    else
        clprim__text_format(&self->problems, "%s of %s is %zu, not %s%zu to %zu\n", item->name, row->stem,
                            row->parameters[at].value, item->is_power_of_two ? "a power of two from " : "", item->least,
                            item->most);
}

static clprim_status parse(clprim__tuning *self, const char *text, size_t size)
{
    size_t capacity = 0;
    size_t line = 1;
    for (const char *p = text; p < text + size; line++) {
        const char *why = NULL;
        bool has_row = false;
        clprim__tuning_row row;
        const size_t rest = (size_t)(text + size - p);
        const char *end = memchr(p, '\n', rest);
        const size_t length = end != NULL ? (size_t)(end - p) : rest;
        const bool is_sound = clprim__tuning_row_parse(&row, &has_row, p, length, &why);
        p += length + 1;
        if (!is_sound && has_room(self)) {
            begin_problem(self, line);
            clprim__text_format(&self->problems, "%s\n", why);
        } else if (!is_sound) {
            self->num_problems++;
        }
        if (!is_sound || !has_row)
            continue;
        if (self->count == capacity) {
            capacity = capacity > 0 ? capacity * 2 : 16;
            clprim__tuning_row *more = realloc(self->rows, capacity * sizeof *more);
            if (more == NULL)
                return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for tuned parameters");
            self->rows = more;
        }
        row.line = line;
        self->rows[self->count++] = row;
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__tuning_set(clprim__tuning *self, const char *name, const char *text, size_t size)
{
    char *copy = strdup(name);
    if (copy == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for tuned parameters");
    pthread_mutex_lock(&self->mutex);
    free(self->rows);
    free(self->name);
    clprim__text_free(&self->problems);
    self->rows = NULL;
    self->count = 0;
    self->num_problems = 0;
    self->name = copy;
    const clprim_status status = parse(self, text, size);
    self->is_empty = self->count == 0 && self->watch == NULL;
    pthread_mutex_unlock(&self->mutex);
    return status;
}

/* The file's text, which the caller frees, or NULL and errno. */
static char *read_text(size_t *size, const char *path)
{
    clprim__facts facts = {0};
    char *text = NULL;
    bool is_read = false;
    const int fd = clprim__file_open(CLPRIM__HERE, path, CLPRIM__OPEN_READ);
    if (fd < 0)
        return NULL;
    if (clprim__facts_of(&facts, fd) && (!facts.is_file || facts.size > LARGEST_FILE))
        errno = facts.is_file ? EFBIG : EINVAL;
    else if ((text = malloc((size_t)facts.size + 1)) != NULL)
        is_read = clprim__file_read(fd, text, (size_t)facts.size, -1, size);
    const int reason = errno;
    clprim__file_close(fd);
    errno = reason;
    if (!is_read) {
        free(text);
        return NULL;
    }
    return text;
}

/* It is not an error if the default file does not exist. */
static clprim_status read_file(clprim__tuning *self, const char *path)
{
    char reason[128] = "";
    size_t size = 0;
    const char *own = getenv("CLPRIM_TUNING");
    char *text = read_text(&size, path);
    if (text == NULL && errno == ENOENT && (own == NULL || own[0] == '\0'))
        return CLPRIM_SUCCESS;
    if (text == NULL)
        (void)clprim__error_text(reason, sizeof reason, errno);
    const clprim_status status = clprim__tuning_set(self, path, text != NULL ? text : "", size);
    if (status == CLPRIM_SUCCESS && text == NULL) {
        begin_problem(self, 0);
        clprim__text_format(&self->problems, "it cannot be read: %s\n", reason);
    }
    free(text);
    return status;
}

clprim_status clprim__tuning_create(clprim__tuning **out, const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__tuning *self = calloc(1, sizeof *self);
    char *path = clprim__tuning_path();
    if (self == NULL) {
        free(path);
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    }
    pthread_mutex_init(&self->mutex, NULL);
    self->info = *info;
    self->is_empty = true;
    if (path != NULL)
        CLPRIM__TRY(read_file(self, path));
    *out = self;
    self = NULL;
done:
    clprim__tuning_destroy(self);
    free(path);
    return status;
}

void clprim__tuning_destroy(clprim__tuning *self)
{
    if (self == NULL)
        return;
    pthread_mutex_destroy(&self->mutex);
    clprim__text_free(&self->problems);
    free(self->rows);
    free(self->name);
    free(self);
}

/* Returns true if a line was ignored for the first time. */
static bool look_up(void *tuning, clprim__tuning *self, const clprim__tuning_query *query)
{
    size_t at = 0;
    const clprim__tunable *item = NULL;
    bool is_found = false;
    pthread_mutex_lock(&self->mutex);
    const size_t before = self->num_problems;
    for (size_t i = 0; i < self->count && !is_found; i++) {
        clprim__tuning_row *row = &self->rows[i];
        if (row->is_passed_over || !clprim__tuning_row_fits(row, &self->info, query))
            continue;
        is_found = clprim__tuning_row_apply(tuning, row, query->tunables, &at, &item);
        if (!is_found)
            pass_over(self, row, at, item);
    }
    if (self->watch != NULL)
        self->watch(self->user, query, tuning);
    const bool is_new = self->num_problems > before;
    pthread_mutex_unlock(&self->mutex);
    return is_new;
}

void clprim__tuning_look_up(void *tuning, const clprim_runtime *runtime, const clprim__tunables *tunables,
                            const char *variant, size_t size, size_t max_count)
{
    const clprim__tuning_query query = {.tunables = tunables, .variant = variant, .size = size, .max_count = max_count};
    if (!runtime->tuning->is_empty && look_up(tuning, runtime->tuning, &query))
        clprim__tuning_note(runtime);
}

void clprim__tuning_note(const clprim_runtime *runtime)
{
    char problems[1024];
    if (runtime->timeline != NULL && clprim__tuning_problems(runtime->tuning, problems, sizeof problems) > 0)
        clprim__trace_note(runtime->timeline, "lines of parameters passed over", problems);
}

size_t clprim__tuning_problems(clprim__tuning *self, char *out, size_t capacity)
{
    pthread_mutex_lock(&self->mutex);
    const size_t count = self->num_problems;
    if (capacity > 0) {
        const size_t size = self->problems.size < capacity ? self->problems.size : capacity - 1;
        if (size > 0)
            memcpy(out, self->problems.data, size);
        out[size] = '\0';
    }
    pthread_mutex_unlock(&self->mutex);
    return count;
}

void clprim__tuning_check(clprim__tuning *self, const clprim__tunables *const *tables, size_t count)
{
    pthread_mutex_lock(&self->mutex);
    for (size_t i = 0; i < self->count; i++) {
        clprim__tuning_row *row = &self->rows[i];
        const clprim__tunables *found = NULL;
        const clprim__tunable *item = NULL;
        size_t at = 0;
        for (size_t t = 0; t < count; t++)
            if (strcmp(tables[t]->stem, row->stem) == 0)
                found = tables[t];
        if (row->is_passed_over)
            continue;
        if (found != NULL && !clprim__tuning_row_apply(NULL, row, found, &at, &item))
            pass_over(self, row, at, item);
        if (found == NULL) {
            begin_problem(self, row->line);
            clprim__text_format(&self->problems, "%s is not a primitive with parameters to tune\n", row->stem);
        }
    }
    pthread_mutex_unlock(&self->mutex);
}

void clprim__tuning_watch(clprim__tuning *self, clprim__tuning_watch_fn watch, void *user)
{
    pthread_mutex_lock(&self->mutex);
    self->watch = watch;
    self->user = user;
    self->is_empty = self->count == 0 && watch == NULL;
    pthread_mutex_unlock(&self->mutex);
}
