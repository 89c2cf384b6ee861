import { DomainError } from "../../../../../domain/errors.ts";

/** One thing that is wrong in a file. */
export interface ScheduleProblem {
  /** Line and field, such as "line 12, finish"; "file" for the whole. */
  readonly where: string;
  /** In words that follow `where`. */
  readonly message: string;
}

/** A schedule that cannot be read; lists several problems at once. */
export class ScheduleError extends DomainError {
  readonly problems: readonly ScheduleProblem[];

  constructor(problems: readonly ScheduleProblem[]) {
    const [first] = problems;
    const text = first === undefined ? "is not a schedule" : `${first.where} ${first.message}`;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    super("SCHEDULE_INVALID", `The schedule cannot be read: ${text}${more}`);
    this.problems = problems;
  }
}

/** Most problems of one answer: as many as other bodies get. */
const MOST_PROBLEMS = 8;

/** What is wrong so far. */
export interface Problems {
  /** @throws ScheduleError when there are as many as one answer lists: more would not be read. */
  add(where: string, message: string): void;
  /** @throws ScheduleError when there are any. */
  check(): void;
}

export function createProblems(): Problems {
  const found: ScheduleProblem[] = [];
  const check = () => {
    if (found.length > 0) throw new ScheduleError(found);
  };
  return {
    add(where, message) {
      found.push({ where, message });
      if (found.length >= MOST_PROBLEMS) check();
    },
    check,
  };
}

/** For what makes the whole file unreadable. */
export function unreadable(where: string, message: string): ScheduleError {
  return new ScheduleError([{ where, message }]);
}
