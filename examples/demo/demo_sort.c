// SPDX-License-Identifier: MIT
/* demo_sort.c: the pixels in the order of their brightness, where each was, and the percentiles read from them. */
#include <clprim/radix_sort.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "timing.h"

/* Does the reference sort the same, pixels and places? */
static clprim_status check(bool *is_right, const uint8_t *pixels, size_t n, const uint8_t *sorted,
                           const uint32_t *places)
{
    static const clprim_reference_sort_how how = {.key_type = CLPRIM_U8, .argsort = true};
    uint8_t *expected = malloc(n);
    uint32_t *expected_places = malloc(n * sizeof *expected_places);
    clprim_status status = CLPRIM_SUCCESS;
    if (expected == NULL || expected_places == NULL) {
        status = example_fail("no memory for %zu pixels on the host", n);
        goto done;
    }
    memcpy(expected, pixels, n);
    EXAMPLE_TRY(clprim_reference_sort(expected, expected_places, &how, n));
    *is_right = memcmp(sorted, expected, n) == 0 && memcmp(places, expected_places, n * sizeof *places) == 0;
done:
    free(expected);
    free(expected_places);
    return status;
}

/* The lowest level up to which there are so many percent of the pixels stands at that place of the sorted ones. The
 * histogram, added up, must say the same. */
static void print_percentiles(demo *self, const uint8_t *sorted, size_t n)
{
    static const unsigned percents[] = {1, 5, 25, 50, 75, 95, 99};
    uint32_t up_to[LEVELS];
    bool is_right = true;
    up_to[0] = self->histogram[0];
    for (size_t level = 1; level < LEVELS; level++)
        up_to[level] = up_to[level - 1] + self->histogram[level];
    printf("  percentiles  ");
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        const size_t place = (n * percents[i] + 99) / 100;
        const unsigned level = sorted[place > 0 ? place - 1 : 0];
        is_right = is_right && level == demo_level_at(up_to, percents[i]);
        if (percents[i] == 50)
            printf(" median %u,", level);
        else
            printf(" %u %% %u,", percents[i], level);
    }
    printf(" as the histogram has it (%s)\n", demo_judge(self, is_right));
}

clprim_status demo_sort_facts(demo *self)
{
    static const char path[] = CLPRIM_EXAMPLE_PICTURE_DIR "/demo_sorted.png";
    static const clprim_radix_sort_desc by_brightness = {.key_type = CLPRIM_U8, .argsort = true};
    const size_t width = self->photo.width;
    const size_t n = width * self->photo.height;
    image sorted = self->photo;
    uint32_t *places = malloc(n * sizeof *places);
    bool is_right = false;
    clprim_status status = CLPRIM_SUCCESS;
    sorted.samples = malloc(n);
    if (places == NULL || sorted.samples == NULL) {
        status = example_fail("no memory for %zu pixels on the host", n);
        goto done;
    }
    memcpy(sorted.samples, self->photo.samples, n);
    EXAMPLE_TRY(clprim_radix_sort_run(self->program.runtime, &by_brightness,
                                      &(clprim_radix_sort_call){.keys_in = {.host = sorted.samples},
                                                                .count = n,
                                                                .keys_out = {.host = sorted.samples},
                                                                .values_out = {.host = places}}));
    EXAMPLE_TRY(check(&is_right, self->photo.samples, n, sorted.samples, places));
    EXAMPLE_TRY(image_write(&sorted, path));
    printf("  sorted        from %u, first at x = %zu, y = %zu, to %u, last at x = %zu, y = %zu (%s)\n",
           (unsigned)sorted.samples[0], places[0] % width, places[0] / width, (unsigned)sorted.samples[n - 1],
           places[n - 1] % width, places[n - 1] / width, demo_judge(self, is_right));
    printf("                drawn in %s\n", path);
    print_percentiles(self, sorted.samples, n);
done:
    image_clear(&sorted);
    free(places);
    return status;
}

