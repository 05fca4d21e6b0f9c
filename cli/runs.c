/* runs.c: sorted runs in temporary files, and their merge: a heap of the first elements of as many runs as memory has
 * room for; more are merged in several passes.
 *
 * Source: Knuth, The Art of Computer Programming 3, 5.4.1: replacement from a heap. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "number.h"

enum { MIN_FAN_IN = 16, MOST_FAN_IN = 512, MOST_BLOCK_BYTES = 1 << 20 };

/* A run that is read. */
typedef struct reader {
    size_t next; /* in the files */
    size_t end;
    unsigned char *keys;
    uint64_t *seconds;
    size_t at; /* in the block */
    size_t count;
} reader;

typedef struct entry {
    uint64_t place;
    size_t reader;
} entry;

typedef struct merge {
    const runs *from;
    number_order order;
    size_t block; /* elements read or emitted at a time */
    reader *readers;
    entry *heap;
    size_t num_entries;
    unsigned char *keys; /* the block that is emitted next */
    uint64_t *seconds;
    size_t count;
    uint64_t last; /* the place of its last element */
    runs_emit emit;
    void *user;
} merge;

cli_result runs_begin(runs *out, clprim_type type, clprim_nan_order nan, bool descending, bool has_seconds, bool joins)
{
    cli_result result = CLI_OK;
    *out = (runs){.type = type, .nan = nan, .descending = descending, .keys = -1, .seconds = -1};
    out->size = clprim_type_size(type);
    out->has_seconds = has_seconds;
    out->joins = joins;
    CLI_TRY(temporary_open(&out->keys));
    if (has_seconds)
        CLI_TRY(temporary_open(&out->seconds));
done:
    return result;
}

void runs_end(runs *self)
{
    if (self->size > 0 && self->keys >= 0)
        (void)close(self->keys);
    if (self->size > 0 && self->seconds >= 0)
        (void)close(self->seconds);
    free(self->list);
    *self = (runs){.keys = -1, .seconds = -1};
}

/* To the run that was begun last. */
static cli_result append(void *user, const void *keys, const uint64_t *seconds, size_t count)
{
    runs *self = user;
    if (!file_write(self->keys, keys, count * self->size, (off_t)(self->end * self->size)) ||
        (self->has_seconds &&
         !file_write(self->seconds, seconds, count * sizeof *seconds, (off_t)(self->end * sizeof *seconds))))
        return temporary_failed();
    self->end += count;
    self->list[self->num_runs - 1].count += count;
    return CLI_OK;
}

static cli_result begin_run(runs *self)
{
    if (self->num_runs == self->capacity) {
        const size_t capacity = self->capacity > 0 ? 2 * self->capacity : 64;
        struct run *list = realloc(self->list, capacity * sizeof *list);
        if (list == NULL)
            return cli_refuse(NULL, "out of memory for %zu runs; give a larger --memory", capacity);
        self->list = list;
        self->capacity = capacity;
    }
    self->list[self->num_runs++] = (struct run){.first = self->end};
    return CLI_OK;
}

cli_result runs_add(runs *self, const void *keys, const uint64_t *seconds, size_t count)
{
    const cli_result result = begin_run(self);
    return result == CLI_OK ? append(self, keys, seconds, count) : result;
}

/* The next block of a run, if its last one is used up. */
static cli_result refill(const merge *self, reader *run)
{
    const size_t size = self->from->size;
    const size_t rest = run->end - run->next;
    size_t got_keys = 0;
    size_t got_seconds = 0;
    if (run->at < run->count)
        return CLI_OK;
    run->at = 0;
    run->count = rest < self->block ? rest : self->block;
    bool is_read = file_read(self->from->keys, run->keys, run->count * size, (off_t)(run->next * size), &got_keys);
    if (is_read && self->from->has_seconds)
        is_read = file_read(self->from->seconds, run->seconds, run->count * sizeof *run->seconds,
                            (off_t)(run->next * sizeof *run->seconds), &got_seconds);
    run->next += run->count;
    return is_read ? CLI_OK : temporary_failed();
}

static bool is_before(const entry *a, const entry *b)
{
    return a->place != b->place ? a->place < b->place : a->reader < b->reader;
}

static void sift_down(merge *self, size_t at)
{
    const entry moved = self->heap[at];
    for (size_t child; (child = 2 * at + 1) < self->num_entries; at = child) {
        if (child + 1 < self->num_entries && is_before(&self->heap[child + 1], &self->heap[child]))
            child++;
        if (!is_before(&self->heap[child], &moved))
            break;
        self->heap[at] = self->heap[child];
    }
    self->heap[at] = moved;
}

static cli_result flush(merge *self)
{
    const size_t count = self->count;
    self->count = 0;
    return count > 0 ? self->emit(self->user, self->keys, self->seconds, count) : CLI_OK;
}

