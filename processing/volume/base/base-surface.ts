import type { BaseMethod } from "../../../domain/sites/stockpile.ts";
import { elevationAt } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";

/** The base of a volume. */
export interface BaseSurface {
  readonly kind: BaseMethod;
  /** Spread of the ground about it, metres (normalised median absolute deviation); 0 = given. */
  readonly nmadM: number;
  /** The part of that spread that is as wide as the pile and does not average out, metres; 0 = given. */
  readonly unevenM: number;
  /** Height at a place in plan (ENU, metres); NaN = not known. */
  heightAt(x: number, y: number): number;
}

/** A base at one height. */
export interface LevelBase extends BaseSurface {
  readonly kind: "level";
  readonly heightM: number;
}

/** A level base at a height of ENU, metres: a slab, or the floor of a bunker. */
export function levelBase(heightM: number): LevelBase {
  return { kind: "level", heightM, nmadM: 0, unevenM: 0, heightAt: () => heightM };
}

/** The ground as an earlier survey in the same frame found it; not known in its holes. */
export function surveyBase(surface: HeightField): BaseSurface & { readonly kind: "survey" } {
  return {
    kind: "survey",
    nmadM: 0,
    unevenM: 0,
    heightAt: (x, y) => elevationAt(surface, x, y),
  };
}
