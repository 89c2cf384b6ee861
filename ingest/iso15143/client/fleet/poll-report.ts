import type {
  FleetMachineNames,
  FleetPoll,
} from "../../../../storage/ports/equipment/fleet-sources.ts";
import { MAX_PROBLEM, MAX_PROBLEMS, MAX_UNMATCHED } from "../pages/limits.ts";

type Counts = Pick<
  FleetPoll,
  | "pages"
  | "unchangedPages"
  | "machines"
  | "matchedMachines"
  | "readings"
  | "seriesPages"
  | "problems"
  | "problemCount"
  | "unmatched"
  | "unmatchedCount"
>;

/** What a page came to, or several together; lists are cut, counts are not. */
export class PollReport {
  pages = 0;
  unchangedPages = 0;
  machines = 0;
  matchedMachines = 0;
  readings = 0;
  seriesPages = 0;
  problemCount = 0;
  unmatchedCount = 0;
  readonly #problems: { readonly where: string; readonly problem: string }[] = [];
  readonly #unmatched: FleetMachineNames[] = [];

  /** `where`: a machine in words, or a page. */
  problem(where: string, problem: string): void {
    this.problemCount += 1;
    if (this.#problems.length >= MAX_PROBLEMS) return;
    this.#problems.push({ where, problem: problem.slice(0, MAX_PROBLEM) });
  }

  unmatched(names: FleetMachineNames): void {
    this.unmatchedCount += 1;
    if (this.#unmatched.length < MAX_UNMATCHED) this.#unmatched.push(names);
  }

  /** Takes in what a page came to. */
  add(page: PollReport): void {
    this.pages += page.pages;
    this.unchangedPages += page.unchangedPages;
    this.machines += page.machines;
    this.matchedMachines += page.matchedMachines;
    this.readings += page.readings;
    this.seriesPages += page.seriesPages;
    for (const { where, problem } of page.#problems) this.problem(where, problem);
    for (const names of page.#unmatched) this.unmatched(names);
    this.problemCount += page.problemCount - page.#problems.length;
    this.unmatchedCount += page.unmatchedCount - page.#unmatched.length;
  }

  /** The same page at a later poll: as it was, with nothing new. */
  asUnchanged(): PollReport {
    const again = new PollReport();
    again.add(this);
    again.unchangedPages = again.pages;
    again.readings = 0;
    return again;
  }

  counts(): Counts {
    const { pages, unchangedPages, machines, matchedMachines, readings } = this;
    const { problemCount, unmatchedCount, seriesPages } = this;
    return {
      pages,
      unchangedPages,
      machines,
      matchedMachines,
      readings,
      seriesPages,
      problems: this.#problems,
      problemCount,
      unmatched: this.#unmatched,
      unmatchedCount,
    };
  }
}
