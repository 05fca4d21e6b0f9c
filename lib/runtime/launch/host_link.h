// SPDX-License-Identifier: MIT
/* host_link.h: transfer arrays through pinned memory between the host and a device with its own memory.
 *
 * A driver copies ordinary memory with a single thread, at a fifth to a seventh of the bus's speed. So arrays go
 * through rings of pinned slots (ring.h). There is one ring for each direction, so two threads may transfer at the same
 * time, one in each direction. Memory that clprim_memory_register() has pinned needs no ring, nor does memory that
 * ranks share. */
#ifndef CLPRIM_LIB_HOST_LINK_H
#define CLPRIM_LIB_HOST_LINK_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring.h"

/* A runtime's registered memory, and its rings of pinned memory. The rings are created once enough has been transferred
 * to pay for them. */
typedef struct clprim__host_link clprim__host_link;

clprim_status clprim__host_link_create(clprim__host_link **out, const clprim_runtime *runtime);
void clprim__host_link_destroy(clprim__host_link *self);

/* Transfer unpinned memory through a ring, and wait until it is done. If a ring would not be faster, *took is false and
 * nothing was done. Nothing else may use these bytes of the buffer meanwhile. Errors: OpenCL's. */
clprim_status clprim__host_link_run(bool *took, clprim__host_link *self, const clprim__transfer *what);

/* Whether all host memory of the transfer is registered, and so pinned. */
bool clprim__host_link_is_pinned(clprim__host_link *self, const clprim__transfer *what);

/* Release the pinned memory until it is needed again. */
void clprim__host_link_trim(clprim__host_link *self);

/* Memory that ranks on this host share through a communicator. data[r] is the memory of rank r. */
typedef struct clprim__shared {
    const void *const *data;
    const size_t *bytes;
    unsigned ranks;
    uint64_t version; /* given by the communicator; 0: never pinned */
} clprim__shared;

/* Call this before asking the communicator for memory of these sizes. It unpins memory that the communicator may then
 * free. */
void clprim__host_link_before_share(clprim__host_link *self, const size_t *bytes, unsigned ranks);

/* Begin to use shared memory. Until unshare, its transfers need no ring if it is pinned. It is pinned at its second
 * use, because pinning takes longer than a few transfers. Returns false if other shared memory is in use, or if this
 * memory is never pinned; do not call unshare then. */
bool clprim__host_link_share(clprim__host_link *self, const clprim__shared *what);
void clprim__host_link_unshare(clprim__host_link *self);

/* The implementation of clprim_memory_register and clprim_memory_unregister. */
clprim_status clprim__host_link_register(clprim__host_link *self, void *data, size_t bytes);
clprim_status clprim__host_link_unregister(clprim__host_link *self, const void *data);

#endif
