// SPDX-License-Identifier: MIT
/* debugbreak.h: all that Criterion uses of the library of this name. */
#ifndef CLPRIM_TEST_DEBUGBREAK_H
#define CLPRIM_TEST_DEBUGBREAK_H

#define debug_break __builtin_trap

#endif
