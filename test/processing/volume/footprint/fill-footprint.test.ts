import { describe, expect, it } from "vitest";
import type { ElevationGrid } from "../../../../processing/grid/elevation-grid.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { fillFootprint } from "../../../../processing/volume/footprint/fill-footprint.ts";
import { volumeAbove } from "../../../../processing/volume/volume-above.ts";
import { CONE, circle, surfaceOf } from "../solids.ts";

function gridOf(
  cellM: number,
  height: (x: number, y: number) => number,
  isGap: (x: number, y: number) => boolean,
): ElevationGrid {
  const field = surfaceOf(cellM, (x, y) => (isGap(x, y) ? Number.NaN : height(x, y)));
  return {
    ...field,
    score: field.elevationM.map((z) => (Number.isNaN(z) ? Number.NaN : 0.9)),
    views: Uint8Array.from(field.elevationM, (z) => (Number.isNaN(z) ? 0 : 5)),
  };
}

const toe = circle(8);
const count = (flags: Uint8Array) => flags.reduce((sum, one) => sum + one, 0);

describe("gaps within a footprint", () => {
  // Re of (x + iy)^3: harmonic, so that the skin over a gap is the surface itself.
  const harmonic = (x: number, y: number) => 20 + 0.1 * x + 0.002 * (x ** 3 - 3 * x * y * y);
  const isGap = (x: number, y: number) => Math.hypot(x - 1, y + 2) < 3;

  it("gaps within a footprint are closed by the smoothest skin, and flagged", () => {
    const given = gridOf(0.2, harmonic, isGap);
    const whole = gridOf(0.2, harmonic, () => false);
    const { surface, interpolated } = fillFootprint(given, toe);
    // Area of the gap over that of a cell, within a row of cells along its edge.
    const expected = (Math.PI * 9) / 0.04;
    expect(Math.abs(count(interpolated) - expected)).toBeLessThan((2 * Math.PI * 3) / 0.2);
    const filled = [...interpolated.keys()].filter((cell) => interpolated[cell] === 1);
    const off = filled.map((cell) =>
      Math.abs((surface.elevationM[cell] ?? Number.NaN) - (whole.elevationM[cell] ?? 0)),
    );
    // Five-point differences of a cubic are exact; rounds end at 0.1 mm a step.
    expect(Math.max(...off)).toBeLessThan(0.005);
    expect(filled.every((cell) => surface.score[cell] === 0 && surface.views[cell] === 0)).toBe(
      true,
    );
    const others = surface.elevationM.filter((_, cell) => interpolated[cell] === 0);
    expect(others).toEqual(given.elevationM.filter((_, cell) => interpolated[cell] === 0));
    expect(given.elevationM.some(Number.isNaN)).toBe(true);
  });

  it("gaps within a footprint beyond the footprint stay, also where one crosses its line", () => {
    const given = gridOf(
      0.2,
      () => 3,
      (x) => x > 6,
    );
    const { surface, interpolated } = fillFootprint(given, toe);
    const volume = volumeAbove(surface, toe, levelBase(1));
    expect(volume.coverage).toBe(1);
    expect(volume.netM3).toBeCloseTo(2 * volume.areaM2, 6);
    expect(count(interpolated)).toBeGreaterThan(0);
    const far = surface.elevationM.at(Math.floor(surface.width / 2) * surface.width - 1);
    expect(far).toBeNaN();
  });

  it("that nothing measured touches stay gaps, not zeros", () => {
    const { surface, interpolated } = fillFootprint(
      gridOf(
        0.4,
        () => 3,
        () => true,
      ),
      toe,
    );
    expect(count(interpolated)).toBe(0);
    expect(volumeAbove(surface, toe, levelBase(1))).toMatchObject({ coverage: 0, netM3: 0 });
  });

  it("gaps within a footprint small enough to have been filled with the surface are flagged as well", () => {
    const given = gridOf(0.2, CONE.height, () => false);
    const cell = Math.floor(given.width / 2) * given.width + Math.floor(given.width / 2);
    given.views[cell] = 0;
    const { surface, interpolated } = fillFootprint(given, toe);
    expect(surface).toBe(given);
    expect(count(interpolated)).toBe(1);
    expect(interpolated[cell]).toBe(1);
  });

  it("gaps within a footprint on a pile's flank cost little of its volume", () => {
    const onFlank = (x: number, y: number) => Math.hypot(x - 3, y - 1) < 1;
    const { surface } = fillFootprint(gridOf(0.1, CONE.height, onFlank), toe);
    const { netM3 } = volumeAbove(surface, toe, levelBase(0));
    // A flank bends by its radius only: 0.73 / (2 * 3.2) a metre, times half the gap's radius squared / 4.
    const bend = ((0.7265 / 3.2) * 1 * Math.PI) / 8;
    expect(Math.abs(netM3 - CONE.volumeM3)).toBeLessThan(1.5 * bend);
    expect(netM3).toBeLessThan(CONE.volumeM3);
  });
});
