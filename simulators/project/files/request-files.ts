import { geodeticPosition } from "../../survey/coordinates/wgs84.ts";
import { SITE_ORIGIN } from "../../survey/site/plan-survey.ts";
import { outlineOf, type SiteCameraPlan } from "../camera/site-camera.ts";
import { visibleShare } from "../camera/visible-share.ts";
import type { ProjectPlan } from "../plan/plan-project.ts";
import { type SchedulePlan, WBS_ROOT, wallText } from "../schedule/activities.ts";
import { buildingLevels } from "../zone/building-work.ts";
import type { ProjectZone } from "../zone/project-zone.ts";
import { corners } from "../zone/site-grid.ts";
import { planeM } from "../zone/site-ground.ts";
import type { ZoneSurfaces } from "./zone-surfaces.ts";

/** The wall clock of the project. */
export const TIME_ZONE = "Europe/London";

/** Body of `POST /projects`. */
export function projectRequest({ options }: ProjectPlan, schedule: SchedulePlan) {
  return {
    id: options.project,
    name: "Simulated site",
    location: { latitude: SITE_ORIGIN.latDeg, longitude: SITE_ORIGIN.lonDeg },
    time_zone: TIME_ZONE,
    planned_start: wallText(schedule.startMin, "T").slice(0, 10),
    planned_finish: wallText(schedule.finishMin, "T").slice(0, 10),
  };
}

/** Body of `POST /progress/zones` for a zone, and where the surfaces for it lie. */
export interface ZoneRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly surfaces: ZoneSurfaces;
}

export function zoneRequest(
  { ground, options }: ProjectPlan,
  zone: ProjectZone,
  surfaces: ZoneSurfaces,
): ZoneRequest {
  const { code, name, rect, work, metric, toleranceM } = zone.plan;
  const polygon = corners(rect).map((at) => {
    const place = ground.grid.toSite(at);
    const { latDeg, lonDeg } = geodeticPosition(SITE_ORIGIN, {
      ...place,
      upM: planeM(ground, place),
    });
    return [Number(latDeg.toFixed(9)), Number(lonDeg.toFixed(9))];
  });
  const levels =
    work.kind === "building"
      ? {
          levels: buildingLevels(work).map(({ name: level, topM, weight }) => ({
            ...{ name: level, top_m: Number(topM.toFixed(3)), weight },
          })),
        }
      : {};
  return {
    body: {
      ...{ id: zone.id, project_id: options.project, name, polygon },
      metric: {
        kind: metric,
        ...levels,
        ...(toleranceM !== undefined && { tolerance_m: toleranceM }),
      },
      activities: { codes: [code], wbs: [`${WBS_ROOT}.${code}`], names: [] },
    },
    surfaces,
  };
}

/** A camera is asked about zones that it sees so much of when all is built. */
const LEAST_VISIBLE = 0.6;

/** Body that registers a fixed camera, and the file of its reference view. */
export function cameraRequest(plan: ProjectPlan, camera: SiteCameraPlan, reference: string) {
  const round = (share: number) => Number(share.toFixed(5));
  return {
    body: {
      ...{ id: camera.id, project_id: plan.options.project, name: camera.name },
      zones: plan.zones.flatMap((zone) => {
        if (visibleShare(plan, zone, camera.centre) < LEAST_VISIBLE) return [];
        const outline = outlineOf(camera, plan, zone);
        if (outline === undefined) return [];
        return [{ zone_id: zone.id, outline: outline.map(([x, y]) => [round(x), round(y)]) }];
      }),
    },
    reference,
  };
}
