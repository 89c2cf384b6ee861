import { planOfRing } from "../../../epoch/plan-ring.ts";
import type { GateFinding } from "../../../gates/gates.ts";
import type { SurveyOrigin } from "../../../geometry/enu.ts";
import type { ElevationGrid, GridFrame } from "../../../grid/elevation-grid.ts";
import { boxAround } from "../cells/lattice.ts";
import type { StableGround } from "../cells/stable-mask.ts";
import { surfaceName } from "../input/flight-bytes.ts";
import type { SurfaceInput, ZoneInput } from "../input/flight-input.ts";
import { type CoRegistration, coRegister } from "../registration/co-registration.ts";
import type { HeightReference } from "../registration/height-errors.ts";
import { createSurfaces } from "../registration/open-surfaces.ts";
import { createSiteRegistration } from "../registration/site-registration.ts";
import { gridAt, levelAt } from "../registration/surface-source.ts";
import { gatheredOn, heightsOn } from "../registration/zone-heights.ts";

/** The baseline or the design of a zone, ready to be asked. */
export interface ZoneEnd {
  readonly reference: HeightReference;
  /** Cells on the lattice are at least as large, metres; 0: any. */
  readonly cellM: number;
  /** Of this flight against it, where it is a baseline; `undefined`: too little stable ground. */
  readonly registration: CoRegistration | undefined;
  /** What is to be known of its file. */
  readonly findings: readonly GateFinding[];
  /** Heights on a grid of the datum's lattice, metres; for `baseline` above it. */
  on(frame: GridFrame): Float32Array;
}

/** Opens the ends of a flight's zones; what several zones share is compared with the flight once. */
export interface ZoneEnds {
  /** Yields the reason, in words, where it cannot be used. */
  open(input: SurfaceInput, of: "baseline" | "design"): Promise<ZoneEnd | string>;
  /** Of the flight against what was given for the project's zones; see `createSiteRegistration`. */
  site(zones: readonly ZoneInput[]): Promise<CoRegistration | undefined>;
}

/** What zones' surfaces are opened with. */
export interface EndTools {
  /** What the flight saw, in the frame of the datum. */
  readonly surface: ElevationGrid;
  /** What the project's first flight saw; `undefined`: this is the first, or it cannot be read any more. */
  readonly first: ElevationGrid | undefined;
  readonly ground: StableGround;
  readonly datum: { readonly id: string; readonly origin: SurveyOrigin };
  readonly gsdM: number;
}

export function createZoneEnds({ surface, first, ground, datum, gsdM }: EndTools): ZoneEnds {
  const surfaces = createSurfaces(surface, datum);
  const registrations = new Map<string, CoRegistration | undefined>();

  async function open(input: SurfaceInput, of: "baseline" | "design"): Promise<ZoneEnd | string> {
    if (input.kind === "lost") return input.reason;
    if (input.kind === "level") {
      const { heightM, reference } = input;
      const isAbove = reference === "baseline";
      if (isAbove && of === "baseline") return "it cannot lie above itself";
      const heightAt = isAbove ? () => heightM : levelAt(heightM, datum.origin);
      const on = (frame: GridFrame) => heightsOn(frame, heightAt);
      return { reference, cellM: 0, registration: undefined, findings: [], on };
    }
    const opened = await surfaces.open(input);
    if ("problem" in opened) return opened.problem;
    const { epoch, heightAt, findings } = opened;
    const name = surfaceName(input);
    // A design is not ground: where it agrees with the flight shows progress, not heights.
    if (of === "baseline" && !registrations.has(name)) {
      registrations.set(name, coRegister(surface, heightAt, ground));
    }
    const registration = of === "baseline" ? registrations.get(name) : undefined;
    return epoch === undefined
      ? {
          ...{ reference: "given", cellM: 0, registration, findings },
          on: (frame) => heightsOn(frame, heightAt),
        }
      : {
          ...{ reference: "flight", cellM: epoch.surface.cellM, registration, findings },
          on: (frame) => gatheredOn(frame, epoch.surface),
        };
  }

  return {
    open,
    async site(zones) {
      const given = zones.flatMap(({ ring, baseline }) =>
        baseline?.kind === "file" && baseline.format !== "epoch" ? [{ ring, baseline }] : [],
      );
      if (given.length === 0) return undefined;
      const later = first && coRegister(surface, gridAt(first), ground);
      // Nothing ties this flight to the one that saw the ground.
      if (first !== undefined && later === undefined) return undefined;
      const site = createSiteRegistration(first ?? surface, later, gsdM);
      for (const { ring, baseline } of given) {
        const opened = await surfaces.open(baseline);
        if ("problem" in opened) continue;
        site.add(opened.heightAt, boxAround(planOfRing(ring, datum.origin), BEYOND_M));
      }
      return site.result();
    },
  };
}

/**
 * Given surfaces are read so far around their zones, metres: ground that touches the zone. Farther, what
 * neighbours built counts as ground; nearer, small zones have too few cells.
 */
const BEYOND_M = 2;
