import type { ReportZone } from "./requests.ts";

/** What was declared as 0 with the zone is nobody's figure. */
export const isUnseen = ({ method, progress }: Pick<ReportZone, "method" | "progress">): boolean =>
  method === "declared" && progress === 0;

/**
 * How much of a project is done, percent; `undefined`: nothing of it was ever seen.
 * @param seen share of the project that was ever seen, percent
 */
export const knownPercent = (percent: number, seen: number): number | undefined =>
  seen === 0 ? undefined : percent;
