// SPDX-License-Identifier: MIT
/* stream.c: process an array on the device piece by piece. */
#include "stream.h"

#include <stdlib.h>

enum { FIRST_READ = 1 << 20 }; /* elements to read first from a pipe whose length is not known */

/* Read the next piece. The length of a pipe is not known, so the memory grows while it is read. */
static cli_result fill(stream_slot *slot, source *from, size_t piece)
{
    const size_t rest = from->count - from->taken;
    size_t room = rest < piece ? rest : piece;
    size_t got = 0;
    cli_result result = CLI_OK;
    slot->first = from->taken;
    slot->count = 0;
    if (from->count == SIZE_MAX && room > FIRST_READ)
        room = FIRST_READ;
    for (bool is_full = true; is_full && slot->count < piece && !source_is_at_end(from);) {
        if (room * from->size > slot->host_size) {
            void *host = realloc(slot->host, room * from->size);
            if (host == NULL)
                return cli_refuse(from->name, "out of memory for %zu elements; give a smaller --memory", room);
            slot->host = host;
            slot->host_size = room * from->size;
        }
        CLI_TRY(source_read(from, (char *)slot->host + slot->count * from->size, room - slot->count, &got));
        slot->count += got;
        is_full = slot->count == room;
        room = room < piece / 2 ? 2 * room : piece;
    }
    slot->is_last = source_is_at_end(from);
done:
    return result;
}

static cli_result finish(stream_slot *slot, const stream_work *work)
{
    cli_result result = CLI_OK;
    if (!slot->is_busy)
        return CLI_OK;
    slot->is_busy = false;
    CLI_CALL(clWaitForEvents(1, &slot->done));
    CLI_TRY(work->fold(work->user, slot));
done:
    if (slot->done != NULL)
        (void)clReleaseEvent(slot->done);
    slot->done = NULL;
    return result;
}

static cli_result launch(stream_slot *slot, const cli_device *device, const source *from, const stream_work *work)
{
    const size_t bytes = slot->count * from->size;
    cli_result result = CLI_OK;
    CLI_TRY(cli_device_reserve(&slot->in, &slot->in_size, device, bytes));
    CLI_CALL(clEnqueueWriteBuffer(device->queue, slot->in, CL_FALSE, 0, bytes, slot->host, 0, NULL, NULL));
    CLI_TRY(work->launch(work->user, slot));
    slot->is_busy = true;
    CLI_CALL(clFlush(device->queue));
done:
    return result;
}

cli_result stream_run(const cli_device *device, source *from, const char *doing, const stream_work *work)
{
    stream_slot slots[STREAM_MOST_SLOTS] = {{.number = 0}, {.number = 1}};
    cli_result result = CLI_OK;
    unsigned at = 0;
    while (!source_is_at_end(from)) {
        stream_slot *slot = &slots[at];
        CLI_TRY(finish(slot, work));
        CLI_TRY(fill(slot, from, work->piece));
        if (slot->count == 0)
            break;
        CLI_TRY(launch(slot, device, from, work));
        cli_progress(doing, from->taken, from->count);
        at = (at + 1) % work->num_slots;
    }
    for (unsigned i = 0; i < work->num_slots; i++) /* older piece first */
        CLI_TRY(finish(&slots[(at + i) % work->num_slots], work));
done:
    (void)clFinish(device->queue); /* after an error, commands that are still running use the memory */
    for (unsigned i = 0; i < STREAM_MOST_SLOTS; i++) {
        if (slots[i].done != NULL)
            (void)clReleaseEvent(slots[i].done);
        cli_device_release(slots[i].in);
        free(slots[i].host);
    }
    return result;
}
