// SPDX-License-Identifier: MIT
/* trace_print.c: see trace_print.h. */
#include "trace_print.h"

#include <stdio.h>
#include <string.h>

#include "json.h"

const char *const trace_verbs[] = {"begins", "reads", "writes", "adds to", "waits"};

/* What a launch costs, by its sub-groups' accesses. */
typedef struct totals {
    unsigned local, turns;      /* accesses to local memory, and the turns that the banks take for them */
    unsigned global, sectors;   /* to global memory, and the pieces of 32 bytes that they touch */
    unsigned active, of, split; /* lanes that take part, of how many; accesses in which some do and some do not */
    unsigned barriers;
} totals;

const site *trace_site(const traced *self, const access *one)
{
    return &self->recording.sites->sites[one->events->site];
}

static bool is_same_step(const access *a, const access *b)
{
    return a->events->launch == b->events->launch && a->events->group == b->events->group &&
           a->events->step == b->events->step;
}

/* The number of groups of the launch whose first access is this one. */
static unsigned count_groups(const traced *self, size_t first)
{
    const access *all = self->recording.accesses;
    unsigned most = 0;
    for (size_t i = first; i < self->recording.num_accesses && all[i].events->launch == all[first].events->launch; i++)
        most = all[i].events->group > most ? all[i].events->group : most;
    return most + 1;
}

const char *trace_kernel(const traced *self, size_t first)
{
    const access *all = self->recording.accesses;
    for (size_t i = first; i < self->recording.num_accesses; i++)
        if (trace_site(self, &all[i])->kind == SITE_BEGIN)
            return trace_site(self, &all[i])->array;
    return "";
}

static void add(totals *sum, const traced *self, const access *one)
{
    const site *where = trace_site(self, one);
    sum->barriers += where->kind == SITE_BARRIER && one->events->group == 0;
    if (where->kind == SITE_BEGIN || where->kind == SITE_BARRIER)
        return;
    for (unsigned first = 0; first < self->group_size; first += self->lanes) {
        const lanes_at at = recording_lanes(one, first, self->lanes, self->banks);
        sum->local += at.active > 0 && one->events->space == 'l';
        sum->global += at.active > 0 && one->events->space == 'g';
        sum->turns += at.turns;
        sum->sectors += at.sectors;
        sum->active += at.active;
        sum->of += at.active > 0 ? self->lanes : 0;
        sum->split += at.active > 0 && at.active < self->lanes;
    }
}

/* Text. */

/* "3:17": index and value; "." for a work-item that takes no part. */
static void cell_text(char out[32], const access *one, unsigned item)
{
    (void)snprintf(out, 32, ".");
    for (size_t i = 0; i < one->count; i++)
        if (one->events[i].item == item)
            (void)snprintf(out, 32, "%u:%d", (unsigned)one->events[i].index, (int)(int32_t)one->events[i].value);
}

static int width_of(const traced *self, const access *one)
{
    int width = 1;
    char cell[32];
    for (unsigned item = 0; item < self->group_size; item++) {
        cell_text(cell, one, item);
        width = (int)strlen(cell) > width ? (int)strlen(cell) : width;
    }
    return width;
}

static void print_lanes(const traced *self, const access *one, unsigned first, int width)
{
    const lanes_at at = recording_lanes(one, first, self->lanes, self->banks);
    char cell[32];
    if (at.active == 0)
        return;
    printf("      %3u-%-3u", first, first + self->lanes - 1);
    for (unsigned item = first; item < first + self->lanes; item++) {
        cell_text(cell, one, item);
        printf(" %*s", width, cell);
    }
    const char *comma = "  ";
    if (at.active < self->lanes) {
        printf("%s%u of %u lanes", comma, at.active, self->lanes);
        comma = ", ";
    }
    if (at.turns > 1)
        printf("%s%u turns: lanes want different words of one bank", comma, at.turns);
    if (at.sectors > 0)
        printf("%s%u x 32 bytes", comma, at.sectors);
    printf("\n");
}

void trace_place(char out[TRACE_PLACE_SIZE], const site *where)
{
    const bool is_sum = strchr(where->array, ' ') != NULL && where->array[0] != '(' && where->index[0] != '\0';
    const bool has_index = where->index[0] != '\0';
    (void)snprintf(out, TRACE_PLACE_SIZE, "%s%s%s%s%s%s", is_sum ? "(" : "", where->array, is_sum ? ")" : "",
                   has_index ? "[" : "", where->index, has_index ? "]" : "");
}

