// SPDX-License-Identifier: MIT
/* trace_svg.c: a recording as a picture: a row for each access, with the work-items as columns. */
#include <stdio.h>
#include <string.h>

#include "trace_print.h"

enum { LEFT = 16, TEXT_WIDTH = 330, CELL_WIDTH = 46, CELL_HEIGHT = 18, ROW = 22, HEAD = 56, NOTE_WIDTH = 150 };

/* fill and edge of the cells of a sub-group, of idle work-items, and of those whose bank is wanted twice */
static const char STYLE[] =
    "<style>text{font:12px sans-serif;fill:#1f2328}.note{fill:#57606a}.title{font-weight:bold;font-size:15px}"
    ".mid{text-anchor:middle}rect{stroke-width:1.2}.card{fill:#fff;stroke:#d0d7de}.c0{fill:#d4e7ff;stroke:#1f6feb}"
    ".c1{fill:#ffe2c4;stroke:#bc5a00}.c2{fill:#d2f2d9;stroke:#1a7f37}.c3{fill:#e9dcff;stroke:#8250df}"
    ".dim{fill:none;stroke:#d5dae0}.hot{fill:#ffd5d2;stroke:#cf222e}.wait{stroke:#cf222e;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9da7b3}.card{fill:#0d1117;stroke:#30363d}"
    ".c0{fill:#12315c;stroke:#58a6ff}.c1{fill:#4a2a0a;stroke:#e8903f}.c2{fill:#103a1e;stroke:#46b95a}"
    ".c3{fill:#33225c;stroke:#b78cff}.dim{stroke:#343b44}.hot{fill:#5a161b;stroke:#ff7b72}}</style>\n";

static void put_xml(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&' || *text == '<')
            (void)fprintf(stream, *text == '&' ? "&amp;" : "&lt;");
        else
            (void)fputc(*text < ' ' || *text > '~' ? '?' : *text, stream);
    }
}

static void put_text(FILE *stream, int x, int y, const char *kind, const char *text)
{
    (void)fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, kind);
    put_xml(stream, text);
    (void)fprintf(stream, "</text>\n");
}

static int column_of(unsigned item)
{
    return LEFT + TEXT_WIDTH + (int)item * CELL_WIDTH;
}

static void put_cell(FILE *stream, const traced *self, const access *one, unsigned item, int y)
{
    char kind[8] = "dim";
    char text[32] = "";
    for (size_t i = 0; i < one->count; i++) {
        const event *lane = &one->events[i];
        if (lane->item != item)
            continue;
        (void)snprintf(text, sizeof text, "%u:%d", (unsigned)lane->index, (int)(int32_t)lane->value);
        (void)snprintf(kind, sizeof kind, "c%u", item / self->lanes % 4);
        if (recording_collides(one, lane, self->lanes, self->banks))
            (void)snprintf(kind, sizeof kind, "hot");
    }
    (void)fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n", column_of(item), y,
                  CELL_WIDTH - 2, CELL_HEIGHT, kind);
    if (text[0] != '\0')
        put_text(stream, column_of(item) + CELL_WIDTH / 2 - 1, y + 13, "mid", text);
}

/* "3 turns", "2 x 32 bytes", ...: of the busiest sub-group, or of all. */
static void put_cost(FILE *stream, const traced *self, const access *one, int y)
{
    unsigned turns = 0;
    unsigned sectors = 0;
    unsigned idle = 0;
    char text[64] = "";
    for (unsigned first = 0; first < self->group_size; first += self->lanes) {
        const lanes_at at = recording_lanes(one, first, self->lanes, self->banks);
        turns = at.turns > turns ? at.turns : turns;
        sectors += at.sectors;
        idle += at.active > 0 ? self->lanes - at.active : 0;
    }
    if (turns > 0)
        (void)snprintf(text, sizeof text, "%u turn%s%s", turns, turns > 1 ? "s" : "", idle > 0 ? ", " : "");
    if (sectors > 0)
        (void)snprintf(text, sizeof text, "%u x 32 bytes%s", sectors, idle > 0 ? ", " : "");
    if (idle > 0)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%u lanes idle", idle);
    put_text(stream, column_of(self->group_size) + 6, y + 13, "note", text);
}

static void put_access(FILE *stream, const traced *self, const access *one, int y)
{
    const site *where = trace_site(self, one);
    char place[TRACE_PLACE_SIZE];
    char text[TRACE_PLACE_SIZE + 48];
    if (where->kind == SITE_BARRIER) {
        (void)fprintf(stream, "<path d=\"M%d %dH%d\" class=\"wait\"/>\n", LEFT + TEXT_WIDTH, y + CELL_HEIGHT / 2,
                      column_of(self->group_size) - 2);
        (void)snprintf(text, sizeof text, "all %zu wait, line %zu", one->count, where->line);
        put_text(stream, LEFT, y + 13, "note", text);
        return;
    }
    trace_place(place, where);
    (void)snprintf(text, sizeof text, "%s %.36s%s, line %zu", trace_verbs[where->kind], place,
                   strlen(place) > 36 ? "..." : "", where->line);
    put_text(stream, LEFT, y + 13, "", text);
    for (unsigned item = 0; item < self->group_size; item++)
        put_cell(stream, self, one, item, y);
    put_cost(stream, self, one, y);
}

static void put_head(FILE *stream, const traced *self, int height)
{
    const int width = column_of(self->group_size) + NOTE_WIDTH + LEFT;
    char text[160];
    (void)fprintf(stream,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n%s",
                  width, height, width, height, STYLE);
    (void)fprintf(stream, "<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"card\"/>\n", width - 1,
                  height - 1);
    (void)snprintf(text, sizeof text, "%s, %s", self->operation, self->variant);
    put_text(stream, LEFT, 26, "title", text);
    (void)snprintf(
        text, sizeof text,
        "A column is a work-item, a colour a sub-group of %u lanes; a cell is index:value. Red: another lane "
        "wants another word of the same of %u banks.",
        self->lanes, self->banks);
    put_text(stream, LEFT, 46, "note", text);
}

void trace_write_svg(FILE *stream, const traced *self)
{
    const access *all = self->recording.accesses;
    const size_t count = self->recording.num_accesses;
    int rows = 0;
    for (size_t i = 0; i < count; i++) /* each group of a launch has a line of its own */
        rows += trace_site(self, &all[i])->kind != SITE_BEGIN || all[i].events->step == 0;
    put_head(stream, self, HEAD + rows * ROW + LEFT);
    int y = HEAD;
    for (size_t i = 0; i < count; i++) {
        char text[160];
        if (trace_site(self, &all[i])->kind != SITE_BEGIN) {
            put_access(stream, self, &all[i], y);
        } else {
            (void)snprintf(text, sizeof text, "Launch %u, %s, group %u", (unsigned)all[i].events->launch + 1,
                           trace_kernel(self, i), (unsigned)all[i].events->group);
            put_text(stream, LEFT, y + 13, "title", text);
        }
        y += ROW;
    }
    (void)fprintf(stream, "</svg>\n");
}
