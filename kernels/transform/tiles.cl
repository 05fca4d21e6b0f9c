/* transform_tiles: a tile for each work-group; a work-item has ITEMS of its elements, GROUP_SIZE apart, so that what a
 * text reads at i is read by neighbours side by side. All are computed before the first is stored: an output may be where
 * an argument is.
 * Parameters: the prelude (lib/transform/transform.c), with OUT_PARAMETERS; results, the values of
 * all outputs at a place, RESULTS_AT(i) and STORE(x, i); ITEMS. */
#if !defined(OUT_PARAMETERS) || !defined(ITEMS)
#error "OUT_PARAMETERS and ITEMS must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void transform_tiles(ulong n OUT_PARAMETERS)
{
    n = CALL_COUNT_0(n);
    const ulong first = (ulong)get_group_id(0) * (GROUP_SIZE * ITEMS) + get_local_id(0);
    const bool is_whole = first + (ITEMS - 1) * GROUP_SIZE < n;
    results x[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (is_whole || first + j * GROUP_SIZE < n)
            x[j] = RESULTS_AT(first + j * GROUP_SIZE);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (is_whole || first + j * GROUP_SIZE < n)
            STORE(x[j], first + j * GROUP_SIZE);
}
