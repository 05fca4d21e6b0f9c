/* host_link.h: the host's arrays to and from the memory of a device of its own, through pinned memory.
 *
 * A driver copies ordinary memory with one thread, at a fifth or a seventh of the bus's speed. So arrays go through
 * rings of pinned slots (ring.h), one for each direction: two threads may transfer at once, one in each direction.
 * Memory that clprim_memory_register() has pinned needs no ring, nor does memory that ranks share. */
#ifndef CLPRIM_LIB_HOST_LINK_H
#define CLPRIM_LIB_HOST_LINK_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring.h"

/* A runtime's pinned memory, which is made when enough has been transferred to pay for it, and its
 * registered memory. */
typedef struct clprim__host_link clprim__host_link;

clprim_status clprim__host_link_create(clprim__host_link **out, const clprim_runtime *runtime);
void clprim__host_link_destroy(clprim__host_link *self);

/* Transfer memory that is not pinned, and wait, if the rings are worth it; otherwise *took is false, and nothing was
 * done. Nothing else may use these bytes of the buffer. Errors: OpenCL's. */
clprim_status clprim__host_link_run(bool *took, clprim__host_link *self, const clprim__transfer *what);

/* Whether all of it is registered on the host, and so pinned. */
bool clprim__host_link_is_pinned(clprim__host_link *self, const clprim__transfer *what);

/* Give the pinned memory back until it is needed again. */
void clprim__host_link_trim(clprim__host_link *self);

/* Memory that ranks on this host share by a communicator: that of rank r. */
typedef struct clprim__shared {
    const void *const *data;
    const size_t *bytes;
    unsigned ranks;
    uint64_t version; /* the communicator's; 0: it is never pinned */
} clprim__shared;

/* Before the communicator is asked for memory of these sizes: unpin what it may free then. */
void clprim__host_link_before_share(clprim__host_link *self, const size_t *bytes, unsigned ranks);

/* Begin to use it: until unshare, transfers need no ring if it is pinned. That is done at the second use, since it takes
 * longer than a few transfers. False, and unshare is not to be called: other memory is in use, or it is never pinned. */
bool clprim__host_link_share(clprim__host_link *self, const clprim__shared *what);
void clprim__host_link_unshare(clprim__host_link *self);

/* What clprim_memory_register and clprim_memory_unregister do. */
clprim_status clprim__host_link_register(clprim__host_link *self, void *data, size_t bytes);
clprim_status clprim__host_link_unregister(clprim__host_link *self, const void *data);

#endif
