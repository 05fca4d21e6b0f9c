/* The bar at the side begins where the page is in it. */
document.addEventListener("DOMContentLoaded", () => {
    const bar = document.querySelector(".sidebar-scroll");
    const here = bar?.querySelector(".current-page > a");
    if (here)
        bar.scrollTop += here.getBoundingClientRect().top - bar.getBoundingClientRect().top - bar.clientHeight / 2;
});

/* What the page of the search adds to Sphinx's. conf.py gives it `sentences`, [sentence of an error, place], and `texts`, the
 * text of each page. */
document.addEventListener("DOMContentLoaded", () => {
    if (typeof Search === "undefined")
        return;

    /* Functions and guides come before records of what was measured and tried. */
    const records = /^(CHANGELOG|benchmarks|docs\/(notebook|performance|reliability))/;
    Scorer.score = ([page, , , , score]) => score + (records.test(page) ? -4 : page.startsWith("include/") ? 4 : 0);

    /* A sentence of an error has names and numbers of its own, so that its words may be on no page. */
    const perform = Search._performSearch;
    const page = "docs/manual/errors";
    const pattern = (sentence) => sentence.split("…").map((text) => text.replace(/[^\w ]/g, "\\$&")).join(".*");
    Search._performSearch = (query, ...words) => [
        ...perform(query, ...words),
        ...sentences.filter(([sentence]) => new RegExp(pattern(sentence), "i").test(query)).map(
            ([sentence, place]) => [page, sentence, place, "in Error sentences", 100, `${page}.rst`, "text"])];

    /* Scripts may not read other files, from which Sphinx takes the lines below a result. */
    if (location.protocol === "file:")
        window.fetch = async (link) => new Response(`<p role="main">${texts[link.replace(/^\.\/|\.html$/g, "")]}</p>`);
});