typedef struct speed_row {
    const char *name;
    const char *elements;
    clprim_type type;
    size_t value_size; /* of the places that go along; 0: none */
    bool is_wide;      /* the large array instead of the photograph */
} speed_row;

static const speed_row speed_rows[] = {
    {"sort", "u8", CLPRIM_U8, 0, false},  {"sort pairs", "u8+u32", CLPRIM_U8, sizeof(uint32_t), false},
    {"sort", "u8", CLPRIM_U8, 0, true},   {"sort pairs", "u8+u32", CLPRIM_U8, sizeof(uint32_t), true},
    {"sort", "u32", CLPRIM_U32, 0, true}, {"sort", "f32", CLPRIM_F32, 0, true},
};

/* Data and results on the device, a plan made once: as between other kernels; and on the host, for the plain loop, of
 * which the results are its own. */
typedef struct speed_work {
    const speed_row *row;
    cl_command_queue queue;
    clprim_plan *plan;
    size_t n;
    size_t size; /* of a key */
    cl_mem keys, places, sorted, sorted_places;
    void *host_keys, *host_sorted; /* sorted: with room for as many keys more */
    uint32_t *host_places, *host_sorted_places;
} speed_work;

static clprim_status enqueue(void *user)
{
    const speed_work *w = user;
    clprim_status status = CLPRIM_SUCCESS;
    clprim_radix_sort_call call = {.keys_in = {w->keys}, .count = w->n, .keys_out = {w->sorted}};
    if (w->row->value_size > 0) {
        call.values_in = (clprim_array){.buffer = w->places};
        call.values_out = (clprim_array){.buffer = w->sorted_places};
    }
    EXAMPLE_TRY(clprim_radix_sort_enqueue(w->plan, w->queue, &call, 0, NULL, NULL));
done:
    return status;
}

static clprim_status run_plain_loop(void *user)
{
    const speed_work *w = user;
    if (w->row->value_size != 0)
        serial_sort_pairs_u8(w->host_sorted, w->host_sorted_places, w->host_keys, w->host_places, w->n);
    else if (w->row->type == CLPRIM_U8)
        serial_sort_u8(w->host_sorted, w->host_keys, w->n);
    else if (w->row->type == CLPRIM_U32)
        serial_sort_u32(w->host_sorted, w->host_keys, w->n);
    else
        serial_sort_f32(w->host_sorted, w->host_keys, w->n);
    return CLPRIM_SUCCESS;
}

/* n keys of a row's type, to be freed. Of wide ones a pixel's level is but the leading part: its place, scrambled,
 * follows, lest most bits were those of all keys. Floats have either sign. */
static clprim_status make_keys(void **out, const speed_row *row, const image *photo, size_t n)
{
    const size_t pixels = photo->width * photo->height;
    void *keys = malloc(n * clprim_type_size(row->type));
    if (keys == NULL)
        return example_fail("no memory for %zu keys on the host", n);
    for (size_t i = 0; i < n; i++) {
        const uint8_t level = photo->samples[i % pixels];
        const uint32_t scrambled = (uint32_t)i * 2654435761U >> 8;
        if (row->type == CLPRIM_U8)
            ((uint8_t *)keys)[i] = level;
        else if (row->type == CLPRIM_U32)
            ((uint32_t *)keys)[i] = (uint32_t)level << 24 | scrambled;
        else
            ((float *)keys)[i] = (float)level - 110 + (float)scrambled * 0x1p-24F;
    }
    *out = keys;
    return CLPRIM_SUCCESS;
}

static clprim_status make_places(uint32_t **out, size_t n)
{
    uint32_t *places = malloc(n * sizeof *places);
    if (places == NULL)
        return example_fail("no memory for %zu places on the host", n);
    for (size_t i = 0; i < n; i++)
        places[i] = (uint32_t)i;
    *out = places;
    return CLPRIM_SUCCESS;
}

