// SPDX-License-Identifier: MIT
/* clprim/export.h: CLPRIM_API marks the symbols that the shared library exports. Everything else is hidden. */
#ifndef CLPRIM_EXPORT_H
#define CLPRIM_EXPORT_H

#if defined(_WIN32) && defined(CLPRIM_BUILDING)
#define CLPRIM_API __declspec(dllexport)
#elif defined(_WIN32) && defined(CLPRIM_SHARED)
#define CLPRIM_API __declspec(dllimport)
#elif defined(_WIN32)
#define CLPRIM_API
#elif defined(__GNUC__)
#define CLPRIM_API __attribute__((visibility("default")))
#else
#define CLPRIM_API
#endif

#endif
