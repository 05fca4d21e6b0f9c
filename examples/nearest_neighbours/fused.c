// SPDX-License-Identifier: MIT
/* fused.c: the k nearest points of each query in one kernel, so that no distance goes to global memory. */
#include "fused.h"

#include <stdio.h>

#include "kernels.h"

enum { USUAL_GROUP = 128 };

/* A work-item finds the neighbours of one query. The group goes through the points tile by tile. The k nearest so far
 * are in private memory, in order, and a point that is not nearer than the last of them is passed over. A point that is
 * nearer waits until a work-item of the sub-group has no more room. Otherwise all work-items of the sub-group would
 * have to wait for each insertion of any of them.
 *
 * A neighbour is a number: above, the bits of the square of its distance, which are in the order of the squares, since
 * these are not negative; below, its index. So of two points that are equally far the one with the lower index is
 * less. */
static const char SOURCE[] =
    "#pragma OPENCL FP_CONTRACT OFF /* so that the host computes the same bits */\n"
    "#define SIZE CLPRIM_GROUP_SIZE\n"
    "enum { TILE = SIZE * 8, LIST = (K + 7) / 8, ROOM = 16 };\n"
    "CLPRIM_WORK_GROUP_LOAD(tiles, float4, SIZE, 8)\n"
    "float square_of(ulong neighbour)\n"
    "{\n"
    "    return as_float((uint)(neighbour >> 32));\n"
    "}\n"
    "ulong8 behind(ulong before, ulong8 x)\n"
    "{\n"
    "    return (ulong8)(before, x.s0123, x.s45, x.s6);\n"
    "}\n"
    "/* Each place takes what was there, or the new one, or what was in the place before. LIST is a constant, so that\n"
    " * the compiler can keep the list in registers. */\n"
    "__attribute__((always_inline)) void insert(ulong8 *list, ulong8 neighbour)\n"
    "{\n"
    "#pragma unroll\n"
    "    for (uint v = LIST - 1; v > 0; v--)\n"
    "        list[v] = max(behind(list[v - 1].s7, list[v]), min(list[v], neighbour));\n"
    "    list[0] = max(behind(0, list[0]), min(list[0], neighbour));\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))\n"
    "void find_nearest(__global const float4 *queries, uint num_queries, __global const float4 *points, uint n,\n"
    "                  __global uint *indices, __global float4 *vectors)\n"
    "{\n"
    "    __local float8 xs[SIZE], ys[SIZE], zs[SIZE]; /* the tile, in vectors of 8 points */\n"
    "    const size_t own = get_global_id(0);\n"
    "    const float4 query = queries[min(own, (size_t)num_queries - 1)]; /* all take part: there are barriers */\n"
    "    ulong each[LIST * 8], waiting[ROOM];\n"
    "    ulong8 list[LIST]; /* the last K places; in front of them are zeros, which stay there */\n"
    "    uint num_waiting = 0;\n"
    "#pragma unroll\n"
    "    for (uint p = 0; p < LIST * 8; p++)\n"
    "        each[p] = p < LIST * 8 - K ? 0 : (ulong)as_uint(INFINITY) << 32 | UINT_MAX;\n"
    "#pragma unroll\n"
    "    for (uint v = 0; v < LIST; v++)\n"
    "        list[v] = vload8(v, each);\n"
    "    for (uint first = 0; first < n; first += min((uint)TILE, n - first)) {\n"
    "        float4 items[8];\n"
    "        tiles_load_striped(items, points, first, n, (float4)(INFINITY)); /* never near enough */\n"
    "        for (uint k = 0; k < 8; k++) {\n"
    "            ((__local float *)xs)[k * SIZE + get_local_id(0)] = items[k].x;\n"
    "            ((__local float *)ys)[k * SIZE + get_local_id(0)] = items[k].y;\n"
    "            ((__local float *)zs)[k * SIZE + get_local_id(0)] = items[k].z;\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there */\n"
    "        for (uint j = 0; j < SIZE; j++) {\n"
    "            const float8 x = xs[j] - query.x;\n"
    "            const float8 y = ys[j] - query.y;\n"
    "            const float8 z = zs[j] - query.z;\n"
    "            const float8 squares = x * x + y * y + z * z;\n"
    "            const float limit = square_of(list[LIST - 1].s7);\n"
    "            if (any(squares < limit)) {\n"
    "                float eight[8];\n"
    "                vstore8(squares, 0, eight);\n"
    "                for (uint e = 0; e < 8; e++)\n"
    "                    if (eight[e] < limit)\n"
    "                        waiting[num_waiting++] = (ulong)as_uint(eight[e]) << 32 | (first + j * 8 + e);\n"
    "            }\n"
    "            if (clprim_sub_group_any(num_waiting > ROOM - 8))\n"
    "                while (num_waiting > 0)\n"
    "                    insert(list, (ulong8)(waiting[--num_waiting]));\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* before the next tile */\n"
    "    }\n"
    "    while (num_waiting > 0)\n"
    "        insert(list, (ulong8)(waiting[--num_waiting]));\n"
    "#pragma unroll\n"
    "    for (uint v = 0; v < LIST; v++)\n"
    "        vstore8(list[v], v, each);\n"
    "#pragma unroll\n"
    "    for (uint p = 0; p < K; p++)\n"
    "        if (own < num_queries) {\n"
    "            const ulong neighbour = each[LIST * 8 - K + p];\n"
    "            const uint index = (uint)neighbour;\n"
    "            float4 vector = index != UINT_MAX ? points[index] - query : (float4)(0);\n"
    "            vector.w = square_of(neighbour);\n"
    "            indices[own * K + p] = index;\n"
    "            vectors[own * K + p] = vector;\n"
    "        }\n"
    "}\n";

clprim_status fused_find(void *user)
{
    const fused *self = user;
    const size_t size = self->group_size;
    const size_t global = (self->task->num_queries + size - 1) / size * size;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(
        clEnqueueNDRangeKernel(self->task->program->queue, self->kernel, 1, NULL, &global, &size, 0, NULL, NULL));
done:
    return status;
}

clprim_status fused_begin(fused *out, const neighbours *task, size_t group_size)
{
    static const char *const headers[] = {"work_group_load.h", "sub_group.h", NULL};
    static const char *const name = "find_nearest";
    const cl_uint num_queries = (cl_uint)task->num_queries;
    const cl_uint n = (cl_uint)task->num_points;
    const kernels_argument arguments[] = {KERNELS_ARGUMENT(task->device_queries), KERNELS_ARGUMENT(num_queries),
                                          KERNELS_ARGUMENT(task->device_points),  KERNELS_ARGUMENT(n),
                                          KERNELS_ARGUMENT(task->indices),        KERNELS_ARGUMENT(task->vectors)};
    char options[64];
    clprim_status status = CLPRIM_SUCCESS;
    *out = (fused){.task = task, .group_size = group_size};
    if (group_size == 0) {
        const size_t most = task->program->device->max_work_group_size;
        out->group_size = most < USUAL_GROUP ? most : USUAL_GROUP;
    }
    (void)snprintf(options, sizeof options, "-D CLPRIM_GROUP_SIZE=%zu -D K=%zu", out->group_size, task->k);
    EXAMPLE_TRY(kernels_make_with(&out->kernel, task->program, headers, options, SOURCE, &name, 1));
    EXAMPLE_TRY(kernels_set(out->kernel, arguments, sizeof arguments / sizeof *arguments));
done:
    return status;
}

void fused_end(fused *self)
{
    kernels_release(&self->kernel, 1);
}
