import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { UtmPlane } from "../../survey/coordinates/utm-plane.ts";
import type { SiteCameraPlan } from "../camera/site-camera.ts";
import type { ProjectPlan } from "../plan/plan-project.ts";
import type { SchedulePlan } from "../schedule/activities.ts";
import { pointTable, taskTable } from "../schedule/csv-files.ts";
import { mspdiFile } from "../schedule/mspdi-file.ts";
import { xerFile } from "../schedule/xer-file.ts";
import { cameraRequest, projectRequest, zoneRequest } from "./request-files.ts";
import { writeZoneSurfaces } from "./zone-surfaces.ts";

/** Writes what is there before work begins: requests, schedules, designs and baselines. */
export async function writePlanFiles(
  out: string,
  plan: ProjectPlan,
  schedule: SchedulePlan,
  cameras: readonly SiteCameraPlan[],
  utm: UtmPlane,
): Promise<void> {
  const { options, ground, zones } = plan;
  const requests = [];
  for (const zone of zones) {
    const surfaces = await writeZoneSurfaces(out, ground, zone, utm, options.baseline);
    requests.push(zoneRequest(plan, zone, surfaces));
  }
  const reference = (camera: SiteCameraPlan) => `week-01/cameras/${camera.id}.jpg`;
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 1)}\n`;
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "project.json": json(projectRequest(plan, schedule)),
    "zones.json": json(requests),
    "cameras.json": json(cameras.map((camera) => cameraRequest(plan, camera, reference(camera)))),
    "schedule.xer": xerFile(schedule),
    "schedule.xml": mspdiFile(schedule),
    "schedule.csv": taskTable(schedule),
    "schedule-points.csv": pointTable(schedule),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(out, name), content);
}
