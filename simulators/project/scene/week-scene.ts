import type { Place } from "../../survey/coordinates/place.ts";
import {
  forNodesWithin,
  type HeightField,
  heightAtM,
  type NodeFrame,
  nodeFrame,
  sharedFloats,
  withSolids,
} from "../../survey/scene/height-field.ts";
import type { MaterialName } from "../../survey/scene/material.ts";
import { assembleScene, groundCellM, type UnpaintedScene } from "../../survey/scene/scene.ts";
import { createTracks } from "../../survey/scene/track.ts";
import type { Solid } from "../../survey/site/solid.ts";
import type { ProjectPlan, WeekPlan } from "../plan/plan-project.ts";
import { lightOf } from "../plan/weather.ts";
import { buildingBlocks } from "../zone/building-work.ts";
import { builtRect, designChangeM, type ProjectZone } from "../zone/project-zone.ts";
import { insideM } from "../zone/site-grid.ts";
import { builtGroundM, naturalGroundM, planeM } from "../zone/site-ground.ts";
import { lastingThings, paintedSite } from "./lasting-things.ts";
import { type Standing, standMachines } from "./machines.ts";

/** The site as one week's flight finds it. */
export interface WeekScene {
  readonly heights: NodeFrame & Pick<HeightField, "terrain">;
  /** For rendering; to be called before the next week is made. */
  assemble(): UnpaintedScene;
  /** What stands there for a while or was there before: machines, trees, containers, formwork. */
  readonly others: readonly Solid[];
  /** What is built to stay. */
  readonly works: readonly Solid[];
}

const PALETTE: readonly MaterialName[] = ["fill", "gravel", "subsoil", "concrete", "asphalt"];
/** A change of height that shows as moved material, metres. */
const MOVED_M = 0.02;
/** A surface this near to its design is finished, metres. */
const FINISHED_M = 0.03;
/** Number of the first week in textures, where 1 would be read as untouched. */
const FIRST_VERSION = 2;

/** Makes the scenes of a project week by week. */
export class SceneMaker {
  readonly #plan: ProjectPlan;
  readonly #frame: NodeFrame;
  /** Heights of the untouched ground, which all weeks share. */
  readonly #base: Float32Array;
  readonly #tracks: Float32Array;
  readonly #lasting: readonly Standing[];
  readonly #site: ReturnType<typeof paintedSite>;
  readonly #material: Uint8Array<SharedArrayBuffer>;
  readonly #version: Uint8Array<SharedArrayBuffer>;
  #terrain: Float32Array;
  #reached = 1;

  /** Prepares the ground. */
  constructor(plan: ProjectPlan) {
    this.#plan = plan;
    this.#frame = nodeFrame(plan.extentM, groundCellM(plan.gsdM));
    const { size, cellM, extentM } = this.#frame;
    this.#base = sharedFloats(size * size);
    for (let row = 0; row < size; row += 1) {
      const northM = extentM - row * cellM;
      for (let column = 0; column < size; column += 1) {
        const eastM = column * cellM - extentM;
        this.#base[row * size + column] = naturalGroundM(plan.ground, { eastM, northM });
      }
    }
    this.#tracks = createTracks(this.#frame, plan.random.fork("tracks"));
    this.#lasting = lastingThings(plan, extentM);
    this.#site = paintedSite(plan, extentM);
    this.#material = new Uint8Array(new SharedArrayBuffer(size * size));
    this.#version = new Uint8Array(new SharedArrayBuffer(size * size));
    this.#terrain = this.#base;
  }

