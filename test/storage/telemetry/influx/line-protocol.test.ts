import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { columnsOf } from "../../../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../../../storage/ports/telemetry-store.ts";
import { LineBatch } from "../../../../storage/telemetry/influx/line-batch.ts";
import {
  fieldOfStored,
  storedFieldName,
} from "../../../../storage/telemetry/influx/line-protocol.ts";
import { point } from "../../../support/telemetry-points.ts";

/** The point's line; `undefined` when it has none. */
function toLine(one: TelemetryPoint): string | undefined {
  const batch = new LineBatch();
  batch.add(columnsOf(one));
  return batch.points === 0 ? undefined : batch.line(0).line;
}

describe("a point in line protocol", () => {
  it("a point in line protocol escapes comma, equals sign and space in tags and field names", () => {
    const odd = { assetId: "a b,c=d" as AssetId, projectId: "p=1" as ProjectId };
    expect(toLine(point(5, { "x y,z=": 1 }, odd))).toBe(
      "telemetry,asset=a\\ b\\,c\\=d,project=p\\=1 x\\ y\\,z\\==1 5",
    );
  });

  it("a point in line protocol writes floats only, without the i that would make an integer, and keeps -0", () => {
    expect(toLine(point(5, { a: 3, b: -0, c: 1e21, d: 5e-324 }))).toBe(
      "telemetry,asset=truck-1,project=site-1 a=3,b=-0,c=1e+21,d=5e-324 5",
    );
  });

  it("a point in line protocol leaves out what is not finite, and is nothing when nothing is left", () => {
    expect(toLine(point(5, { a: Number.NaN, b: 2 }))).toContain(" b=2 5");
    expect(toLine(point(5, { a: Number.POSITIVE_INFINITY }))).toBeUndefined();
    expect(toLine(point(5, {}))).toBeUndefined();
  });

  it.each([
    "time",
    "asset",
    "project",
    "field_time",
    "field_field_asset",
  ])("a point in line protocol stores a field named %s under another name and finds it again", (name) => {
    expect(storedFieldName(name)).toBe(`field_${name}`);
    expect(fieldOfStored(storedFieldName(name))).toBe(name);
  });

  it("other names stay unchanged in both directions", () => {
    for (const name of ["speed_kmh", "field_speed", "timer", "assets", "__proto__"]) {
      expect([storedFieldName(name), fieldOfStored(name)]).toEqual([name, name]);
    }
  });
});
