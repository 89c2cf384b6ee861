import { signal } from "@preact/signals";
import { api } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import type { Alert } from "../api/live-messages.ts";
import { outcomeOf } from "../api/outcome.ts";
import { afterChange, openListOf } from "./open-list.ts";
import { perSession } from "./per-session.ts";
import { projectId } from "./project.ts";

/** Most alerts that one answer has. */
const PAGE = 100;

/** Open alerts by id. More than fit in one answer stay with the service: `total` counts them. */
export const openAlerts = perSession<ReadonlyMap<string, Alert>>(new Map());
/** How many are open, those that are not shown included; `null`: not known yet. */
export const openTotal = perSession<number | null>(null);
/** Of the last read; `undefined`: it went well. */
export const alertsFailure = perSession<Failure | undefined>(undefined);
/** The last one that opened while this page was there: what is said aloud and shown by the browser. */
export const newestAlert = perSession<Alert | undefined>(undefined);
/** Counts changes, for pages that read more than the open ones. */
export const alertChanges = signal(0);

/** What the live stream brought since the newest read was asked; `undefined`: none is on its way. */
let meanwhile: Alert[] | undefined;

/** A change that the live stream or an answer brought; it comes in any order with a read of the list. */
export function takeAlert(alert: Alert): void {
  const project = projectId.peek();
  if (project !== undefined && alert.project_id !== project) return;
  meanwhile?.push(alert);
  const open = openAlerts.peek();
  const total = openTotal.peek();
  if (alert.status === "open" && !open.has(alert.id)) newestAlert.value = alert;
  const next = afterChange({ open, total: total ?? open.size }, alert);
  if (total !== null) openTotal.value = next.total;
  openAlerts.value = next.open;
  alertChanges.value += 1;
}

/** Reads the open alerts of a project, or of all: the worst first, so that a flood of notices hides none of them. */
export async function readOpenAlerts(projectId: string | undefined): Promise<void> {
  const changes: Alert[] = [];
  meanwhile = changes;
  const [urgent, notices] = await Promise.all([
    readPage(["critical", "warning"], projectId),
    readPage(["info"], projectId),
  ]);
  // Asked again since: that answer is newer.
  if (meanwhile !== changes) return;
  meanwhile = undefined;
  if ("failure" in urgent || "failure" in notices) {
    const failed = "failure" in urgent ? urgent : notices;
    alertsFailure.value = "failure" in failed ? failed.failure : undefined;
    return;
  }
  const total = urgent.value.pagination.total + notices.value.pagination.total;
  const answered = [...urgent.value.data, ...notices.value.data];
  const list = openListOf(answered, total, changes);
  openAlerts.value = list.open;
  openTotal.value = list.total;
  alertsFailure.value = undefined;
}

const readPage = (severity: Alert["severity"][], projectId: string | undefined) =>
  outcomeOf(
    api.GET("/api/v1/equipment/alerts", {
      params: {
        query: {
          status: ["open"],
          severity,
          limit: PAGE,
          ...(projectId === undefined ? {} : { project_id: projectId }),
        },
      },
    }),
  );
