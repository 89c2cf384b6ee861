import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { HOUR_MS } from "../../domain/time.ts";
import { SimulatorError } from "../command-line/simulator-error.ts";
import { projectRequest, zoneRequest } from "../project/files/request-files.ts";
import { writeWeekSurface } from "../project/files/week-surface.ts";
import { type SurfaceSource, writeZoneSurfaces } from "../project/files/zone-surfaces.ts";
import {
  type ProjectPlan,
  planProject,
  startOf,
  type WeekPlan,
} from "../project/plan/plan-project.ts";
import { SceneMaker, type WeekScene } from "../project/scene/week-scene.ts";
import { createSchedule, type SchedulePlan } from "../project/schedule/activities.ts";
import { xerFile } from "../project/schedule/xer-file.ts";
import { createZoneMeter } from "../project/truth/measure-zone.ts";
import type { ProjectZone } from "../project/zone/project-zone.ts";
import { createUtmPlane } from "../survey/coordinates/utm-plane.ts";
import { SITE_ORIGIN } from "../survey/site/plan-survey.ts";
import { DEMO, OBSERVED_ZONE, REPORTED_WEEKS, siteProject } from "./demo-plan.ts";
import { type DemoWork, followCapture } from "./demo-service.ts";

const Project = Type.Object({ created_at: Type.String() });
const Created = Type.Object({ id: Type.String() });
const Zone = Type.Object({
  baseline: Type.Optional(Type.Unknown()),
  design: Type.Optional(Type.Unknown()),
});
const Schedule = Type.Object({ revision: Type.Integer() });
const Observations = Type.Object({ data: Type.Array(Type.Object({ observed_at: Type.String() })) });
const Captures = Type.Object({ data: Type.Array(Created) });
const Capture = Type.Object({
  flight_metadata: Type.Optional(Type.Object({ flight_id: Type.Optional(Type.String()) })),
});

/**
 * The surfaces of the weeks are made this far east and north of the origin, metres, with cells of 20 cm (those of
 * images of 8 cm): what `writeWeekSurface` samples. The whole flight would take five times as long.
 */
const SURFACE = { extentM: 74, gsdM: 0.08 };

/**
 * Makes the building site unless it is there: project, schedule, zones with baselines and designs, and what a
 * person and a flight saw in each of the weeks. Goes on where an earlier start ended, and leaves out what
 * somebody removed. Its dates are those of the day on which it was made.
 */
export async function showBuildingSite(work: DemoWork): Promise<void> {
  const { service, folder, say } = work;
  say("building site");
  const known = await service.find(`/projects/${DEMO.site}`, Project);
  const startedMs = known === undefined ? Date.now() : Date.parse(known.created_at);
  const plan = planProject(siteProject(startedMs));
  const schedule = createSchedule(
    plan.zones.map((zone) => zone.plan),
    plan.options.weeks,
    startOf(plan.options),
  );
  const { id: _, ...project } = projectRequest(plan, schedule);
  const named = { ...project, name: "Demo building site (simulated)" };
  if (!(await service.provide("/projects", DEMO.site, named))) return;
  await mkdir(folder, { recursive: true });
  const scenes = sceneOnDemand(plan);
  const ground = groundOnDemand(work, plan, scenes);
  for (const zone of plan.zones) await provideZone(work, plan, zone, ground);
  await provideSchedule(work, schedule);
  const flown = await flownWeeks(work);
  for (const week of plan.weeks.filter(({ week: number }) => REPORTED_WEEKS.includes(number))) {
    await observe(work, plan, week);
    await fly(work, scenes, week, flown);
  }
  await rm(join(folder, GROUND), { recursive: true, force: true });
}

/** Makes scenes of ascending weeks; a start that finds everything there makes none. */
type Scenes = (week: WeekPlan) => WeekScene;

function sceneOnDemand(plan: ProjectPlan): Scenes {
  let maker: SceneMaker | undefined;
  return (week) => {
    maker ??= new SceneMaker({ ...plan, ...SURFACE });
    return maker.make(week);
  };
}

/** Folder of the surface before work began. */
const GROUND = "ground";

/**
 * The bytes of the whole site's surface before work began, GeoTIFF: the baseline of every zone. It reaches over the
 * ground between the zones, by which the service brings later surfaces onto it; without, it would take given
 * heights for no better than twice their cells, 0.4 m.
 */
function groundOnDemand({ folder }: DemoWork, plan: ProjectPlan, scenes: Scenes) {
  let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;
  async function make(): Promise<Uint8Array<ArrayBuffer>> {
    const [first] = plan.weeks;
    if (first === undefined) throw new SimulatorError("the demo's building site has no weeks");
    const { heights } = scenes(first);
    const file = await writeWeekSurface(folder, GROUND, heights, [], createUtmPlane(SITE_ORIGIN));
    return new Uint8Array(await readFile(join(folder, file)));
  }
  return () => {
    bytes ??= make();
    return bytes;
  };
}

/** Of a zone that no flight sees: a person says how far it is. */
const isObserved = ({ plan }: ProjectZone): boolean => plan.code === OBSERVED_ZONE;

