// SPDX-License-Identifier: MIT
/* test_distributed.errors.c: an operation that fails on one rank fails on all, and leaves the inputs unchanged. */
#include <stdio.h>

#include "call.h"
#include "ranks.h"

enum { COUNT = 50, SIZE = 3 };

/* One sort of few keys in place, in which one rank differs from the others. */
typedef struct trial {
    unsigned culprit;
    void (*spoil)(struct trial *self); /* the mistake that this rank makes */
    clprim_status expected;
    const char *sentence; /* a part of the sentence that all ranks return */
    bool is_nobodys;      /* the sentence does not name a rank */
    /* The data that each rank works with. */
    const cases_rank *rank;
    clprim_comm comm;
    clprim_radix_sort_desc desc;
    clprim_radix_sort_call call;
    const clprim_radix_sort_call *given;
    size_t room;
    uint32_t keys[COUNT];
    /* A communicator that fails: the countdown-th call from now on. Before it fails, it takes part in that call or
     * not. */
    const clprim_comm *inner;
    size_t *countdown; /* NULL: never */
    bool takes_part;
} trial;

static bool fails(trial *self)
{
    return self->countdown != NULL && *self->countdown > 0 && --*self->countdown == 0;
}

enum { CODE = 77 };

static int gather(void *user, const void *mine, size_t bytes, void *all)
{
    trial *self = user;
    const bool failing = fails(self);
    const int code = !failing || self->takes_part ? self->inner->all_gather(self->inner->user, mine, bytes, all) : 0;
    return failing ? CODE : code;
}

static int reduce(void *user, uint64_t *sums, size_t count)
{
    trial *self = user;
    const bool failing = fails(self);
    const int code = !failing || self->takes_part ? self->inner->all_reduce_sum(self->inner->user, sums, count) : 0;
    return failing ? CODE : code;
}

static int exchange(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes)
{
    trial *self = user;
    const bool failing = fails(self);
    const int code =
        !failing || self->takes_part ? self->inner->all_to_all(self->inner->user, out, out_bytes, in, in_bytes) : 0;
    return failing ? CODE : code;
}

static int share(void *user, size_t bytes, void **mine, const void **of_ranks, uint64_t *version)
{
    trial *self = user;
    const bool failing = fails(self);
    const int code =
        !failing || self->takes_part ? self->inner->share(self->inner->user, bytes, mine, of_ranks, version) : 0;
    return failing ? CODE : code;
}

static void give_up(void *user)
{
    const trial *self = user;
    self->inner->abort(self->inner->user);
}

static void prepare(trial *self, const trial *like, cases_rank *rank)
{
    *self = *like;
    self->rank = rank;
    self->inner = rank->comm;
    self->comm = (clprim_comm){rank->comm->rank, rank->comm->size, self, gather, reduce, exchange, give_up, share};
    for (uint32_t i = 0; i < COUNT; i++)
        self->keys[i] = i * 2654435761u >> 7;
    self->room = COUNT;
    self->call =
        (clprim_radix_sort_call){.keys_in = {.host = self->keys}, .count = COUNT, .keys_out = {.host = self->keys}};
    self->given = &self->call;
    if (self->comm.rank == self->culprit && self->spoil != NULL)
        self->spoil(self);
}

static clprim_status sort(trial *self)
{
    return clprim_distributed_radix_sort(&self->comm, self->rank->runtime, &self->desc, self->given, &self->room, NULL);
}

static bool is_sorted(const trial *self)
{
    for (size_t i = 1; i < COUNT; i++)
        if (self->keys[i - 1] > self->keys[i])
            return false;
    return true;
}

/* Whether the arrays are unchanged. */
static bool are_as_they_were(const trial *self)
{
    for (uint32_t i = 0; i < COUNT; i++)
        if (self->keys[i] != i * 2654435761u >> 7)
            return false;
    return true;
}

