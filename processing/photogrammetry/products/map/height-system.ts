import type { VerticalDatum } from "../../../../domain/geometry/vertical-datum.ts";
import { heldBy } from "../../reconstruction/held-by.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";

/** What the heights of a given surface count from, by the file's own words. */
export interface GivenHeights {
  readonly name: string;
  /** Above an ellipsoid that is WGS 84's: a geoid may be taken off. */
  readonly isEllipsoidal: boolean;
}

/** What says where heights count from. */
export interface HeightSource {
  readonly reconstruction: Reconstruction | undefined;
  /** What a given surface says of its own. */
  readonly heightDatum?: GivenHeights | undefined;
  /** File name of the geoid grid that products are reduced by; absent: none. */
  readonly geoid?: string | undefined;
}

/** What the survey's heights are above, as far as anybody can know. */
export function verticalDatum({ reconstruction, heightDatum, geoid }: HeightSource): VerticalDatum {
  if (geoid !== undefined) {
    return { kind: "geoid", name: `above the geoid of the grid ${geoid}` };
  }
  if (reconstruction === undefined) {
    if (heightDatum === undefined) {
      return {
        kind: "unknown",
        name: "as the given surface has them; it does not say what they count from",
      };
    }
    const kind = heightDatum.isEllipsoidal ? "ellipsoidal" : "named";
    return { kind, name: `as the given surface has them, ${heightDatum.name}` };
  }
  const { summary } = reconstruction;
  const held = heldBy(summary);
  if (held === "control_points") {
    return { kind: "unknown", name: "in the height system of the control points" };
  }
  if (held === "rtk") {
    return {
      kind: "ellipsoidal",
      name: "as the RTK receiver gives them (usually above the WGS 84 ellipsoid)",
    };
  }
  if (summary.control?.points.some(({ use }) => use === "used")) {
    return {
      kind: "unknown",
      name:
        "in the height system of the control points next to them; away from them as level as the images' tags " +
        "make the survey",
    };
  }
  return {
    kind: "unknown",
    name:
      "relative: differences within the survey hold, the datum is whatever the images' altitudes " +
      "are above (ellipsoid, sea or take-off, by maker)",
  };
}

/** The same in words; goes behind "heights ...". */
export function heightSystem(source: HeightSource): string {
  return verticalDatum(source).name;
}
