// Printable sheets of puzzles: a PDF file from the server, or the browser's own print view.

import { postForBlob } from "./api.js";
import { messageOf } from "./errors.js";
import { button, el, save, select } from "./elements.js";

/** @type {[string, string][]} */
const PAPERS = [
  ["a4", "A4"],
  ["a5", "A5"],
  ["a3", "A3"],
  ["letter", "Letter"],
];
const MOST = 60;

export class SheetForm {
  /** @param {() => { puzzle: string, box: string }[]} puzzles */
  constructor(puzzles) {
    this.puzzles = puzzles;
    this.paper = select(PAPERS, "a4");
    this.perPage = el("input", { type: "number", min: 1, max: 64, value: 6 });
    this.title = el("input", { type: "text", maxLength: 200, placeholder: "none" });
    this.hints = el("input", { type: "number", min: 0, max: 20, value: 0 });
    this.ratings = el("input", { type: "checkbox", checked: true });
    this.solutions = el("input", { type: "checkbox", checked: true });
    this.error = el("p", { className: "error", role: "alert" });
    this.download = button("Download PDF", () => this.#save(), { className: "primary" });
    this.heading = el("h2", { className: "print-only" });
    this.element = el(
      "section",
      { className: "card stack no-print" },
      el("h2", { textContent: "Printable sheet" }),
      el(
        "div",
        { className: "fields" },
        el("label", {}, "Paper", this.paper),
        el("label", {}, "Puzzles per page", this.perPage),
        el("label", {}, "Title", this.title),
        el("label", {}, "Hints in words per puzzle", this.hints),
        el("label", { className: "inline" }, this.ratings, "Ratings"),
        el("label", { className: "inline" }, this.solutions, "Solutions on the last pages"),
      ),
      this.error,
      el(
        "div",
        { className: "row" },
        this.download,
        button("Print…", () => this.#print()),
      ),
    );
  }

  async #save() {
    const puzzles = this.puzzles().slice(0, MOST);
    const body = {
      puzzles: puzzles.map((one) => one.puzzle),
      box: puzzles[0].box,
      paper: this.paper.value,
      per_page: Number(this.perPage.value),
      title: this.title.value,
      hints: Number(this.hints.value),
      ratings: this.ratings.checked ? ["rules", "se"] : [],
      solutions: this.solutions.checked,
      format: "pdf",
    };
    this.error.textContent = "";
    this.download.disabled = true;
    try {
      save("sudoku.pdf", await postForBlob("sheet", body));
    } catch (error) {
      this.error.textContent = messageOf(error);
    } finally {
      this.download.disabled = false;
    }
  }

  // Print the boards of the page; css/generate.css lays them out.
  #print() {
    const perPage = Math.max(1, Number(this.perPage.value) || 1);
    const boards = document.querySelectorAll(".thumbnail");
    boards.forEach((board, index) => board.classList.toggle("page-end", index % perPage === perPage - 1));
    const columns = perPage === 1 ? 1 : perPage <= 8 ? 2 : Math.ceil(Math.sqrt(perPage / 1.4));
    document.documentElement.style.setProperty("--print-columns", String(columns));
    this.heading.textContent = this.title.value;
    window.print();
  }
}
