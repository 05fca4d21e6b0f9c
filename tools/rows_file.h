// SPDX-License-Identifier: MIT
/* rows_file.h: a file of parameters to which lines are added. */
#ifndef CLPRIM_TOOLS_ROWS_FILE_H
#define CLPRIM_TOOLS_ROWS_FILE_H

#include <stdbool.h>

/* Put a line into the file in place of those for the same primitive, variant, device, size and number of elements; all
 * others stay as they are. `keep` false: only take these out. Missing directories are made. False and errno where that
 * fails.
 */
bool rows_file_put(const char *path, const char *line, bool keep);

#endif
