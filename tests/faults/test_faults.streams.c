// SPDX-License-Identifier: MIT
/* test_faults.streams.c: faults while a stream is created, processes batches, and writes its results. */
#include <clprim/clprim.h>

#include "support.h"
#include "sweep.h"

enum { TOTAL = 1000, BATCH = 400, PIECE = 200, K = 150 };

typedef struct bench {
    clprim_runtime *runtime;
    clprim_stream *stream;
    uint32_t in[TOTAL], out[TOTAL], expected[TOTAL], total, expected_total;
    size_t written;
    clprim_status (*make)(struct bench *self);
    clprim_status (*push)(struct bench *self, size_t begin, size_t count);
} bench;

static clprim_status run(void *user)
{
    bench *self = user;
    clprim_status status = self->make(self);
    self->written = 0;
    for (size_t begin = 0; begin < TOTAL && status == CLPRIM_SUCCESS; begin += BATCH)
        status = self->push(self, begin, TOTAL - begin < BATCH ? TOTAL - begin : BATCH);
    return status == CLPRIM_SUCCESS ? clprim_stream_result(self->stream) : status;
}

static bool is_right(void *user)
{
    const bench *self = user;
    return (memcmp(self->out, self->expected, sizeof self->out) == 0 && self->total == self->expected_total) ||
           sweep_wrong("the result is wrong");
}

/* A stream that has failed stays so, and no command uses the caller's arrays any more. */
static bool is_kept(void *user, const faults_report *report)
{
    const bench *self = user;
    return (report->pending == 0 || report->is_lost) || self->stream == NULL ||
           sweep_wrong("%u commands may still use the arrays", report->pending);
}

static void clear(void *user)
{
    bench *self = user;
    clprim_stream_destroy(self->stream);
    self->stream = NULL;
}

static void survive(const char *name, clprim_status (*make)(bench *self),
                    clprim_status (*push)(bench *self, size_t begin, size_t count))
{
    static bench self;
    memset(&self, 0, sizeof self);
    self.runtime = test_runtime(NULL);
    self.make = make;
    self.push = push;
    for (uint32_t i = 0; i < TOTAL; i++)
        self.in[i] = i * 7919 % 1009;
    faults_refuse_threads(true);
    ASSERT_OK(run(&self));
    clprim_stream *first = self.stream; /* its plans keep their programs, so that they are built only once */
    self.stream = NULL;
    memcpy(self.expected, self.out, sizeof self.out);
    self.expected_total = self.total;
    const sweep s = {.name = name,
                     .ways = SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY,
                     .tolerated = "clWaitForEvents clRetainEvent clRetainCommandQueue clCreateBuffer",
                     .self = &self,
                     .run = run,
                     .is_kept = is_kept,
                     .is_right = is_right,
                     .clear = clear};
    sweep_expect(&s);
    clprim_stream_destroy(first);
    clprim_runtime_destroy(self.runtime);
}

static clprim_status make_scan(bench *self)
{
    static const clprim_scan_desc desc = {.type = CLPRIM_U32, .exclusive = true};
    return clprim_stream_create(&self->stream, self->runtime, &clprim_scan_operation, &desc,
                                &(clprim_scan_call){.count = PIECE});
}

static clprim_status push_scan(bench *self, size_t begin, size_t count)
{
    return clprim_stream_push(
        self->stream,
        &(clprim_scan_call){.in = {.host = self->in + begin}, .count = count, .out = {.host = self->out + begin}});
}

static clprim_status make_select(bench *self)
{
    static const clprim_select_desc desc = {.type = CLPRIM_U32, .predicate = "x % 3 == 1 || i % 5 == 0"};
    return clprim_stream_create(&self->stream, self->runtime, &clprim_select_operation, &desc,
                                &(clprim_select_call){.count = PIECE, .out_count = {.host = &self->total}});
}

static clprim_status push_select(bench *self, size_t begin, size_t count)
{
    uint32_t number = 0;
    const clprim_status status = clprim_stream_push(
        self->stream,
        &(clprim_select_call){.in = {.host = self->in + begin},
                              .count = count,
                              .out = {.host = self->out, .offset = self->written, .length = TOTAL - self->written},
                              .out_count = {.host = &number}});
    self->written += number;
    return status;
}

static clprim_status make_top_k(bench *self)
{
    static const clprim_top_k_desc desc = {.k = K};
    return clprim_stream_create(&self->stream, self->runtime, &clprim_top_k_operation, &desc,
                                &(clprim_top_k_call){.count = PIECE, .keys_out = {.host = self->out}});
}

static clprim_status push_top_k(bench *self, size_t begin, size_t count)
{
    return clprim_stream_push(self->stream,
                              &(clprim_top_k_call){.keys_in = {.host = self->in + begin}, .count = count});
}

FAULTS_TEST(streams_survive)
{
    survive("a stream of scan", make_scan, push_scan);
    survive("a stream of select", make_select, push_select);
    survive("a stream of top_k", make_top_k, push_top_k);
}
