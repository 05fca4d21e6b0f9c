/* A sentence of an error has names and numbers of its own, so that its words may be on no page. Whoever looks for one gets the
 * page of all sentences first. `sentences` is what conf.py puts into the page of the search: [sentence, place]. */
document.addEventListener("DOMContentLoaded", () => {
    if (typeof Search === "undefined")
        return;
    const perform = Search._performSearch;
    const page = "docs/manual/errors";
    const pattern = (sentence) => sentence.split("…").map((text) => text.replace(/[^\w ]/g, "\\$&")).join(".*");
    Search._performSearch = (query, ...words) => [
        ...perform(query, ...words),
        ...sentences.filter(([sentence]) => new RegExp(pattern(sentence), "i").test(query)).map(
            ([sentence, place]) => [page, sentence, place, "in Error sentences", 100, `${page}.rst`, "text"])];
});