static void expect_failure(cases_rank *rank, void *user)
{
    const trial *like = user;
    char culprit[16];
    trial self;
    prepare(&self, like, rank);
    const clprim_status status = sort(&self);
    (void)snprintf(culprit, sizeof culprit, "rank %u", like->culprit);
    if (status != like->expected || strstr(clprim_last_error(), like->sentence) == NULL ||
        (!like->is_nobodys && strstr(clprim_last_error(), culprit) == NULL))
        (void)snprintf(rank->message, CASES_MESSAGE, "%s on rank %u, not rank %u: %s: %s (%s)", like->sentence,
                       rank->comm->rank, like->culprit, like->sentence, clprim_status_string(status),
                       clprim_last_error());
    else if (!are_as_they_were(&self))
        (void)snprintf(rank->message, CASES_MESSAGE, "%s: the keys of rank %u have changed", like->sentence,
                       rank->comm->rank);
    /* The ranks can go on. */
    self.spoil = NULL;
    const trial again = {.desc = like->desc};
    prepare(&self, &again, rank);
    if (rank->message[0] == '\0' && (sort(&self) != CLPRIM_SUCCESS || !is_sorted(&self)))
        (void)snprintf(rank->message, CASES_MESSAGE, "after %s: rank %u: %s", like->sentence, rank->comm->rank,
                       clprim_last_error());
}

static void no_call(trial *self)
{
    self->given = NULL;
}

static void no_keys(trial *self)
{
    self->call.keys_in.host = NULL;
}

static void no_output(trial *self)
{
    self->call.keys_out.host = NULL;
}

static void short_output(trial *self)
{
    self->call.keys_out.length = COUNT - 1;
}

static void overlapping(trial *self)
{
    self->call.keys_out.offset = 1;
}

static void a_buffer(trial *self)
{
    self->call.keys_out = (clprim_array){.buffer = (cl_mem)(void *)self->keys};
}

static void too_many(trial *self)
{
    self->desc.max_count = COUNT - 1;
}

static void unknown_variant(trial *self)
{
    self->desc.variant = 1000;
}

static void other_order(trial *self)
{
    self->desc.descending = !self->desc.descending;
}

static void expression(trial *self)
{
    self->desc.input = "i";
}

static void more_room(trial *self)
{
    self->room++;
}

Test(distributed, agrees_on_errors, .timeout = 600)
{
    static const struct {
        void (*spoil)(trial *self);
        clprim_status expected;
        const char *sentence;
        bool is_nobodys;
    } rows[] = {
        {no_call, CLPRIM_INVALID_ARGUMENT, "call is NULL", false},
        {no_keys, CLPRIM_INVALID_ARGUMENT, "keys_in is NULL", false},
        {no_output, CLPRIM_INVALID_ARGUMENT, "keys_out is NULL", false},
        {short_output, CLPRIM_INVALID_RANGE, "keys_out has 49 elements", false},
        {overlapping, CLPRIM_INVALID_OVERLAP, "keys_in and keys_out overlap", false},
        {a_buffer, CLPRIM_UNSUPPORTED, "keys_out is not on the host", false},
        {too_many, CLPRIM_INVALID_RANGE, "max_count", false},
        {unknown_variant, CLPRIM_INVALID_ARGUMENT, "variant", false},
        {expression, CLPRIM_UNSUPPORTED, ".input is not supported", false},
        {other_order, CLPRIM_INVALID_ARGUMENT, "differ", false},
        {more_room, CLPRIM_INVALID_RANGE, "room for 151 elements, but there are 150", true},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned culprit = 0; culprit < SIZE; culprit++) {
            cases_rank results[CASES_RANKS];
            trial like = {.culprit = culprit,
                          .spoil = rows[i].spoil,
                          .expected = rows[i].expected,
                          .sentence = rows[i].sentence,
                          .is_nobodys = rows[i].is_nobodys};
            ranks_run(results, SIZE, &runtime, true, expect_failure, &like);
            ranks_expect_ok(results, SIZE);
        }
    clprim_runtime_destroy(runtime);
}

