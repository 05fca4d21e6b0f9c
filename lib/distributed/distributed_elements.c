// SPDX-License-Identifier: MIT
/* distributed_elements.c: operations whose result for an element depends on that element and its neighbours: each rank
 * computes those of its piece, or searches it. */
#include "plan_internal.h"
#include "team_piece.h"

/* Each rank writes the results of its own elements. */
static clprim_status run_elements(const clprim__task *task)
{
    clprim__team team = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&team, task));
    status = clprim__team_run_piece(&team, task, task->desc, task->call);
done:
    clprim__team_close(&team);
    return status;
}

/* The first index that a rank has found in its piece, or else the number of all elements. `mine` is what this rank has
 * found: an index that is not in its piece means nothing. */
static clprim_status first_of_all(clprim__team *team, uint64_t *found, uint64_t mine)
{
    uint64_t end = 0;
    const clprim_status status = clprim__team_gather(team, &mine, sizeof mine, team->numbers);
    *found = team->total_count;
    for (unsigned r = 0; r < team->comm->size && status == CLPRIM_SUCCESS; r++) {
        end += team->ranks[r].count;
        if (team->ranks[r].count > 0 && team->numbers[r] < end && *found == team->total_count)
            *found = team->numbers[r];
    }
    return status;
}

/* Search this rank's piece by a description with wide indices; then tell all ranks the first index of all. `out` is the
 * array of the task's call. */
static clprim_status search(const clprim__task *task, const void *wide, const clprim_array *out, clprim_type index_type)
{
    clprim__team team = {0};
    clprim__given piece;
    uint64_t mine = UINT64_MAX;
    uint64_t found = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&team, task));
    memcpy(piece.bytes, task->call, task->operation->call_size);
    *(clprim_array *)(void *)(piece.bytes + ((const char *)out - (const char *)task->call)) =
        (clprim_array){.host = &mine};
    CLPRIM__TRY(clprim__team_run_piece(&team, task, wide, piece.bytes));
    CLPRIM__TRY(first_of_all(&team, &found, mine));
    CLPRIM__TRY(clprim__team_check_numbers(&team, index_type, team.total_count, "indices")); /* as on all ranks */
    clprim__team_put_number(out, index_type, found);
done:
    clprim__team_close(&team);
    return status;
}

/* What all of these functions begin with. */
#define BEGIN(op)                                                                                                      \
    CLPRIM__BEGIN(op, call->count);                                                                                    \
    const clprim__task task =                                                                                          \
        CLPRIM__TASK(op, count, desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type" : NULL)

#define SEARCH(op)                                                                                                     \
    BEGIN(op);                                                                                                         \
    clprim_##op##_desc wide = *desc;                                                                                   \
    wide.index_type = CLPRIM_U64;                                                                                      \
    return search(&task, &wide, &own.out, desc->index_type)

clprim_status clprim_distributed_adjacent_difference(const clprim_comm *comm, clprim_runtime *runtime,
                                                     const clprim_adjacent_difference_desc *desc,
                                                     const clprim_adjacent_difference_call *call)
{
    BEGIN(adjacent_difference);
    return run_elements(&task);
}

clprim_status clprim_distributed_transform(const clprim_comm *comm, clprim_runtime *runtime,
                                           const clprim_transform_desc *desc, const clprim_transform_call *call)
{
    BEGIN(transform);
    return run_elements(&task);
}

clprim_status clprim_distributed_find(const clprim_comm *comm, clprim_runtime *runtime, const clprim_find_desc *desc,
                                      const clprim_find_call *call)
{
    SEARCH(find);
}

clprim_status clprim_distributed_is_sorted(const clprim_comm *comm, clprim_runtime *runtime,
                                           const clprim_is_sorted_desc *desc, const clprim_is_sorted_call *call)
{
    SEARCH(is_sorted);
}
