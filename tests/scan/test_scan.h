/* test_scan.h: what the tests of scans share; test_scan.c has the function. */
#ifndef CLPRIM_TEST_SCAN_H
#define CLPRIM_TEST_SCAN_H

#include <clprim/reference.h>
#include <clprim/scan.h>

#include "call.h"

/* Bit by bit, but for the signs of zeros in float sums: those of the expected elements are dropped, too. */
void scan_judge_exact(const test_call *self, size_t i, void *got, const char *what);

#endif
