import { fitBasePlane } from "../../processing/volume/base/base-plane.ts";
import {
  type BaseSurface,
  levelBase,
  surveyBase,
} from "../../processing/volume/base/base-surface.ts";
import { fitBaseTin } from "../../processing/volume/base/base-tin.ts";
import { volumeAbove } from "../../processing/volume/volume-above.ts";
import { SINGLE_VERTEX_BASES, singleVertexBase } from "./single-vertex-bases.ts";
import { BASE_SITES, CONE_M3, SITE_LINE, siteSurfaces } from "./sites.ts";

export const METHODS = ["plane", "tin", "survey", "level", ...SINGLE_VERTEX_BASES] as const;
export type Method = (typeof METHODS)[number];

/** Relative error of the cone's volume by each method on one ground. */
export interface BaseErrors {
  readonly site: string;
  readonly errors: Readonly<Record<Method, number>>;
}

/** docs/stockpiles.md in cells of `cellM`: `level` gets the height at the cone's middle. */
export function baseErrors(cellM: number): readonly BaseErrors[] {
  return BASE_SITES.map((site) => {
    const { surface, empty } = siteSurfaces(site, cellM);
    const baseOf = (method: Method): BaseSurface | undefined => {
      switch (method) {
        case "plane":
          return fitBasePlane(surface, SITE_LINE);
        case "tin":
          return fitBaseTin(surface, SITE_LINE);
        case "survey":
          return surveyBase(empty);
        case "level":
          return levelBase(site.ground(0, 0));
        default:
          return singleVertexBase(method, surface, SITE_LINE);
      }
    };
    const errors = METHODS.map((method) => {
      const base = baseOf(method);
      const volume = base && volumeAbove(surface, SITE_LINE, base).netM3;
      return [method, volume === undefined ? Number.NaN : volume / CONE_M3 - 1] as const;
    });
    return { site: site.name, errors: Object.fromEntries(errors) as Record<Method, number> };
  });
}
