// SPDX-License-Identifier: MIT
/* histogram_picture.c: draw a histogram with characters or as SVG. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "number.h"
#include "output.h"
#include "system.h"

enum { USUAL_COLUMNS = 80, COUNT_COLUMNS = 12, MIN_EDGE_COLUMNS = 11, MIN_BAR = 8 };

static uint64_t greatest(const histogram_picture *self)
{
    uint64_t most = 1; /* at least 1: without elements, there are no bars */
    for (size_t i = 0; i < self->axis.bins; i++)
        most = self->counts[i] > most ? self->counts[i] : most;
    return most;
}

static size_t terminal_columns(void)
{
    const size_t there = system_columns();
    size_t columns = 0;
    const char *given = getenv("COLUMNS");
    if (there > 0)
        return there;
    return given != NULL && number_parse_size(&columns, given) && columns < 1000 ? columns : USUAL_COLUMNS;
}

/* Bars have a resolution of an eighth of a character, if the terminal has block characters. */
static void print_bar(uint64_t count, uint64_t most, size_t columns, bool has_blocks)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double share = (double)count / (double)most;
    size_t eighths = (size_t)(share * (double)columns * 8 + 0.5);
    if (count > 0 && eighths == 0)
        eighths = 1; /* a small count must be visible */
    if (!has_blocks)
        eighths = (eighths + 4) / 8 * 8;
    for (size_t i = 0; i < eighths / 8; i++)
        printf("%s", has_blocks ? "█" : "#");
    printf("%s\n", parts[eighths % 8]);
}

void histogram_print(const histogram_picture *self)
{
    const bool has_blocks = system_has_unicode();
    const int edge_columns = self->axis.width > MIN_EDGE_COLUMNS ? self->axis.width : MIN_EDGE_COLUMNS;
    const size_t numbers = 2 * (size_t)edge_columns + COUNT_COLUMNS + 4; /* including the spaces between */
    const size_t width = terminal_columns();
    const size_t columns = width > numbers + MIN_BAR ? width - numbers : MIN_BAR;
    const uint64_t most = greatest(self);
    char low[AXIS_LABEL_SIZE];
    char high[AXIS_LABEL_SIZE];
    axis_label(high, &self->axis, 0);
    for (size_t i = 0; i < self->axis.bins; i++) {
        memcpy(low, high, sizeof low);
        axis_label(high, &self->axis, i + 1);
        printf("%*s %*s %*" PRIu64 "  ", edge_columns, low, edge_columns, high, COUNT_COLUMNS, self->counts[i]);
        print_bar(self->counts[i], most, columns, has_blocks);
    }
    if (self->outside > 0)
        printf("%*s %*" PRIu64 "\n", 2 * edge_columns + 1, "outside", COUNT_COLUMNS, self->outside);
}

/* Write a text, without characters that XML does not allow. */
static void write_text(FILE *file, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p == '&' || *p == '<')
            (void)fprintf(file, *p == '&' ? "&amp;" : "&lt;");
        else
            (void)fputc(*p < ' ' || *p > '~' ? '?' : *p, file);
    }
}

enum { SVG_WIDTH = 720, SVG_HEIGHT = 360, LEFT = 80, RIGHT = 40, TOP = 40, BOTTOM = 40, MOST_TICKS = 5 };

/* The distance between ticks of the counts: 1, 2 or 5 times a power of ten. */
static uint64_t tick_step(uint64_t most)
{
    uint64_t step = 1;
    for (unsigned i = 0; most / step >= MOST_TICKS; i++) /* multiply by 2, 5/2, 2, 2, 5/2, ... */
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

static void write_ticks(FILE *file, const histogram_picture *self)
{
    const size_t bins = self->axis.bins;
    const double width = SVG_WIDTH - LEFT - RIGHT;
    const double height = SVG_HEIGHT - TOP - BOTTOM;
    const size_t parts = bins < 4 ? bins : 4;
    const uint64_t most = greatest(self);
    const uint64_t step = tick_step(most);
    char label[AXIS_LABEL_SIZE];
    for (size_t i = 0; i <= parts; i++) {
        const size_t edge = bins * i / parts;
        axis_label(label, &self->axis, edge);
        (void)fprintf(file, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                      (double)LEFT + width * (double)edge / (double)bins, SVG_HEIGHT - BOTTOM + 18, label);
    }
    for (uint64_t i = 0; i <= most / step; i++)
        (void)fprintf(file, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%" PRIu64 "</text>\n", LEFT - 6,
                      SVG_HEIGHT - BOTTOM - height * ((double)(i * step) / (double)most) + 4, i * step);
}

static void write_svg(FILE *file, const histogram_picture *self)
{
    const size_t bins = self->axis.bins;
    const double width = SVG_WIDTH - LEFT - RIGHT;
    const double height = SVG_HEIGHT - TOP - BOTTOM;
    const uint64_t most = greatest(self);
    (void)fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"14\">",
        SVG_WIDTH, SVG_HEIGHT, SVG_WIDTH, SVG_HEIGHT, LEFT);
    write_text(file, self->title);
    (void)fprintf(file, "</text>\n<path fill=\"#3465a4\" d=\"");
    for (size_t i = 0; i < bins; i++) {
        const double tall = height * ((double)self->counts[i] / (double)most);
        if (self->counts[i] > 0)
            (void)fprintf(file, "M%.2f %dv%.2fh%.2fv%.2fz\n", (double)LEFT + width * (double)i / (double)bins,
                          SVG_HEIGHT - BOTTOM, -tall, width / (double)bins, tall);
    }
    (void)fprintf(file, "\"/>\n<path stroke=\"black\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP,
                  SVG_HEIGHT - BOTTOM, SVG_WIDTH - RIGHT);
    write_ticks(file, self);
    (void)fprintf(file, "</svg>\n");
}

cli_result histogram_write_svg(const histogram_picture *self, const char *path)
{
    output out;
    cli_result result = CLI_OK;
    CLI_TRY(output_open(&out, path));
    CLI_TRY(output_stream(&out));
    write_svg(out.stream, self);
    CLI_TRY(output_finish(&out));
done:
    output_abandon(&out);
    return result;
}
