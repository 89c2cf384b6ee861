import { describe, expect, it } from "vitest";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import { placeFootprint } from "../../../../processing/volume/footprint/place-footprint.ts";
import { RIDGE } from "../solids.ts";

/** A site of 40 x 40 m on a slope, with a second heap and a lorry beside the ridge in its middle. */
function site(pile: (x: number, y: number) => number): HeightField {
  const frame = { westM: -20, northM: 20, cellM: 0.25, width: 160, height: 160 };
  const elevationM = Float32Array.from({ length: 160 * 160 }, (_, i) => {
    const x = frame.westM + ((i % 160) + 0.5) * frame.cellM;
    const y = frame.northM - (Math.floor(i / 160) + 0.5) * frame.cellM;
    const other = Math.max(0, 3 - 0.7 * Math.hypot(x - 15, y + 14));
    const lorry = Math.abs(x + 13) < 4 && Math.abs(y - 3) < 1.3 ? 3 : 0;
    return 7 + 0.04 * x + Math.max(pile(x, y), other, lorry);
  });
  return { ...frame, elevationM };
}

/** Outline of the ridge, 0.8 m off its toe, drawn where the survey does not have it. */
function drawnAt(eastM: number, northM: number) {
  // The ridge's toe is a stadium: ends of radius 5.51 m about points 4 m off its middle, turned by 0.5 rad.
  const radiusM = RIDGE.radiusM - 4 + 0.8;
  return Array.from({ length: 60 }, (_, i) => {
    const angle = (i / 60) * 2 * Math.PI;
    const along = radiusM * Math.cos(angle) + (Math.cos(angle) < 0 ? -4 : 4);
    const across = radiusM * Math.sin(angle);
    const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
    return [eastM + c * along - s * across, northM + s * along + c * across] as const;
  });
}

describe("a footprint in a survey that GPS placed", () => {
  it.each([
    [-2.5, 1.5],
    [3.1, -0.4],
    [0, -3.6],
  ])("a footprint in a survey that GPS placed drawn %d m east and %d m north of its pile is moved onto it", (east, north) => {
    const [eastM, northM] = placeFootprint(site(RIDGE.height), drawnAt(east, north), 2);
    // Within the 0.8 m that were left around the toe.
    expect(Math.hypot(eastM + east, northM + north)).toBeLessThan(0.8);
    expect(Math.hypot(eastM, northM)).toBeGreaterThan(Math.hypot(east, north) - 0.8);
  });

  it("a footprint in a survey that GPS placed that holds its pile stays where it was drawn", () => {
    expect(placeFootprint(site(RIDGE.height), drawnAt(0.4, -0.3), 2)).toEqual([0, 0]);
  });

  it("a footprint in a survey that GPS placed of an emptied place stays, whatever lies around it", () => {
    expect(
      placeFootprint(
        site(() => 0),
        drawnAt(0, 0),
        2,
      ),
    ).toEqual([0, 0]);
  });

  it("a footprint in a survey that GPS placed is not moved farther than the survey can be off", () => {
    const [eastM, northM] = placeFootprint(site(RIDGE.height), drawnAt(-3, 0), 0.3);
    expect(Math.hypot(eastM, northM)).toBeLessThanOrEqual(0.9 * Math.SQRT2 + 0.25);
  });
});