/* The first element of the heap goes out. */
static cli_result take_first(merge *self)
{
    const size_t size = self->from->size;
    const uint64_t place = self->heap[0].place;
    reader *run = &self->readers[self->heap[0].reader];
    cli_result result = CLI_OK;
    if (self->from->joins && self->count > 0 && self->last == place) {
        self->seconds[self->count - 1] += run->seconds[run->at];
    } else {
        if (self->count == self->block) /* not before: the next one might be equal to the last one */
            CLI_TRY(flush(self));
        memcpy(self->keys + self->count * size, run->keys + run->at * size, size);
        if (self->from->has_seconds)
            self->seconds[self->count] = run->seconds[run->at];
        self->count++;
        self->last = place;
    }
    run->at++;
    CLI_TRY(refill(self, run));
    if (run->count > 0)
        self->heap[0].place = number_place(&self->order, run->keys + run->at * size);
    else
        self->heap[0] = self->heap[--self->num_entries];
    sift_down(self, 0);
done:
    return result;
}

/* Runs first .. first + count as one. */
static cli_result merge_group(merge *self, size_t first, size_t count)
{
    const runs *from = self->from;
    cli_result result = CLI_OK;
    size_t done_before = 0;
    self->num_entries = 0;
    for (size_t i = 0; i < count; i++) {
        reader *run = &self->readers[i];
        run->next = from->list[first + i].first;
        run->end = run->next + from->list[first + i].count;
        run->at = 0;
        run->count = 0;
        CLI_TRY(refill(self, run));
        if (run->count > 0)
            self->heap[self->num_entries++] = (entry){number_place(&self->order, run->keys), i};
    }
    for (size_t i = self->num_entries / 2; i > 0; i--)
        sift_down(self, i - 1);
    for (size_t taken = 0; self->num_entries > 0; taken++) {
        CLI_TRY(take_first(self));
        if (taken - done_before >= (size_t)1 << 20) {
            done_before = taken;
            cli_progress("merge", taken, from->end);
        }
    }
    CLI_TRY(flush(self));
done:
    return result;
}

static void *part_of(char **memory, size_t bytes)
{
    char *part = *memory;
    *memory += (bytes + 7) / 8 * 8;
    return part;
}

/* One block for each of `fan_in` runs and one for the output, all in *memory, which is the caller's to free. */
static cli_result give_memory(merge *self, char **memory, size_t fan_in)
{
    const size_t key_bytes = (self->block * self->from->size + 7) / 8 * 8;
    const size_t second_bytes = self->from->has_seconds ? self->block * sizeof(uint64_t) : 0;
    *memory = malloc(fan_in * (sizeof(reader) + sizeof(entry)) + (fan_in + 1) * (key_bytes + second_bytes));
    char *rest = *memory;
    if (rest == NULL) {
        (void)cli_refuse(NULL, "out of memory to merge %zu runs; give a smaller --memory", fan_in);
        return CLI_REFUSED;
    }
    self->readers = part_of(&rest, fan_in * sizeof(reader));
    self->heap = part_of(&rest, fan_in * sizeof(entry));
    for (size_t i = 0; i < fan_in; i++)
        self->readers[i] = (reader){.seconds = part_of(&rest, second_bytes), .keys = part_of(&rest, key_bytes)};
    self->seconds = part_of(&rest, second_bytes);
    self->keys = part_of(&rest, key_bytes);
    return CLI_OK;
}

/* Fewer runs, each of `fan_in`: a pass over all. */
static cli_result merge_pass(runs *self, merge *how, size_t fan_in)
{
    runs next = {.keys = -1, .seconds = -1};
    cli_result result = CLI_OK;
    CLI_TRY(runs_begin(&next, self->type, self->nan, self->descending, self->has_seconds, self->joins));
    how->emit = append;
    how->user = &next;
    for (size_t first = 0; first < self->num_runs; first += fan_in) {
        const size_t rest = self->num_runs - first;
        CLI_TRY(begin_run(&next));
        CLI_TRY(merge_group(how, first, rest < fan_in ? rest : fan_in));
    }
    runs_end(self);
    *self = next;
    next = (runs){.keys = -1, .seconds = -1}; /* ownership passed to the caller */
done:
    how->user = NULL;
    runs_end(&next);
    return result;
}

cli_result runs_merge(runs *self, size_t memory, runs_emit emit, void *user)
{
    const size_t bytes = self->size + (self->has_seconds ? sizeof(uint64_t) : 0);
    const size_t most = memory / (MIN_FAN_IN + 1) < MOST_BLOCK_BYTES ? memory / (MIN_FAN_IN + 1) : MOST_BLOCK_BYTES;
    merge how = {.from = self, .order = number_order_of(self->type, self->nan, self->descending)};
    how.block = most / bytes > 0 ? most / bytes : 1;
    const size_t by_memory = memory / (how.block * bytes) - 1;
    const size_t wanted = by_memory < MOST_FAN_IN ? by_memory : MOST_FAN_IN;
    const size_t fan_in = wanted < self->num_runs ? wanted : self->num_runs;
    char *blocks = NULL;
    cli_result result = CLI_OK;
    if (self->num_runs == 0)
        return CLI_OK;
    CLI_TRY(give_memory(&how, &blocks, fan_in));
    while (self->num_runs > fan_in)
        CLI_TRY(merge_pass(self, &how, fan_in));
    how.emit = emit;
    how.user = user;
    CLI_TRY(merge_group(&how, 0, self->num_runs));
done:
    free(blocks);
    return result;
}
