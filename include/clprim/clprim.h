// SPDX-License-Identifier: MIT
/* clprim/clprim.h: include all of clPRIM's C headers, except clprim/mpi.h. */
#ifndef CLPRIM_CLPRIM_H
#define CLPRIM_CLPRIM_H

#include <clprim/device.h>
#include <clprim/distributed.h>
#include <clprim/operations.h>
#include <clprim/pieces.h>
#include <clprim/reference.h>
#include <clprim/runtime.h>
#include <clprim/self_test.h>
#include <clprim/status.h>
#include <clprim/stream.h>
#include <clprim/types.h>
#include <clprim/version.h>

#endif
