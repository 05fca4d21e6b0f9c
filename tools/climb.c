// SPDX-License-Identifier: MIT
/* climb.c: coordinate descent over a variant's parameters. A candidate goes the way of a line of the user's file, and
 * counts only after its results were those of the reference. */
#include "climb.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime_internal.h"

enum { SAMPLES = 5, ROUNDS = 3, DUELS = 7, MAX_CANDIDATES = 16 };

static const double WORTH_IT = 0.98; /* of the time before */

static double now(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void append(char *line, const char *format, ...)
{
    const size_t size = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line + size, CLIMB_LINE_SIZE - size, format, arguments);
    va_end(arguments);
}

void climb_line(char out[CLIMB_LINE_SIZE], const climb *self, const point *at, bool with_speed)
{
    const subject *what = self->what;
    const double gigabytes = self->data.traffic * 1e-9;
    out[0] = '\0';
    append(out, "%s %s device=\"%s\" size=%zu", subject_stem(what), self->name,
           clprim_runtime_info(self->runtime)->name, self->size);
    if (what->up_to != 0)
        append(out, " up_to=%zu", what->up_to);
    for (size_t i = 0; i < self->num_items; i++)
        append(out, " %s=%zu", self->items[i]->name, at->values[i]);
    if (with_speed)
        append(out, " speed=%.4g was=%.4g # GB/s, %zu elements", gigabytes / self->best_time,
               gigabytes / self->before_time, self->data.count);
}

/* What a plan's look-up gave. */
typedef struct sighting {
    climb *owner;
    bool is_found;
    point values;
} sighting;

static void see(void *user, const clprim__tuning_query *query, const void *tuning)
{
    sighting *self = user;
    climb *owner = self->owner;
    if (query->tunables != subject_tunables(owner->what))
        return;
    owner->num_items = 0;
    for (size_t i = 0; i < query->tunables->count && owner->num_items < CLIMB_MAX_PARAMETERS; i++) {
        const clprim__tunable *item = &query->tunables->items[i];
        if (strcmp(item->variant, query->variant) != 0)
            continue;
        owner->items[owner->num_items] = item;
        memcpy(&self->values.values[owner->num_items++], (const char *)tuning + item->offset, sizeof(size_t));
    }
    owner->name = owner->num_items > 0 ? query->variant : NULL;
    owner->size = query->size;
    self->is_found = true;
}

/* A plan with these parameters (NULL: the library's own), which works. *is_right: it exists, and its results are right.
 */
static clprim_status make_plan(clprim_plan **plan, bool *is_right, climb *self, const point *at)
{
    char line[CLIMB_LINE_SIZE] = "";
    *plan = NULL;
    *is_right = false;
    if (at != NULL)
        climb_line(line, self, at, false);
    clprim_status status = clprim__tuning_set(self->runtime->tuning, "candidate", line, strlen(line));
    if (status == CLPRIM_SUCCESS)
        status = subject_plan(plan, self->runtime, self->what, self->variant, self->data.count);
    if (status == CLPRIM_SUCCESS)
        status = subject_try(is_right, *plan, &self->data);
    return status;
}

/* Seconds of `calls` calls, one behind the other. */
static clprim_status time_calls(double *out, const climb *self, clprim_plan *plan, size_t calls)
{
    const double began = now();
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < calls && status == CLPRIM_SUCCESS; i++)
        status = subject_enqueue(plan, &self->data);
    const cl_int code = clFinish(clprim_runtime_queue(self->runtime));
    *out = now() - began;
    return status != CLPRIM_SUCCESS ? status : (clprim_status)code;
}

/* The median of some samples, or the least of them: what other programs take can only make it more. */
static clprim_status measure(double *out, const climb *self, clprim_plan *plan, bool wants_least)
{
    double samples[SAMPLES];
    double elapsed = 0;
    size_t calls = 1;
    clprim_status status = time_calls(&elapsed, self, plan, calls);
    while (status == CLPRIM_SUCCESS && elapsed < self->sample) {
        calls *= 2;
        status = time_calls(&elapsed, self, plan, calls);
    }
    for (size_t i = 0; i < SAMPLES && status == CLPRIM_SUCCESS; i++) {
        status = time_calls(&elapsed, self, plan, calls);
        samples[i] = elapsed / (double)calls;
    }
    if (status != CLPRIM_SUCCESS)
        return status;
    qsort(samples, SAMPLES, sizeof *samples, by_value);
    *out = samples[wants_least ? 0 : SAMPLES / 2];
    return CLPRIM_SUCCESS;
}

static bool is_over(const climb *self, double deadline)
{
    return (self->is_ending != NULL && *self->is_ending) || now() > deadline;
}

/* How long a call takes; *out stays 0 where such a plan is refused, or wrong. */
static void try_point(double *out, climb *self, const point *at)
{
    clprim_plan *plan = NULL;
    bool is_right = false;
    *out = 0;
    self->tried++;
    const clprim_status status = make_plan(&plan, &is_right, self, at);
    if (status == CLPRIM_SUCCESS && !is_right) {
        char line[CLIMB_LINE_SIZE];
        climb_line(line, self, at, false);
        (void)fprintf(stderr, "wrong results, please report: %s\n", line);
        self->wrong++;
    } else if (status != CLPRIM_SUCCESS || measure(out, self, plan, false) != CLPRIM_SUCCESS) {
        self->refused++;
        *out = 0;
    }
    clprim_plan_destroy(plan);
}

