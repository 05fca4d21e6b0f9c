/* clprim/export.h: CLPRIM_API marks the symbols that the shared library exports. Everything else is hidden. */
#ifndef CLPRIM_EXPORT_H
#define CLPRIM_EXPORT_H

#if defined(_WIN32) && defined(CLPRIM_SHARED)
#ifdef CLPRIM_BUILDING
#define CLPRIM_API __declspec(dllexport)
#else
#define CLPRIM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLPRIM_API __attribute__((visibility("default")))
#else
#define CLPRIM_API
#endif

#endif
