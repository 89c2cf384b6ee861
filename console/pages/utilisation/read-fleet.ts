import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { FleetRow, Grouping } from "./heat-table.ts";

const PAGE = 1_000;

/** Rows by day, with the range that they are of. */
export interface FleetUse {
  /** Calendar dates, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly rows: readonly FleetRow[];
}

export interface FleetQuestion {
  readonly grouping: Grouping;
  /** First calendar date; the last one is today. */
  readonly from: string;
  /** `undefined`: all. */
  readonly projectId: string | undefined;
  /** Projects to ask for one by one, where lines are projects. */
  readonly projectIds: readonly string[];
}

/** Reads the use of a fleet by day: all pages of it, and for lines of projects one project after the other. */
export async function readFleetUse(question: FleetQuestion): Promise<Outcome<FleetUse>> {
  const { grouping, from, projectId, projectIds } = question;
  if (grouping !== "project") return readAll([grouping, "day"], from, projectId);
  const wanted = projectId === undefined ? projectIds : [projectId];
  const rows: FleetRow[] = [];
  let range = { from, to: from };
  for (const id of wanted) {
    const outcome = await readAll(["day"], from, id);
    if ("failure" in outcome) return outcome;
    range = outcome.value;
    rows.push(...outcome.value.rows.map((row) => ({ ...row, project_id: id })));
  }
  return { value: { from: range.from, to: range.to, rows } };
}

async function readAll(
  group: ("asset" | "type" | "day")[],
  from: string,
  projectId: string | undefined,
): Promise<Outcome<FleetUse>> {
  const rows: FleetRow[] = [];
  for (;;) {
    const outcome = await outcomeOf(
      api.GET("/api/v1/equipment/utilization", {
        params: {
          query: {
            group,
            from,
            limit: PAGE,
            offset: rows.length,
            ...(projectId === undefined ? {} : { project_id: projectId }),
          },
        },
      }),
    );
    if ("failure" in outcome) return outcome;
    const { data, pagination, from: first, to } = outcome.value;
    rows.push(...data);
    if (!pagination.has_more || data.length === 0) {
      return { value: { from: first, to, rows } };
    }
  }
}
