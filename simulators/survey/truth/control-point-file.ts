import type { TrueControlPoint } from "./truth.ts";

/**
 * Control points in OpenDroneMap's format (gcp_list.txt): the coordinate system, then a line for each
 * mark with longitude, latitude, height, pixel column, row, image and the point's name.
 */
export function controlPointFile(points: readonly TrueControlPoint[]): string {
  const lines = points.flatMap(({ name, surveyed, marks }) =>
    marks.map(({ image, u, v }) => {
      const { lonDeg, latDeg, heightM } = surveyed;
      return [lonDeg.toFixed(9), latDeg.toFixed(9), heightM.toFixed(4), u, v, image, name].join(
        "\t",
      );
    }),
  );
  return `${["EPSG:4326", ...lines].join("\n")}\n`;
}
