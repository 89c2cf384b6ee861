import type { Readable } from "node:stream";
import type { ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { ADMIN_KEY, type TestApp } from "../api-app.ts";

/** Two activities of 4 and 4 days (the last of each included), one after the other, weights 3 and 1. */
export const TWO_ZONES_CSV = `zone,task,start,finish,weight,curve
North,Slab,2026-03-02,2026-03-05,3,linear
South,Walls,2026-03-06,2026-03-09,1,linear
`;

export const schedulePath = (project: ProjectId): string =>
  `/api/v1/progress/projects/${project}/schedule`;

/** Sends a file as the body of PUT. */
export function putSchedule(
  t: TestApp,
  project: ProjectId,
  payload: string | Buffer | Readable,
  headers: Record<string, string> = { "content-type": "application/octet-stream" },
  query = "",
  key = ADMIN_KEY,
) {
  return t.app.inject({
    method: "PUT",
    url: `${schedulePath(project)}${query}`,
    headers: { ...headers, authorization: `Bearer ${key}` },
    payload,
  });
}

/** A zone that is matched by its name, or by the activities given. */
export async function addZone(
  t: TestApp,
  project: ProjectId,
  name: string,
  activities: Partial<WorkZone["activities"]> = {},
): Promise<WorkZoneId> {
  const id = `${project}-${name.toLowerCase()}` as WorkZoneId;
  await t.records.workZones.insert({
    id,
    project_id: project,
    name,
    polygon: undefined,
    metric: { kind: "manual" },
    baseline: undefined,
    design: undefined,
    weight: undefined,
    declared_progress: 0,
    declared_at: "2026-03-01T00:00:00.000Z",
    activities: { codes: [], wbs: [], names: [], ...activities },
    created_at: "2026-03-01T00:00:00.000Z",
    updated_at: "2026-03-01T00:00:00.000Z",
  });
  return id;
}