static void print_access(const traced *self, const access *one)
{
    const site *where = trace_site(self, one);
    if (where->kind == SITE_BEGIN)
        return;
    if (where->kind == SITE_BARRIER) {
        printf("    all %zu work-items wait for each other  (%s:%zu)\n", one->count, where->file, where->line);
        return;
    }
    char place[TRACE_PLACE_SIZE];
    trace_place(place, where);
    printf("    %s %s in %s memory  (%s:%zu)\n", trace_verbs[where->kind], place,
           one->events->space == 'l' ? "local" : "global", where->file, where->line);
    const int width = width_of(self, one);
    for (unsigned first = 0; first < self->group_size; first += self->lanes)
        print_lanes(self, one, first, width);
}

static void print_values(const char *what, const int32_t *values, size_t count)
{
    printf("%s", what);
    for (size_t i = 0; i < count; i++)
        printf(" %d", (int)values[i]);
    printf("\n");
}

static void print_totals(const totals *sum)
{
    printf("  Together: %u barrier%s", sum->barriers, sum->barriers != 1 ? "s" : "");
    if (sum->local > 0)
        printf("; %u accesses of sub-groups to local memory in %u turns", sum->local, sum->turns);
    if (sum->global > 0)
        printf("; %u to global memory, %u x 32 bytes", sum->global, sum->sectors);
    if (sum->of > 0)
        printf("; %u of %u lanes take part, and some but not all in %u accesses", sum->active, sum->of, sum->split);
    printf("\n");
}

void trace_print_text(const traced *self)
{
    const access *all = self->recording.accesses;
    const size_t count = self->recording.num_accesses;
    totals sum = {0};
    printf("%s, %s, on %s\n", self->operation, self->variant, self->device);
    printf(
        "A cell is index:value. Groups of %u work-items; the picture's sub-groups have %u lanes, its local memory %u "
        "banks.\n",
        self->group_size, self->lanes, self->banks);
    print_values("Values:", self->values, self->num_values);
    for (size_t i = 0; i < count; i++) {
        const event *one = all[i].events;
        const bool is_launch = i == 0 || one->launch != all[i - 1].events->launch;
        if (is_launch && i > 0)
            print_totals(&sum);
        if (is_launch) {
            const unsigned groups = count_groups(self, i);
            printf("\nLaunch %u: %s, %u group%s\n", (unsigned)one->launch + 1, trace_kernel(self, i), groups,
                   groups > 1 ? "s" : "");
            sum = (totals){0};
        }
        if (i == 0 || !is_same_step(&all[i], &all[i - 1]))
            printf("  Group %u, step %u\n", (unsigned)one->group, (unsigned)one->step + 1);
        print_access(self, &all[i]);
        add(&sum, self, &all[i]);
    }
    print_totals(&sum);
    printf("\n");
    print_values("Result:", self->results, self->num_results);
    if (memcmp(self->results, self->expected, self->num_results * sizeof *self->results) != 0)
        print_values("It should be:", self->expected, self->num_results);
}

/* JSON. */

static void json_numbers(json *object, const char *key, const int32_t *values, size_t count)
{
    json_key(object, key);
    (void)fprintf(object->stream, "[");
    for (size_t i = 0; i < count; i++)
        (void)fprintf(object->stream, "%s%d", i > 0 ? ", " : "", (int)values[i]);
    (void)fprintf(object->stream, "]");
}

static void json_lanes(FILE *stream, const traced *self, const access *one)
{
    (void)fprintf(stream, "[");
    for (unsigned first = 0; first < self->group_size; first += self->lanes) {
        const lanes_at at = recording_lanes(one, first, self->lanes, self->banks);
        json lanes;
        (void)fprintf(stream, "%s", first > 0 ? ", " : "");
        json_begin_in(&lanes, stream);
        json_member_count(&lanes, "active", at.active);
        json_member_count(&lanes, "turns", at.turns);
        json_member_count(&lanes, "sectors", at.sectors);
        json_end(&lanes);
    }
    (void)fprintf(stream, "]");
}

