/* segmented_reduce_cpu_chunk: for CPUs, where a work-group is one work-item and thus one thread. It folds the segments
 * of its share of the path one after the other. segmented_reduce_finish joins the parts of segments that lie in several
 * shares.
 * Parameters: the operator's prelude, chunk_fold.cl, subgroup.cl, lanes.cl, parts/segments.cl; GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
segmented_reduce_cpu_chunk(const __global ELEMENT *in, ulong in_offset, SEGMENT_PARAMETERS,
                           __global group_record *records)
{
    SEGMENTS_HERE
    const __global ELEMENT *elements = in + in_offset;
    group_record record = {IDENTITY, IDENTITY, 0, NO_SEGMENT};
    ulong item, end;
    path_share(&all, (uint)get_group_id(0), &item, &end);
    uint s = 0;
    uint high = (uint)min((ulong)all.count, item);
    LANES_NARROW(uint, s, high, tried, path_end(&all, tried) < item)
    ulong i = all.base + item - s;
    bool began_before = item < end && s < all.count && i > segment_begin(&all, s);

    while (item < end && s < all.count) {
        const ulong last = segment_begin(&all, s + 1);
        const ulong stop = max(i, min(last, i + (end - item)));
        item += stop - i;
#if FOLD_STEPS
        if (stop - i >= STEP)
            record.carry = COMBINE(record.carry, fold_steps(elements, &i, stop));
#endif
        for (; i < stop; i++)
            record.carry = COMBINE(record.carry, VALUE_AT(ELEMENT_AT(elements, i), i));
        if (item == end)
            break;
        if (began_before) {
            record.first = record.carry;
            record.segment = s;
        } else {
            all.out[s] = segment_output(&all, s, record.carry);
        }
        record.carry = IDENTITY;
        record.ended = 1;
        began_before = false;
        s++;
        item++;
    }
    if (get_num_groups(0) > 1)
        records[get_group_id(0)] = record;
}
