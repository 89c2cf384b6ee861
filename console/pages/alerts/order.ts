import type { Alert } from "../../api/live-messages.ts";

const WORST_FIRST: readonly Alert["severity"][] = ["critical", "warning", "info"];

/** The worst first, and of equals the newest. */
export function urgentFirst(alerts: readonly Alert[]): readonly Alert[] {
  return alerts.toSorted(
    (a, b) =>
      WORST_FIRST.indexOf(a.severity) - WORST_FIRST.indexOf(b.severity) ||
      Date.parse(b.opened_at) - Date.parse(a.opened_at),
  );
}
