/* histogram_picture.c: a histogram as a picture, of characters or as SVG. */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "histogram.h"
#include "number.h"

enum { USUAL_COLUMNS = 80, NUMBERS_COLUMNS = 38, MIN_BAR = 8, EDGE_SIZE = 32, USUAL_DIGITS = 6, MOST_DIGITS = 17 };

static uint64_t greatest(const histogram_picture *self)
{
    uint64_t most = 1; /* a picture without elements has no bars */
    for (size_t i = 0; i < self->bins; i++)
        most = self->counts[i] > most ? self->counts[i] : most;
    return most;
}

static double edge(const histogram_picture *self, size_t bin)
{
    return bin == self->bins ? self->high : self->low + (self->high - self->low) * ((double)bin / (double)self->bins);
}

/* In as many digits as tell a bin's beginning from its end. */
static void edge_text(char out[EDGE_SIZE], const histogram_picture *self, size_t bin)
{
    char next[EDGE_SIZE];
    const size_t other = bin < self->bins ? bin + 1 : bin - 1;
    for (int digits = USUAL_DIGITS; digits <= MOST_DIGITS; digits++) {
        (void)snprintf(out, EDGE_SIZE, "%.*g", digits, edge(self, bin));
        (void)snprintf(next, EDGE_SIZE, "%.*g", digits, edge(self, other));
        if (strcmp(out, next) != 0)
            return;
    }
}

static size_t terminal_columns(void)
{
    struct winsize size;
    size_t columns = 0;
    const char *given = getenv("COLUMNS");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return given != NULL && number_parse_size(&columns, given) && columns < 1000 ? columns : USUAL_COLUMNS;
}

/* Eighths of a character, where the terminal has them. */
static void print_bar(uint64_t count, uint64_t most, size_t columns, bool has_blocks)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double share = (double)count / (double)most;
    size_t eighths = (size_t)(share * (double)columns * 8 + 0.5);
    if (count > 0 && eighths == 0)
        eighths = 1; /* few is not none */
    if (!has_blocks)
        eighths = (eighths + 4) / 8 * 8;
    for (size_t i = 0; i < eighths / 8; i++)
        printf("%s", has_blocks ? "█" : "#");
    printf("%s\n", parts[eighths % 8]);
}

void histogram_print(const histogram_picture *self)
{
    const bool has_blocks = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    const size_t width = terminal_columns();
    const size_t columns = width > NUMBERS_COLUMNS + MIN_BAR ? width - NUMBERS_COLUMNS : MIN_BAR;
    const uint64_t most = greatest(self);
    char low[EDGE_SIZE];
    char high[EDGE_SIZE];
    edge_text(high, self, 0);
    for (size_t i = 0; i < self->bins; i++) {
        memcpy(low, high, sizeof low);
        edge_text(high, self, i + 1);
        printf("%11s %11s %12" PRIu64 "  ", low, high, self->counts[i]);
        print_bar(self->counts[i], most, columns, has_blocks);
    }
    if (self->outside > 0)
        printf("%23s %12" PRIu64 "\n", "outside", self->outside);
}

/* A name may have what XML must not. */
static void write_text(FILE *file, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p == '&' || *p == '<')
            (void)fprintf(file, *p == '&' ? "&amp;" : "&lt;");
        else
            (void)fputc(*p < ' ' || *p > '~' ? '?' : *p, file);
    }
}

enum { SVG_WIDTH = 720, SVG_HEIGHT = 360, LEFT = 80, RIGHT = 20, TOP = 40, BOTTOM = 40 };

static void write_svg(FILE *file, const histogram_picture *self)
{
    const double width = SVG_WIDTH - LEFT - RIGHT;
    const double height = SVG_HEIGHT - TOP - BOTTOM;
    const double bottom = SVG_HEIGHT - BOTTOM;
    const uint64_t most = greatest(self);
    char text[EDGE_SIZE];
    (void)fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"14\">",
        SVG_WIDTH, SVG_HEIGHT, SVG_WIDTH, SVG_HEIGHT, LEFT);
    write_text(file, self->title);
    (void)fprintf(file, "</text>\n<path fill=\"#3465a4\" d=\"");
    for (size_t i = 0; i < self->bins; i++) {
        const double tall = height * ((double)self->counts[i] / (double)most);
        if (self->counts[i] > 0)
            (void)fprintf(file, "M%.2f %.2fv%.2fh%.2fv%.2fz\n", LEFT + width * (double)i / (double)self->bins, bottom,
                          -tall, width / (double)self->bins, tall);
    }
    (void)fprintf(file, "\"/>\n<path stroke=\"black\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP,
                  SVG_HEIGHT - BOTTOM, SVG_WIDTH - RIGHT);
    for (size_t i = 0; i <= 4; i++) {
        const size_t bin = self->bins * i / 4;
        edge_text(text, self, bin);
        (void)fprintf(file, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                      LEFT + width * (double)bin / (double)self->bins, SVG_HEIGHT - BOTTOM + 18, text);
        (void)fprintf(file, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%.4g</text>\n", LEFT - 6,
                      bottom - height * (double)i / 4 + 4, (double)most * (double)i / 4);
    }
    (void)fprintf(file, "</svg>\n");
}

cli_result histogram_write_svg(const histogram_picture *self, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return cli_refuse(path, "%s", strerror(errno));
    write_svg(file, self);
    const bool has_failed = ferror(file) != 0;
    return fclose(file) != 0 || has_failed ? cli_refuse(path, "%s", strerror(errno)) : CLI_OK;
}
