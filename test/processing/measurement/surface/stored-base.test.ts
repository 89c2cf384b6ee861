import { describe, expect, it } from "vitest";
import type { StoredBase } from "../../../../processing/measurement/surface/datum.ts";
import { openBase, storedBase } from "../../../../processing/measurement/surface/stored-base.ts";
import { fitBasePlane } from "../../../../processing/volume/base/base-plane.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { fitBaseTin } from "../../../../processing/volume/base/base-tin.ts";
import { CONE, circle, surfaceOf } from "../../volume/solids.ts";

const surface = surfaceOf(
  0.2,
  (x, y) => 12 + 0.06 * x - 0.02 * y + 0.002 * x * y + CONE.height(x, y),
);
const toe = circle(CONE.radiusM + 0.4);
const places = [
  [0, 0],
  [3.2, -4.1],
  [-6.6, 1.3],
  [7.4, 0.2],
] as const;

/** As the record store keeps it. */
function throughJson(stored: StoredBase): StoredBase {
  return JSON.parse(JSON.stringify(stored)) as StoredBase;
}

describe("a base kept as JSON", () => {
  const bases = {
    plane: fitBasePlane(surface, toe),
    tin: fitBaseTin(surface, toe),
    level: levelBase(11.25),
  };

  it.each(Object.entries(bases))("%s is the same surface afterwards", (kind, base) => {
    if (base === undefined) throw new Error(`no ${kind}`);
    const opened = openBase(throughJson(storedBase(base)));
    expect(opened).toMatchObject({ kind, nmadM: base.nmadM, unevenM: base.unevenM });
    for (const [x, y] of places) expect(opened.heightAt(x, y)).toBeCloseTo(base.heightAt(x, y), 9);
  });

  it("a base of the method survey, kept as JSON, is read by its key", () => {
    const stored: StoredBase = { kind: "survey", surfaceKey: "stockpiles/a/base.tif" };
    const keys: string[] = [];
    const opened = openBase(throughJson(stored), (key) => {
      keys.push(key);
      return surface;
    });
    expect(keys).toEqual(["stockpiles/a/base.tif"]);
    // Bilinear between cells of 0.2 m; the cone's flank is a plane but for its turning: under a centimetre.
    expect(opened.heightAt(3.2, -4.1)).toBeCloseTo(
      12 + 0.06 * 3.2 + 0.02 * 4.1 - 0.002 * 3.2 * 4.1 + CONE.height(3.2, -4.1),
      2,
    );
    expect(() => openBase(stored)).toThrow("nobody loads the survey");
  });

  it("a base from before unevenness was stored counts its spread as such", () => {
    expect(openBase({ kind: "plane", a: 0, b: 0, c: 1, nmadM: 0.03 }).unevenM).toBe(0.03);
  });
});