async function provideZone(
  { service, folder }: DemoWork,
  plan: ProjectPlan,
  zone: ProjectZone,
  ground: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  const utm = createUtmPlane(SITE_ORIGIN);
  const surfaces = await writeZoneSurfaces(folder, plan.ground, zone, utm, plan.options.baseline);
  const { id: _, ...body } = zoneRequest(plan, zone, surfaces).body;
  const path = `/progress/zones/${zone.id}`;
  if (isObserved(zone)) {
    await service.provide("/progress/zones", zone.id, { ...body, metric: { kind: "manual" } });
  } else if (await service.provide("/progress/zones", zone.id, body)) {
    const { baseline, design } = await service.read(path, Zone);
    if (baseline === undefined) {
      await service.put(`${path}/surfaces/baseline`, await ground(), "image/tiff");
    }
    if (design === undefined && surfaces.design !== undefined) await putDesign(surfaces.design);
  }
  await rm(join(folder, "zones"), { recursive: true, force: true });

  async function putDesign(design: SurfaceSource): Promise<void> {
    const to = `${path}/surfaces/design`;
    if (design.kind === "level") {
      const { height_m, reference } = design;
      return await service.put(to, { height_m, reference });
    }
    const bytes = new Uint8Array(await readFile(join(folder, design.file)));
    if (design.kind === "raster") return await service.put(to, bytes, "image/tiff");
    await service.put(`${to}?epsg=${design.epsg}`, bytes, "application/xml");
  }
}

/** The plan: Primavera's file, unless there is a schedule, which may be somebody's own. */
async function provideSchedule({ service }: DemoWork, schedule: SchedulePlan): Promise<void> {
  const path = `/progress/projects/${DEMO.site}/schedule`;
  if ((await service.find(path, Schedule)) !== undefined) return;
  await service.put(path, xerFile(schedule), "application/octet-stream");
}

/** Half of the interval that a person's estimate has, percent. */
const ESTIMATE_95 = 8;
const inPercent = (value: number): number => Math.min(100, Math.max(0, value));

/** What a person says of the zone that no flight sees: the truth, rounded, with an interval. */
async function observe({ service }: DemoWork, plan: ProjectPlan, week: WeekPlan): Promise<void> {
  const zone = plan.zones.find(isObserved);
  if (zone === undefined) return;
  const path = `/progress/zones/${zone.id}/observations`;
  const found = await service.find(path, Observations);
  const observedAt = new Date(week.startMs - HOUR_MS).toISOString();
  if (found === undefined || found.data.some(({ observed_at }) => observed_at === observedAt)) {
    return;
  }
  const { percent } = createZoneMeter(plan.ground, zone).measure(zone.doneAt(week.week), []);
  const progress = Math.round(percent);
  await service.post(
    path,
    {
      progress,
      interval_95: [inPercent(progress - ESTIMATE_95), inPercent(progress + ESTIMATE_95)],
      observed_at: observedAt,
      observed_by: "Demo foreman (simulated)",
      note: "Simulated: estimated by eye from the road",
    },
    Created,
  );
}

/** Name of a week's flight, by which a later start finds it. */
const flightOf = (week: number): string => `demo-week-${week}-simulated`;

/** Captures of the site that are there, by the names of their flights. */
async function flownWeeks({ service }: DemoWork): Promise<ReadonlyMap<string, string>> {
  const list = await service.read(
    `/progress/captures?project_id=${DEMO.site}&limit=1000`,
    Captures,
  );
  const flown = new Map<string, string>();
  for (const { id } of list.data) {
    const { flight_metadata } = await service.read(`/progress/captures/${id}`, Capture);
    if (flight_metadata?.flight_id !== undefined) flown.set(flight_metadata.flight_id, id);
  }
  return flown;
}

/** Sends the surface of a week as a flight's, and waits for its report. */
async function fly(
  work: DemoWork,
  scenes: Scenes,
  week: WeekPlan,
  flown: ReadonlyMap<string, string>,
): Promise<void> {
  const { service, folder } = work;
  const nth = REPORTED_WEEKS.indexOf(week.week) + 1;
  const say = (percent: number) =>
    work.say(`report ${nth} of ${REPORTED_WEEKS.length} of the building site: ${percent} %`);
  const known = flown.get(flightOf(week.week));
  say(0);
  const id = known ?? (await send());
  await followCapture(service, id, say);

  async function send(): Promise<string> {
    const { heights, works, others } = scenes(week);
    const utm = createUtmPlane(SITE_ORIGIN);
    const name = `week-${week.week}`;
    const file = await writeWeekSurface(folder, name, heights, [...works, ...others], utm);
    const bytes = new Uint8Array(await readFile(join(folder, file)));
    const images = await service.upload(DEMO.site, [{ name: `${name}-simulated.tif`, bytes }]);
    await rm(join(folder, name), { recursive: true, force: true });
    const body = {
      project_id: DEMO.site,
      capture_type: "drone",
      images,
      flight_metadata: {
        flight_id: flightOf(week.week),
        flown_at: new Date(week.startMs).toISOString(),
        drone_model: "Simulated surface (no drone)",
      },
    };
    return (await service.post("/progress/captures", body, Created)).id;
  }
}
