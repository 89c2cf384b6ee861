import type { ListedSurvey } from "./requests.ts";

type Dated = Pick<ListedSurvey, "id" | "captured_at" | "bounds">;

/** Surveys of one ground, the earliest first, and which of them is shown. */
interface Dates {
  readonly dates: readonly Dated[];
  readonly index: number;
}

/** The dates of a ground; what can no longer be read is on no map. */
export function datesOf(shown: Dated, others: readonly Dated[]): Dates {
  const dates = [shown, ...others.filter(({ bounds }) => bounds !== null)].toSorted(
    (a, b) => Date.parse(a.captured_at) - Date.parse(b.captured_at) || (a.id < b.id ? -1 : 1),
  );
  return { dates, index: dates.findIndex(({ id }) => id === shown.id) };
}
