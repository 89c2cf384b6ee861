import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { Visit } from "./visits-csv.ts";

/** Which stays: those that overlap `[from, to)`, ISO 8601; of one machine, or of all. */
export interface VisitQuery {
  readonly fenceId: string;
  readonly from: string;
  readonly to: string;
  readonly assetId: string | undefined;
}

export interface VisitPage {
  readonly visits: readonly Visit[];
  readonly total: number;
}

const PAGE = 100;
/** Rows of a file: a spreadsheet opens it, and a hundred requests read it. */
const MOST_ROWS = 10_000;

/** A page of the stays, newest first. */
export const readVisits = (
  { fenceId, from, to, assetId }: VisitQuery,
  offset: number,
): Promise<Outcome<VisitPage>> =>
  outcomeOf(
    api.GET("/api/v1/equipment/geofences/{geofence_id}/visits", {
      params: {
        path: { geofence_id: fenceId },
        query: {
          from,
          to,
          limit: PAGE,
          offset,
          ...(assetId === undefined ? {} : { asset_id: assetId }),
        },
      },
    }),
    ({ data, pagination }) => ({ visits: data, total: pagination.total }),
  );

/** All of them, for a file. */
export async function readAllVisits(query: VisitQuery): Promise<Outcome<VisitPage>> {
  const visits: Visit[] = [];
  for (;;) {
    const outcome = await readVisits(query, visits.length);
    if ("failure" in outcome) return outcome;
    const { visits: page, total } = outcome.value;
    visits.push(...page);
    if (page.length === 0 || visits.length >= Math.min(total, MOST_ROWS)) {
      return { value: { visits, total } };
    }
  }
}