static void add_candidate(size_t *list, size_t *count, const clprim__tunable *item, double value, size_t current)
{
    const size_t whole = value < 0 ? 0 : (size_t)(value + 0.5);
    if (whole < item->least || whole > item->most || whole == current || *count == MAX_CANDIDATES)
        return;
    for (size_t i = 0; i < *count; i++)
        if (list[i] == whole)
            return;
    list[(*count)++] = whole;
}

/* Values around the current one, nearer ones first. */
static size_t candidates(size_t *list, const clprim__tunable *item, size_t current)
{
    static const double factors[] = {1.25, 0.75, 1.5, 2, 0.5, 3, 4, 0.25};
    size_t count = 0;
    const double value = (double)current;
    for (int factor = 2; factor <= 8 && item->is_power_of_two; factor *= 2) {
        add_candidate(list, &count, item, value * factor, current);
        add_candidate(list, &count, item, value / factor, current);
    }
    if (item->is_power_of_two)
        return count;
    add_candidate(list, &count, item, value + 1, current);
    add_candidate(list, &count, item, value - 1, current);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        add_candidate(list, &count, item, value * factors[i], current);
    for (size_t start = 2; start <= item->most && current == 0; start *= 2) /* 0 is by itself: begin anywhere */
        add_candidate(list, &count, item, (double)start, current);
    return count;
}

/* True where another value of one parameter is better. */
static bool improve(climb *self, size_t parameter, double deadline)
{
    size_t list[MAX_CANDIDATES];
    const size_t count = candidates(list, self->items[parameter], self->best.values[parameter]);
    const point from = self->best;
    bool is_better = false;
    for (size_t i = 0; i < count && !is_over(self, deadline); i++) {
        point at = from;
        double elapsed = 0;
        at.values[parameter] = list[i];
        try_point(&elapsed, self, &at);
        if (elapsed > 0 && elapsed < self->best_time * WORTH_IT) {
            self->best = at;
            self->best_time = elapsed;
            is_better = true;
        }
    }
    return is_better;
}

/* Both again, by turns: what seemed faster may have had a quiet moment. It must win each time. The least time of each
 * is what is reported. */
static clprim_status duel(bool *is_won, climb *self)
{
    clprim_plan *plans[2] = {NULL, NULL};
    double best[2] = {0, 0};
    bool is_right = true;
    clprim_status status = make_plan(&plans[0], &is_right, self, NULL);
    if (status == CLPRIM_SUCCESS)
        status = make_plan(&plans[1], &is_right, self, &self->best);
    *is_won = true;
    for (int i = 0; i < DUELS && status == CLPRIM_SUCCESS; i++) {
        double times[2] = {0, 0};
        for (size_t p = 0; p < 2 && status == CLPRIM_SUCCESS; p++) {
            status = measure(&times[p], self, plans[p], true);
            best[p] = i == 0 || times[p] < best[p] ? times[p] : best[p];
        }
        *is_won = *is_won && times[1] < times[0];
    }
    if (status == CLPRIM_SUCCESS) {
        self->before_time = best[0];
        self->best_time = best[1];
    }
    *is_won = *is_won && status == CLPRIM_SUCCESS && best[1] < best[0] * WORTH_IT;
    clprim_plan_destroy(plans[0]);
    clprim_plan_destroy(plans[1]);
    return status;
}

clprim_status climb_begin(climb *self)
{
    clprim_plan *plan = NULL;
    bool is_right = false;
    sighting seen = {.owner = self};
    clprim_status status = subject_data_create(&self->data, self->runtime, self->what, self->variant, self->data.count);
    if (status != CLPRIM_SUCCESS)
        return status;
    clprim__tuning_watch(self->runtime->tuning, see, &seen);
    status = make_plan(&plan, &is_right, self, NULL);
    clprim__tuning_watch(self->runtime->tuning, NULL, NULL);
    if (status == CLPRIM_SUCCESS && is_right && seen.is_found)
        status = measure(&self->before_time, self, plan, false);
    self->before = self->best = seen.values;
    self->best_time = self->before_time;
    clprim_plan_destroy(plan);
    return status;
}

clprim_status climb_run(climb *self)
{
    const double deadline = now() + self->seconds;
    bool is_better = true;
    bool is_won = false;
    for (int round = 0; round < ROUNDS && is_better && !is_over(self, deadline); round++) {
        is_better = false;
        for (size_t i = 0; i < self->num_items && !is_over(self, deadline); i++)
            is_better = improve(self, i, deadline) || is_better;
    }
    if (memcmp(&self->best, &self->before, sizeof self->best) == 0)
        return CLPRIM_SUCCESS;
    const clprim_status status = duel(&is_won, self);
    if (!is_won)
        self->best = self->before;
    return status;
}

void climb_end(climb *self)
{
    subject_data_destroy(&self->data);
}
