/* host_link.h: the host's arrays to and from the memory of a device of its own, through pinned memory.
 *
 * A driver copies ordinary memory with one thread, at a fifth or a seventh of what the bus can do. Here several threads
 * copy through slots of pinned memory, two for each of them, while one thread has the driver transfer what is in the slots.
 * Memory that is pinned already, clprim_memory_register() says so, goes without. Each direction has slots of its own: one
 * transfer there and one back are under way at once, of two threads. */
#ifndef CLPRIM_LIB_HOST_LINK_H
#define CLPRIM_LIB_HOST_LINK_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

/* A runtime's: its pinned memory, made when enough has been transferred that it pays, and what is registered. */
typedef struct clprim__host_link clprim__host_link;

clprim_status clprim__host_link_create(clprim__host_link **out, const clprim_runtime *runtime);
void clprim__host_link_destroy(clprim__host_link *self);

/* Copy, and wait for it, if this way is worth it: *took is false where nothing was done. Nothing else uses these bytes of
 * the buffer. Errors: OpenCL's. */
clprim_status clprim__host_link_write(bool *took, clprim__host_link *self, cl_mem to, size_t offset, const void *from,
                                      size_t bytes);
clprim_status clprim__host_link_read(bool *took, clprim__host_link *self, void *to, cl_mem from, size_t offset,
                                     size_t bytes);

/* Whether these bytes are registered, and so pinned. */
bool clprim__host_link_is_registered(clprim__host_link *self, const void *data, size_t bytes);

/* Give the pinned memory back until it is needed again. */
void clprim__host_link_trim(clprim__host_link *self);

/* What clprim_memory_register and clprim_memory_unregister do. */
clprim_status clprim__host_link_register(clprim__host_link *self, void *data, size_t bytes);
clprim_status clprim__host_link_unregister(clprim__host_link *self, const void *data);

#endif
