import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import { osmand } from "../../../../ingest/decoders/osmand/osmand.ts";
import { traccar } from "../../../../ingest/decoders/traccar/traccar.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };
const decode = (value: unknown) => {
  const { readings } = traccar.decode(Buffer.from(JSON.stringify(value)), context);
  return readings[0];
};

describe("traccar decoder", () => {
  it("the traccar decoder reads one fix in the app's m/s, the server's knots and the query's knots as one speed", () => {
    const timestamp = "2026-11-19T12:00:00.000Z";
    const at = { latitude: 52.5, longitude: 13.4 };
    const client = decode({ location: { timestamp, coords: { ...at, speed: 10 } } });
    const forwarded = decode({ position: { fixTime: timestamp, ...at, speed: 36 / 1.852 } });
    const query = `id=1&timestamp=${timestamp}&lat=52.5&lon=13.4&speed=${36 / 1.852}`;
    const [asked] = osmand.decode(Buffer.from(query), context).readings;

    expect(client?.fields).toEqual({ ...at, speed_kmh: 36 });
    expect(forwarded).toEqual(client);
    expect(asked).toEqual(client);
  });

  it("the traccar decoder takes the first 64 attributes, and notes the 65th as left out", () => {
    const attributes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`io${i}`, i]));
    const position = (count: number) => ({ deviceTime: 1, attributes: attributes(count) });

    expect(Object.keys(decode(position(64))?.fields ?? {})).toHaveLength(64);
    expect(decode(position(65))?.fields).toEqual(decode(position(64))?.fields);
    expect(decode(position(65))?.remarks).toMatchObject([{ name: "io64", value: 1 }]);
  });

  it("the traccar decoder refuses a coordinate of a wrong type, and keeps the position beside any other value of one", () => {
    const right = { fixTime: 1, latitude: 1, longitude: 2 };
    for (const bad of [true, "x", {}, []]) {
      for (const name of ["latitude", "longitude"]) {
        expect(() => decode({ ...right, [name]: bad })).toThrow(`${name} is not a number`);
      }
      for (const name of ["altitude", "speed", "course", "accuracy"]) {
        const reading = decode({ ...right, [name]: bad });
        expect(reading?.fields).toMatchObject({ latitude: 1, longitude: 2 });
        expect(reading?.remarks).toMatchObject([{ kind: "suspect_value", name }]);
      }
    }
  });
});
