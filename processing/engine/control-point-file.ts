import { DomainError } from "../../domain/errors.ts";
import { coordinateSystem } from "../coordinates/find-coordinate-system.ts";
import type { ControlPoint } from "./engine.ts";

/** Standard deviations of points surveyed by RTK, metres, as the format states none. Chosen. */
const SIGMA_M = { horizontal: 0.02, vertical: 0.03 } as const;
/** Points whose names start so are held back to check the result. */
const CHECK = /^check/i;

/**
 * Reads control points in OpenDroneMap's form (gcp_list.txt): the coordinate system (an EPSG code, a
 * PROJ string or `WGS84 UTM 32N`), then a line for each mark: x y z column row image [name]. Marks of one name, or of
 * one place where names are missing, are one point; `#` begins a comment.
 * @throws DomainError `PARAMETER_INVALID` naming the line.
 */
export function readControlPointFile(text: string): readonly ControlPoint[] {
  const lines = text.split(/\r?\n/).map((line, i) => ({ text: line.trim(), number: i + 1 }));
  const [head, ...rows] = lines.filter((line) => line.text !== "" && !line.text.startsWith("#"));
  const system = coordinateSystem(head?.text ?? "");
  const points = new Map<string, ControlPoint>();
  for (const { text: row, number } of rows) {
    const fields = row.split(/\s+/);
    const [x = NaN, y = NaN, heightM = NaN, u = NaN, v = NaN] = fields.slice(0, 5).map(Number);
    const image = fields[5];
    if (image === undefined || [x, y, heightM, u, v].some(Number.isNaN)) {
      throw new DomainError(
        "PARAMETER_INVALID",
        `line ${number} of the control points is not "x y z column row image name"`,
      );
    }
    const name = fields[6] ?? `${x} ${y} ${heightM}`;
    const [lonDeg, latDeg] = system.toGeodetic(x, y);
    const known = points.get(name);
    points.set(name, {
      ...{ name, latDeg, lonDeg, heightM, sigmaM: SIGMA_M, isCheck: CHECK.test(name) },
      marks: [...(known?.marks ?? []), { image, u, v }],
    });
  }
  return [...points.values()];
}