  /** The scene of a week; weeks that were left out are caught up with. Weeks must ascend. */
  make({ week, weather }: WeekPlan): WeekScene {
    const { ground, zones } = this.#plan;
    for (; this.#reached < week; this.#reached += 1) this.#workGround(this.#reached + 1);
    const standing = (things: readonly Standing[], upAt: (place: Place) => number) =>
      things.flatMap(({ foot, solids }) => solids.map((solid) => lifted(solid, upAt(foot))));
    const onPlane = (place: Place) => planeM(ground, place);
    const buildings = zones.map((zone) => standBuilding(this.#plan, zone, week));
    const works = standing(
      buildings.map((building) => building.works),
      onPlane,
    );
    const others = [
      ...standing(
        buildings.map(({ aids }) => aids),
        onPlane,
      ),
      ...standing(this.#lasting, (place) => naturalGroundM(ground, place)),
      ...standing(
        standMachines(this.#plan, week),
        (place) =>
          heightAtM(this.#frame, this.#terrain, place.eastM, place.northM) ?? onPlane(place),
      ),
    ];
    const solids = [...works, ...others];
    const heights = { ...this.#frame, terrain: this.#terrain };
    return {
      ...{ heights, works, others },
      assemble: () =>
        assembleScene(
          {
            site: { ...this.#site, epoch: week + FIRST_VERSION - 1 },
            ...{ solids, tracks: this.#tracks },
            heights: {
              ...heights,
              base: this.#base,
              surface: withSolids(this.#frame, heights.terrain, solids),
            },
            light: lightOf(weather),
            cover: { palette: PALETTE, material: this.#material, version: this.#version },
          },
          { gsdM: this.#plan.gsdM, isSnow: false, contrast: 1, placeTargets: () => [] },
        ),
    };
  }

  /** Works the ground of the zones as it is in a week, and marks what moved since the last one. */
  #workGround(week: number): void {
    const { ground, zones } = this.#plan;
    const base = this.#base;
    const before = this.#terrain;
    const terrain = sharedFloats(base.length);
    terrain.set(base);
    this.#terrain = terrain;
    for (const zone of zones) {
      const rect = builtRect(zone.plan);
      const reachM = Math.hypot(rect.halfLengthM, rect.halfWidthM);
      const done = zone.doneAt(week);
      forNodesWithin(this.#frame, ground.grid.toSite(rect), reachM, (i, eastM, northM) => {
        const place = { eastM, northM };
        const at = ground.grid.fromSite(place);
        if (insideM(rect, at) < 0) return;
        const upM = builtGroundM(ground, zone, at, place, done, base[i] ?? 0);
        terrain[i] = upM;
        const movedM = Math.abs(upM - (before[i] ?? 0));
        if (movedM > MOVED_M) this.#version[i] = week + FIRST_VERSION - 1;
        if (Math.abs(upM - (base[i] ?? 0)) > MOVED_M) {
          const aimM = planeM(ground, place) + designChangeM(zone.plan, at);
          this.#material[i] = 1 + PALETTE.indexOf(madeOf(zone, Math.abs(upM - aimM) < FINISHED_M));
        }
      });
    }
  }
}

/** The blocks of a zone's building in a week; it rests on the plane from which its levels are counted. */
function standBuilding({ ground: { grid } }: ProjectPlan, zone: ProjectZone, week: number) {
  const { work, rect, code } = zone.plan;
  const foot = grid.toSite(rect);
  if (work.kind !== "building") return { works: { foot, solids: [] }, aids: { foot, solids: [] } };
  const { works, aids } = buildingBlocks(work, rect, grid, zone.doneAt(week), code);
  return { works: { foot, solids: works }, aids: { foot, solids: aids } };
}

function lifted(solid: Solid, upM: number): Solid {
  return solid.kind === "crown"
    ? { ...solid, upM: solid.upM + upM }
    : { ...solid, bottomM: solid.bottomM + upM, topM: solid.topM + upM };
}

/** What the surface of made ground shows. */
function madeOf({ plan: { code, work } }: ProjectZone, isFinished: boolean): MaterialName {
  if (work.kind === "cut") return "subsoil";
  if (work.kind === "slabs") return "concrete";
  if (code === "ASP") return "asphalt";
  return isFinished || code === "SUB" ? "gravel" : "fill";
}