/* On failure, too, *w is to be ended. */
static clprim_status begin(speed_work *w, const demo *self, const speed_row *row, void *keys, uint32_t *places,
                           size_t n)
{
    const example *program = &self->program;
    const size_t size = clprim_type_size(row->type);
    const clprim_radix_sort_desc desc = {.key_type = row->type, .value_size = row->value_size, .max_count = n};
    clprim_status status = CLPRIM_SUCCESS;
    *w = (speed_work){.row = row,
                      .queue = program->queue,
                      .n = n,
                      .size = size,
                      .host_keys = keys,
                      .host_places = places,
                      .host_sorted = malloc(2 * n * size),
                      .host_sorted_places = malloc(n * sizeof(uint32_t))};
    if (w->host_sorted == NULL || w->host_sorted_places == NULL)
        return example_fail("no memory for %zu keys on the host", n);
    EXAMPLE_TRY(example_upload(&w->keys, program, keys, n * size));
    EXAMPLE_TRY(example_upload(&w->sorted, program, NULL, n * size));
    EXAMPLE_TRY(example_upload(&w->places, program, places, n * sizeof(uint32_t)));
    EXAMPLE_TRY(example_upload(&w->sorted_places, program, NULL, n * sizeof(uint32_t)));
    EXAMPLE_TRY(clprim_radix_sort_create(&w->plan, program->runtime, &desc));
done:
    return status;
}

static void end(speed_work *w)
{
    clprim_plan_destroy(w->plan);
    example_release(w->keys);
    example_release(w->sorted);
    example_release(w->places);
    example_release(w->sorted_places);
    free(w->host_sorted);
    free(w->host_sorted_places);
}

/* Compare what is on the device with what the plain loop has made; what that read is no longer needed. */
static clprim_status compare(bool *is_right, speed_work *w)
{
    const size_t value_bytes = w->n * w->row->value_size;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueReadBuffer(w->queue, w->sorted, CL_TRUE, 0, w->n * w->size, w->host_keys, 0, NULL, NULL));
    *is_right = memcmp(w->host_keys, w->host_sorted, w->n * w->size) == 0;
    if (value_bytes == 0)
        return status;
    EXAMPLE_TRY(
        clEnqueueReadBuffer(w->queue, w->sorted_places, CL_TRUE, 0, value_bytes, w->host_places, 0, NULL, NULL));
    *is_right = *is_right && memcmp(w->host_places, w->host_sorted_places, value_bytes) == 0;
done:
    return status;
}

static clprim_status show_speed(demo *self, const speed_row *row, size_t n)
{
    speed_work work = {.n = 0};
    void *keys = NULL;
    uint32_t *places = NULL;
    bool is_right = false;
    timing seconds = {0};
    timing cpu_seconds = {0};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(make_keys(&keys, row, &self->photo, n));
    EXAMPLE_TRY(make_places(&places, n));
    EXAMPLE_TRY(begin(&work, self, row, keys, places, n));
    EXAMPLE_TRY(timing_host(&cpu_seconds, &self->program, run_plain_loop, &work));
    EXAMPLE_TRY(timing_measure(&seconds, &self->program, enqueue, &work));
    EXAMPLE_TRY(compare(&is_right, &work));
    demo_speed(self, row->name, row->elements, n, 2 * n * (work.size + row->value_size), seconds.median,
               cpu_seconds.median, is_right);
done:
    end(&work);
    free(keys);
    free(places);
    return status;
}

clprim_status demo_sort_speeds(demo *self)
{
    /* fewer than of other primitives: the CPU takes long */
    const size_t wide_n = example_count(&self->program, 4, (size_t)1 << 18, (size_t)1 << 24, (size_t)1 << 22);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < sizeof speed_rows / sizeof *speed_rows; i++)
        EXAMPLE_TRY(
            show_speed(self, &speed_rows[i], speed_rows[i].is_wide ? wide_n : self->photo.width * self->photo.height));
done:
    return status;
}