static void json_access(FILE *stream, const traced *self, const access *one)
{
    static const char *const kinds[] = {"begin", "read", "write", "update", "barrier"};
    const site *where = trace_site(self, one);
    const event *first = one->events;
    char place[TRACE_PLACE_SIZE];
    json object;
    trace_place(place, where);
    json_begin_in(&object, stream);
    json_member_count(&object, "launch", first->launch);
    json_member_count(&object, "group", first->group);
    json_member_count(&object, "step", first->step);
    json_member_text(&object, "kind", kinds[where->kind]);
    json_member_text(&object, "file", where->file);
    json_member_count(&object, "line", where->line);
    json_member_text(&object, "array", where->array);
    json_member_text(&object, "index", where->index);
    json_member_text(&object, "place", place);
    json_member_text(&object, "space", first->space == 'l' ? "local" : first->space == 'g' ? "global" : "");
    json_member_count(&object, "block", first->block);
    json_member_count(&object, "size", first->size);
    json_key(&object, "sub_groups");
    json_lanes(stream, self, one);
    json_key(&object, "items"); /* [work-item, index, value, bank, whether its bank is wanted for another word, too] */
    (void)fprintf(stream, "[");
    for (size_t i = 0; i < one->count; i++)
        (void)fprintf(stream, "%s[%u, %u, %d, %u, %d]", i > 0 ? ", " : "", (unsigned)first[i].item,
                      (unsigned)first[i].index, (int)(int32_t)first[i].value,
                      (unsigned)(first[i].address / 4 % self->banks),
                      recording_collides(one, &first[i], self->lanes, self->banks));
    (void)fprintf(stream, "]");
    json_end(&object);
}

/* Whether the picture needs a file: it has accesses, or is the variant's own, whose head says why the step is as fast as it
 * is. */
static bool is_needed(const traced *self, const char *file)
{
    char own[128];
    (void)snprintf(own, sizeof own, "kernels/%s/%s.cl", self->operation, self->variant);
    if (strcmp(own, file) == 0)
        return true;
    for (size_t i = 0; i < self->recording.num_accesses; i++)
        if (strcmp(trace_site(self, &self->recording.accesses[i])->file, file) == 0)
            return true;
    return false;
}

/* [file, number of the first line, lines]: of a program's files that are needed, what stands between #line directives. */
static void json_sources(FILE *stream, const traced *self, const char *program, bool *is_first)
{
    char file[256] = "";
    for (const char *at = program, *end; *at != '\0'; at = end) {
        size_t line = 0;
        const char *begin = strchr(at, '\n');
        end = at + strlen(at);
        if (begin == NULL || sscanf(at, "#line %zu \"%255[^\"]\"", &line, file) != 2) {
            end = begin != NULL ? begin + 1 : end;
            continue;
        }
        const char *next = strstr(begin, "\n#line ");
        end = next != NULL ? next + 1 : end;
        if (!is_needed(self, file))
            continue;
        (void)fprintf(stream, "%s[", *is_first ? "" : ", ");
        *is_first = false;
        json_text(stream, file);
        (void)fprintf(stream, ", %zu, [", line);
        for (const char *one = begin + 1, *stop; one < end; one = stop + 1) {
            char text[256];
            stop = memchr(one, '\n', (size_t)(end - one));
            stop = stop != NULL ? stop : end;
            (void)snprintf(text, sizeof text, "%.*s", (int)(stop - one), one);
            (void)fprintf(stream, "%s", one > begin + 1 ? ", " : "");
            json_text(stream, text);
        }
        (void)fprintf(stream, "]]");
    }
}

void trace_write_refusal(FILE *stream, const traced *self, const char *reason)
{
    json object;
    json_begin_in(&object, stream);
    json_member_text(&object, "operation", self->operation);
    json_member_text(&object, "variant", self->variant);
    json_member_text(&object, "refused", reason);
    json_end(&object);
}

void trace_write_json(FILE *stream, const traced *self)
{
    json object;
    bool is_first = true;
    json_begin_in(&object, stream);
    json_member_text(&object, "command", "trace");
    json_member_text(&object, "operation", self->operation);
    json_member_text(&object, "variant", self->variant);
    json_member_text(&object, "device", self->device);
    json_member_count(&object, "group_size", self->group_size);
    json_member_count(&object, "lanes", self->lanes);
    json_member_count(&object, "banks", self->banks);
    json_numbers(&object, "values", self->values, self->num_values);
    json_numbers(&object, "results", self->results, self->num_results);
    json_numbers(&object, "expected", self->expected, self->num_results);
    json_key(&object, "accesses");
    (void)fprintf(stream, "[");
    for (size_t i = 0; i < self->recording.num_accesses; i++) {
        const access *one = &self->recording.accesses[i];
        (void)fprintf(stream, "%s", i > 0 ? ", " : "");
        json_access(stream, self, one);
    }
    (void)fprintf(stream, "]");
    json_key(&object, "sources");
    (void)fprintf(stream, "[");
    for (size_t i = 0; i < TRACED_MOST_PROGRAMS && self->programs[i] != NULL; i++)
        json_sources(stream, self, self->programs[i], &is_first);
    (void)fprintf(stream, "]");
    json_end(&object);
}