/* Members of the descriptions for runs that only the operations on one device support. */
static void expect_unsupported(cases_rank *rank, void *user)
{
    static const struct {
        clprim_unique_desc desc;
        const char *sentence;
    } rows[] = {{{.value_size = 4}, ".value_size is not supported"}, {{.indices = true}, ".indices is not supported"}};
    static const clprim_run_length_encode_desc runs[] = {{.min_length = 2}, {.offsets = true}};
    static const char *const refused[] = {".min_length is not supported", ".offsets is not supported"};
    int32_t number = 1, more = 77;
    uint32_t count = 77;
    (void)user;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_unique_call call = {.in = {.host = &number},
                                         .values_in = {.host = rows[i].desc.indices ? NULL : &number},
                                         .count = 1,
                                         .out = {.host = &more},
                                         .values_out = {.host = &more},
                                         .out_count = {.host = &count}};
        const clprim_status status =
            clprim_distributed_unique(rank->comm, rank->runtime, &rows[i].desc, &call, NULL, NULL);
        if (status != CLPRIM_UNSUPPORTED || strstr(clprim_last_error(), rows[i].sentence) == NULL || more != 77)
            (void)snprintf(rank->message, CASES_MESSAGE, "unique: %s (%s)", clprim_status_string(status),
                           clprim_last_error());
    }
    for (size_t i = 0; i < 2; i++) {
        const clprim_run_length_encode_call call = {.in = {.host = &number},
                                                    .count = 1,
                                                    .out = {.host = &more},
                                                    .lengths_out = {.host = &count},
                                                    .offsets_out = {.host = runs[i].offsets ? &count : NULL},
                                                    .out_count = {.host = &count}};
        const clprim_status status =
            clprim_distributed_run_length_encode(rank->comm, rank->runtime, &runs[i], &call, NULL, NULL);
        if (status != CLPRIM_UNSUPPORTED || strstr(clprim_last_error(), refused[i]) == NULL || count != 77)
            (void)snprintf(rank->message, CASES_MESSAGE, "run_length_encode: %s (%s)", clprim_status_string(status),
                           clprim_last_error());
    }
}

Test(distributed, refuses_what_only_one_device_takes, .timeout = 600)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cases_rank results[CASES_RANKS];
    ranks_run(results, SIZE, &runtime, true, expect_unsupported, NULL);
    ranks_expect_ok(results, SIZE);
    clprim_runtime_destroy(runtime);
}

/* A rank whose own piece fits in a work-group's local memory, but not the part that it receives: its second sort fails,
 * when the others have sorted theirs. */
enum { LARGE = 200000 };
static void expect_late_failure(cases_rank *rank, void *user)
{
    const unsigned culprit = *(const unsigned *)user;
    const unsigned mine = rank->comm->rank;
    const bool has_most = mine == (culprit + 1) % SIZE;
    const size_t count = has_most ? LARGE : 8;
    const size_t room = mine == culprit ? LARGE : 8;
    uint64_t *keys = test_allocate((LARGE + 1) * sizeof *keys);
    char sentence[16];
    for (size_t i = 0; i < count; i++)
        keys[i] = LARGE - i;
    const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U64,
                                         .max_count = mine == culprit ? 8 : 0,
                                         .variant = mine == culprit ? CLPRIM_RADIX_SORT_SINGLE_GROUP : 0};
    const clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = count, .keys_out = {.host = keys}};
    const clprim_status status = clprim_distributed_radix_sort(rank->comm, rank->runtime, &desc, &call, &room, NULL);
    (void)snprintf(sentence, sizeof sentence, "rank %u: ", culprit);
    if (status != CLPRIM_UNSUPPORTED || strstr(clprim_last_error(), sentence) == NULL)
        (void)snprintf(rank->message, CASES_MESSAGE, "rank %u: %s (%s)", mine, clprim_status_string(status),
                       clprim_last_error());
    for (size_t i = 0; i < count; i++)
        if (keys[i] != LARGE - i)
            (void)snprintf(rank->message, CASES_MESSAGE, "rank %u: key %zu has changed", mine, i);
    free(keys);
}

