// SPDX-License-Identifier: MIT
/* distributed_shuffle.c: each rank computes where its elements go. A sort by these places brings them there. */
#include <clprim/distributed.h>
#include <stdlib.h>
#include <string.h>

#include "shuffle_permutation.h"
#include "team.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

/* The permutation and its inverse, as kernels/shuffle/parts/permutation.cl has it, for places that need not begin at 0. */
static const char source[] =
    "typedef struct {\n"
    "    ulong count, first;\n"
    "    uint rows, columns, rounds, keys[" TEXT(
        NUM_KEYS) "];\n"
                  "} permutation;\n"
                  "ulong scrambled(ulong x, uint key, uint limit)\n"
                  "{\n"
                  "    uint h = ((uint)x ^ key) * 0x9e3779b1u;\n"
                  "    h = (h ^ h >> 15) * 0x85ebca6bu;\n"
                  "    h = (h ^ h >> 16) * 0xc2b2ae35u;\n"
                  "    return (ulong)h * limit >> 32;\n"
                  "}\n"
                  "ulong moved_from(ulong i, permutation p)\n"
                  "{\n"
                  "    i += p.first;\n"
                  "    do {\n"
                  "        ulong row = i / p.columns, column = i % p.columns;\n"
                  "        for (uint k = 0; k < p.rounds; k += 2) {\n"
                  "            row = (row + scrambled(column, p.keys[k], p.rows)) % p.rows;\n"
                  "            column = (column + scrambled(row, p.keys[k + 1], p.columns)) % p.columns;\n"
                  "        }\n"
                  "        i = row * p.columns + column;\n"
                  "    } while (i >= p.count);\n"
                  "    return i;\n"
                  "}\n"
                  "ulong moved_to(ulong i, permutation p)\n"
                  "{\n"
                  "    i += p.first;\n"
                  "    do {\n"
                  "        ulong row = i / p.columns, column = i % p.columns;\n"
                  "        for (uint k = p.rounds; k > 0; k -= 2) {\n"
                  "            column += p.columns - scrambled(row, p.keys[k - 1], p.columns);\n"
                  "            column %= p.columns;\n"
                  "            row = (row + p.rows - scrambled(column, p.keys[k - 2], p.rows)) % p.rows;\n"
                  "        }\n"
                  "        i = row * p.columns + column;\n"
                  "    } while (i >= p.count);\n"
                  "    return i;\n"
                  "}\n";

/* The struct of that text. */
typedef struct permutation {
    cl_ulong count, first;
    cl_uint rows, columns, rounds, keys[NUM_KEYS], unused;
} permutation;

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_shuffle_desc *desc;
    const clprim_shuffle_call *call;
    clprim_type place_type;
    void *places;
} job;

/* Write the values of an expression for the indices of the whole array from `first` on. */
static clprim_status compute(const job *self, const char *expression, clprim_type type, uint64_t first, size_t count,
                             const clprim_array *out)
{
    const clprim__permutation of = clprim__permutation_of(self->team.total_count, self->call->seed);
    permutation p = {.count = of.count,
                     .first = first,
                     .rows = of.rows,
                     .columns = of.columns,
                     .rounds = of.count <= FEW ? NUM_KEYS : ROUNDS};
    const clprim_transform_desc desc = {
        .expressions = {expression},
        .types = {type},
        .text = {.source = source,
                 .parameters = {{.name = "p", .type_name = "permutation", .type_size = sizeof(permutation)}}},
        .max_count = clprim__max_count_for(0, count)};
    memcpy(p.keys, of.keys, sizeof p.keys);
    if (count == 0)
        return CLPRIM_SUCCESS;
    return clprim_transform_run(self->task->runtime, &desc,
                                &(clprim_transform_call){.arguments = {{.host = &p}}, .count = count, .out = {*out}});
}

/* The places in the whole output of this rank's elements. */
static clprim_status compute_places(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const size_t count = self->task->count;
    self->place_type = self->team.total_count > UINT32_MAX ? CLPRIM_U64 : CLPRIM_U32;
    CLPRIM__TRY(clprim__team_memory(&self->places, count, clprim_type_size(self->place_type)));
    status = compute(self, "moved_to(i, p)", self->place_type, self->team.first_count, count,
                     &(clprim_array){.host = self->places});
done:
    return status;
}

/* Sort the elements by their places. The room of each rank, and what it has received, is that of the shuffle. */
static clprim_status sort(const job *self)
{
    const clprim__task *task = self->task;
    clprim_sort_by_key_desc desc = {.key_type = self->place_type,
                                    .bit_range = true,
                                    .end_bit = 8,
                                    .values_only = true,
                                    .num_arrays = 1,
                                    .element_sizes = {self->desc->element_size},
                                    .max_count = clprim__max_count_for(0, task->count)};
    while ((self->team.total_count - 1) >> (desc.end_bit - 1) > 1) /* whole digits, so that few programs are compiled */
        desc.end_bit += 8;
    return clprim_distributed_sort_by_key(self->team.comm, task->runtime, &desc,
                                          &(clprim_sort_by_key_call){.keys_in = {.host = self->places},
                                                                     .arrays_in = {self->call->in},
                                                                     .count = task->count,
                                                                     .arrays_out = {self->call->out}},
                                          &task->room, NULL);
}

static clprim_status agree_on_seed(job *self)
{
    uint64_t *all = self->team.numbers;
    const clprim_status status = clprim__team_gather(&self->team, &self->call->seed, sizeof self->call->seed, all);
    for (unsigned r = 1; r < self->team.comm->size && status == CLPRIM_SUCCESS; r++)
        if (all[r] != all[0])
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "clprim_distributed_shuffle: the .seed of ranks 0 and %u differ", r);
    return status;
}

static clprim_status run_job(job *self, clprim_distributed_part *part)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__team *team = &self->team;
    CLPRIM__TRY(clprim__team_open(team, self->task));
    CLPRIM__TRY(clprim__team_check_room(team));
    CLPRIM__TRY(agree_on_seed(self));
    if (self->desc->indices) {
        CLPRIM__TRY(clprim__team_check_numbers(team, self->desc->index_type, team->total_count, "indices"));
        status = compute(self, "moved_from(i, p)",
                         self->desc->index_type != CLPRIM_TYPE_DEFAULT ? self->desc->index_type : CLPRIM_U32,
                         team->first_room, self->task->room, &self->call->out);
        CLPRIM__TRY(clprim__team_agree(team, status));
    } else {
        CLPRIM__TRY(clprim__team_agree(team, compute_places(self)));
        if (team->total_count > 0)
            CLPRIM__TRY(sort(self));
    }
    clprim__team_tell_room(part, team);
done:
    free(self->places);
    clprim__team_close(team);
    return status;
}

clprim_status clprim_distributed_shuffle(const clprim_comm *comm, clprim_runtime *runtime,
                                         const clprim_shuffle_desc *desc, const clprim_shuffle_call *call,
                                         const size_t *room, clprim_distributed_part *part)
{
    CLPRIM__BEGIN(shuffle, call->count);
    const clprim__task task = CLPRIM__TASK(shuffle, CLPRIM__ROOM, NULL);
    job self = {.task = &task, .desc = desc, .call = &own};
    return run_job(&self, part);
}
