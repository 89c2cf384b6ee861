import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Crew } from "../survey/crew.ts";
import { viewRays } from "../survey/flight/camera.ts";
import type { Capture } from "../survey/flight/flight.ts";
import type { UnpaintedScene } from "../survey/scene/scene.ts";
import type { Solid } from "../survey/site/solid.ts";
import { poseAt, type SiteCameraPlan } from "./camera/site-camera.ts";
import type { ProjectPlan, WeekPlan } from "./plan/plan-project.ts";
import { airOf } from "./plan/weather.ts";
import { passingMachine } from "./scene/machines.ts";
import type { TrueSiteCamera } from "./truth/project-truth.ts";
import { planeM } from "./zone/site-ground.ts";

/** Share of the weeks in which a machine passes before a camera, and how far from its foot, metres. */
const PASS_SHARE = 0.3;
const PASS_AHEAD_M = [26, 40] as const;
/** Images of flights are numbered from 0; these numbers are only for the sensor's noise. */
const SENSOR_INDEX = 10_000;

/** Takes a fixed camera's picture of a week: `{folder}/cameras/{id}.jpg`. */
export async function takePicture(
  crew: Crew,
  plan: ProjectPlan,
  { week, startMs, weather }: WeekPlan,
  { scene }: UnpaintedScene,
  camera: SiteCameraPlan,
  index: number,
  out: string,
  folder: string,
): Promise<TrueSiteCamera["pictures"][number]> {
  const { options, ground, random } = plan;
  const pose = poseAt(camera, index, week, options, random);
  const drawn = random.fork(`picture-${index}-${week}`);
  const isPassed = week > 1 && drawn.chance(PASS_SHARE);
  const ahead = drawn.uniform(...PASS_AHEAD_M);
  const yawRad = (camera.attitude.yawDeg * Math.PI) / 180;
  const passing = isPassed ? passingMachine(camera.centre, yawRad, ahead, drawn) : undefined;
  const footM = passing === undefined ? 0 : planeM(ground, passing.foot);
  const solids: readonly Solid[] = [
    ...scene.solids,
    ...(passing?.solids ?? []).map((solid) =>
      solid.kind === "crown"
        ? solid
        : { ...solid, bottomM: solid.bottomM + footM, topM: solid.topM + footM },
    ),
  ];
  const capture: Capture = {
    index: SENSOR_INDEX + index,
    name: `${camera.id}.jpg`,
    centre: camera.centre,
    attitude: pose.attitude,
    velocityMps: [0, 0, 0],
    timeS: 0,
    gain: weather.gain,
    camera: 0,
    tagged: { position: camera.centre, relativeAltitudeM: 0, attitude: pose.attitude },
    faults: [],
  };
  const image = `${folder}/cameras/${capture.name}`;
  await mkdir(join(out, folder, "cameras"), { recursive: true });
  const time = new Date(startMs).toISOString().slice(0, 19).replace("T", " ").replaceAll("-", ":");
  await crew.run("image", {
    input: {
      scene: { ...scene, solids },
      ...{ capture, targets: [] },
      body: {
        ...{ make: "SIM", model: "SIM-CCTV", serial: camera.id, lens: camera.lens },
        ...{ focalLengthMm: 4, focal35Mm: 25, nominalFocalPx: camera.lens.focalPx },
      },
      rays: viewRays(camera.lens),
      options: {
        ...{ seed: options.seed * 1_000 + week, exposureMs: 2, readoutMs: 0 },
        noise: options.noise,
      },
      air: airOf(weather, scene.heights.extentM, options.seed * 100 + week),
    },
    tags: {
      exif: {
        IFD0: { Make: "SIM", Model: "SIM-CCTV", DateTime: time },
        IFD2: { DateTimeOriginal: time, OffsetTimeOriginal: "+00:00", BodySerialNumber: camera.id },
        IFD3: {},
      },
      xmp: undefined,
      orientation: 1,
    },
    jpegQuality: options.jpegQuality,
    path: join(out, image),
  });
  const { shiftPx, rollDeg, isKnocked } = pose;
  return { week, image, shiftPx, rollDeg, isKnocked, isPassed };
}
