// SPDX-License-Identifier: MIT
/* format.h: the compiler checks arguments of functions that print as printf does. */
#ifndef CLPRIM_EXAMPLES_FORMAT_H
#define CLPRIM_EXAMPLES_FORMAT_H

#if defined(__MINGW32__) /* where GCC takes printf for that of Microsoft's old library */
#define EXAMPLE_PRINTF(text, rest) __attribute__((format(gnu_printf, text, rest)))
#elif defined(__GNUC__)
#define EXAMPLE_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define EXAMPLE_PRINTF(text, rest)
#endif

#endif
