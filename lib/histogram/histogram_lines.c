// SPDX-License-Identifier: MIT
/* histogram_lines.c: elements in lines with gaps in between: the length of their array, and the elements of each round
 * of launches. An array without gaps is a single line. */
#include "error.h"
#include "histogram_internal.h"

size_t clprim__histogram_channels(const clprim_histogram_desc *desc)
{
    return desc->channels == 0 ? 1 : desc->channels;
}

size_t clprim__histogram_active_channels(const clprim_histogram_desc *desc)
{
    return desc->active_channels == 0 ? clprim__histogram_channels(desc) : desc->active_channels;
}

clprim__histogram_lines clprim__histogram_lines_of(const clprim_histogram_desc *desc, const clprim_histogram_call *call)
{
    const size_t channels = clprim__histogram_channels(desc);
    const size_t length = clprim__times(call->row_length, channels);
    clprim__histogram_lines lines = {.count = clprim__times(call->count, channels)};
    lines.length = !desc->strided || call->row_length == 0 || length > lines.count ? lines.count : length;
    lines.stride = desc->strided && call->row_stride > lines.length ? call->row_stride : lines.length;
    return lines;
}

size_t clprim__histogram_extent(const clprim__histogram_lines *lines)
{
    if (lines->count == 0)
        return 0;
    const size_t before = (lines->count - 1) / lines->length; /* number of lines before the last one */
    return clprim__plus(clprim__times(before, lines->stride), lines->count - before * lines->length);
}

clprim_status clprim__histogram_check_lines(const clprim_histogram_desc *desc, const clprim_histogram_call *call)
{
    const size_t length = clprim__times(call->row_length, clprim__histogram_channels(desc));
    if (!desc->strided && (call->row_length != 0 || call->row_stride != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the plan was made without strided",
                            call->row_length != 0 ? "row_length" : "row_stride");
    if (call->row_stride != 0 && call->row_length == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "row_stride is %zu, but there is no row_length", call->row_stride);
    if (call->row_stride != 0 && call->row_stride < length)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "row_stride is %zu, but a row has %zu elements: row_length times channels",
                            call->row_stride, length);
    return CLPRIM_SUCCESS;
}

/* The number of rounds for one line. */
static size_t pieces_of(size_t length, size_t most)
{
    return clprim__divide_up(length, most);
}

size_t clprim__histogram_num_parts(const clprim__histogram_lines *lines, size_t most)
{
    if (lines->count <= most)
        return 1;
    if (lines->length <= most)
        return clprim__divide_up(lines->count, most / lines->length * lines->length);
    return lines->count / lines->length * pieces_of(lines->length, most) +
           pieces_of(lines->count % lines->length, most);
}

clprim__histogram_part clprim__histogram_part_of(const clprim__histogram_lines *lines, size_t most, size_t index)
{
    clprim__histogram_part part = {.lines = *lines};
    if (lines->count <= most)
        return part;
    if (lines->length <= most) { /* a round has whole lines */
        const size_t each = most / lines->length;
        part.start = index * each * lines->length;
        part.place = index * each * lines->stride;
        part.lines.count = clprim__smaller(each * lines->length, lines->count - part.start);
        return part;
    }
    const size_t pieces = pieces_of(lines->length, most);
    const size_t line = index / pieces, begin = index % pieces * most;
    part.start = line * lines->length + begin;
    part.place = line * lines->stride + begin;
    part.lines.count =
        clprim__smaller(most, clprim__smaller(lines->length, lines->count - line * lines->length) - begin);
    part.lines.length = part.lines.stride = part.lines.count;
    return part;
}
