import { createUtmPlane } from "../../survey/coordinates/utm-plane.ts";
import { SITE_ORIGIN } from "../../survey/site/plan-survey.ts";
import type { Solid } from "../../survey/site/solid.ts";
import type { SiteCameraPlan } from "../camera/site-camera.ts";
import { visibleShare } from "../camera/visible-share.ts";
import { TIME_ZONE } from "../files/request-files.ts";
import type { ProjectPlan, WeekPlan } from "../plan/plan-project.ts";
import { plannedPercent, type SchedulePlan } from "../schedule/activities.ts";
import type { ZoneMeter } from "./measure-zone.ts";
import type {
  ProjectTruth,
  TrueSiteCamera,
  TrueWeek,
  TrueZoneFacts,
  TrueZoneWeek,
} from "./project-truth.ts";

/** What is true of all zones at the flight of a week; `meters` are in the order of the zones. */
export function measureWeek(
  { zones, options }: ProjectPlan,
  schedule: SchedulePlan,
  { week, startMs, weather }: WeekPlan,
  meters: readonly ZoneMeter[],
  others: readonly Solid[],
): TrueWeek {
  const atMin = startMs / 60_000;
  const byId: Record<string, TrueZoneWeek> = {};
  let earned = 0;
  let cost = 0;
  for (const [i, zone] of zones.entries()) {
    const measured = meters[i]?.measure(zone.doneAt(week), others);
    if (measured === undefined) continue;
    byId[zone.id] = {
      ...measured,
      plannedPercent: plannedPercent(schedule, atMin, zone.plan.code),
    };
    earned += zone.plan.cost * measured.percent;
    cost += zone.plan.cost;
  }
  return {
    ...{ week, date: new Date(startMs).toISOString(), gps: options.gps, weather, zones: byId },
    percent: earned / cost,
    plannedPercent: plannedPercent(schedule, atMin),
  };
}

/** Puts the truth together. */
export function createProjectTruth(
  plan: ProjectPlan,
  meters: readonly ZoneMeter[],
  weeks: readonly TrueWeek[],
  cameras: readonly SiteCameraPlan[],
  pictures: readonly TrueSiteCamera["pictures"][],
): ProjectTruth {
  const { options, zones, altitudeM, gsdM } = plan;
  return {
    format: "plumbline-project-truth/1",
    ...{ options, projectId: options.project, timeZone: TIME_ZONE, origin: SITE_ORIGIN },
    epsg: createUtmPlane(SITE_ORIGIN).epsg,
    ...{ altitudeM, gsdM },
    zones: zones.map((zone, i): TrueZoneFacts => {
      const { code, name, metric, design, expectation, cost, work, isOccluded } = zone.plan;
      const { volumeM3 = 0, meanLiftM = 0, areaM2 = 0 } = meters[i]?.planned ?? {};
      return {
        ...{ id: zone.id, code, name, metric, design, expectation, cost, areaM2, meanLiftM },
        plannedVolumeM3: volumeM3,
        isOverbuilt: "isOverbuilt" in work && work.isOverbuilt === true,
        isOccluded,
      };
    }),
    weeks,
    cameras: cameras.map(({ id, centre, attitude, lens }, i) => ({
      id,
      centre: [centre.eastM, centre.northM, centre.upM],
      ...{ yawDeg: attitude.yawDeg, pitchDeg: attitude.pitchDeg, focalPx: lens.focalPx },
      visibleShares: Object.fromEntries(
        zones.map((zone) => [zone.id, visibleShare(plan, zone, centre)]),
      ),
      pictures: pictures[i] ?? [],
    })),
  };
}
