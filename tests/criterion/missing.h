// SPDX-License-Identifier: MIT
/* missing.h: what Criterion 2.4.1 expects of a later BoxFort than 0.1.2. It is about debuggers, with which no test runs. */
#ifndef CLPRIM_TEST_MISSING_H
#define CLPRIM_TEST_MISSING_H

#define BXF_DBG_GET_DEBUGGER(debugger)    (debugger)
#define BXF_DBG_ENABLE_FALLBACK(debugger) ((void)(debugger))

#endif