TEST_EACH(distributed, leaves_inputs_in_place_if_the_last_step_fails, 2, .timeout = 600)
{
    const bool has_own_memory = *number != 0;
    clprim_runtime *runtime = ranks_runtime(has_own_memory);
    for (unsigned culprit = 0; culprit < SIZE; culprit++) {
        cases_rank results[CASES_RANKS];
        ranks_run(results, SIZE, &runtime, true, expect_late_failure, &culprit);
        ranks_expect_ok(results, SIZE);
    }
    clprim_runtime_destroy(runtime);
}

/* Communication fails on one rank, which returns an error. Other ranks may have finished before they could know. */
static void expect_no_harm(cases_rank *rank, void *user)
{
    const trial *like = user;
    trial self;
    prepare(&self, like, rank);
    self.countdown = rank->comm->rank == like->culprit ? like->countdown : NULL;
    const clprim_status status = sort(&self);
    const bool has_failed = like->countdown != NULL && *like->countdown == 0;
    const bool may_succeed = rank->comm->rank != like->culprit ? like->takes_part || !has_failed : !has_failed;
    const bool is_right = status == CLPRIM_SUCCESS       ? may_succeed && is_sorted(&self)
                          : status == CLPRIM_COMM_FAILED ? are_as_they_were(&self)
                                                         : false;
    if (!is_right)
        (void)snprintf(rank->message, CASES_MESSAGE, "rank %u failed: rank %u: %s (%s)", like->culprit,
                       rank->comm->rank, clprim_status_string(status), clprim_last_error());
    if (status != CLPRIM_SUCCESS && self.countdown != NULL &&
        strstr(clprim_last_error(), "returned 77 on rank") == NULL)
        (void)snprintf(rank->message, CASES_MESSAGE, "the sentence is: %s", clprim_last_error());
}

TEST_EACH(distributed, ends_when_communication_fails, 2, .timeout = 600)
{
    const bool has_own_memory = *number != 0;
    clprim_runtime *runtime = ranks_runtime(has_own_memory);
    const bool is_shared = has_own_memory || !clprim_runtime_info(runtime)->is_unified_memory;
    for (unsigned culprit = 0; culprit < SIZE; culprit++)
        for (int takes_part = 0; takes_part < 2; takes_part++) {
            size_t calls = 0;
            for (size_t left = 0; left == 0;) {
                cases_rank results[CASES_RANKS];
                left = ++calls;
                trial like = {.culprit = culprit, .countdown = &left, .takes_part = takes_part != 0};
                ranks_run(results, SIZE, &runtime, true, expect_no_harm, &like);
                ranks_expect_ok(results, SIZE);
            }
            cr_assert(calls > (is_shared ? 6 : 10), "only %zu calls of the communicator", calls);
        }
    clprim_runtime_destroy(runtime);
}

/* Operations for which a zeroed description is not enough report that there is none. */
Test(distributed, descriptions_left_out)
{
    clprim_comm comm;
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t keys[] = {3, 1, 2};
    const clprim_top_k_call call = {.keys_in = {.host = keys}, .count = 3, .keys_out = {.host = keys}};
    ASSERT_OK(clprim_comm_threads_create(&comm, 1));
    test_expect_status(clprim_distributed_top_k(&comm, runtime, NULL, &call), CLPRIM_INVALID_ARGUMENT, "desc is NULL",
                       "top_k");
    ASSERT_OK(clprim_distributed_radix_sort(
        &comm, runtime, NULL,
        &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = 3, .keys_out = {.host = keys}}, NULL, NULL));
    cr_assert(keys[0] == 1 && keys[1] == 2 && keys[2] == 3);
    clprim_comm_threads_destroy(&comm);
    clprim_runtime_destroy(runtime);
}
