import { describe, expect, it } from "vitest";
import { DECODERS, decoderOfFormat } from "../../../ingest/decoders/registry.ts";
import { decodeAll, differences, RESOLUTIONS, randomMeasurements } from "./round-trip.ts";
import { SOLE_FORMATS } from "./round-trip-sparkplug.ts";

const COUNT = 1_000;
/** Readings of one message where the format knows lists. */
const GROUP = 7;
const WRITER = { id: "site-a-haul-truck-01", timeFormat: "iso" } as const;

/** Of network servers, about what a device sends in a form of its own: no machine speaks them. */
const ENVELOPES: ReadonlySet<string> = new Set(["chirpstack", "things-stack"]);

const formats = SOLE_FORMATS;
const trips = formats.flatMap((format) => {
  const decoder = decoderOfFormat(format.topicFormat);
  const resolution = RESOLUTIONS[format.name];
  return decoder && resolution ? [{ name: format.name, format, decoder, resolution }] : [];
});

it("every format has a decoder, and every decoder a format and a declared resolution", () => {
  expect(trips.map(({ name }) => name)).toEqual(formats.map(({ name }) => name));
  const alone = DECODERS.filter(({ name }) => !ENVELOPES.has(name)).map(({ name }) => name);
  expect(trips.map(({ name }) => name).sort()).toEqual(alone.sort());
});

describe.each(trips)("$name", ({ format, decoder, resolution }) => {
  const measurements = randomMeasurements(8, COUNT).filter(
    ({ location }) => location !== undefined || !format.needsFix,
  );

  it(`says what was measured, within its own resolution, in ${COUNT} readings`, () => {
    const wrong = measurements.flatMap((m) => {
      const payload = format.join([format.encode(m, WRITER)]);
      const { readings } = decodeAll(decoder, payload, m.deviceTimeMs);
      const [reading] = readings;
      if (reading === undefined || readings.length > 1) return [`${readings.length} readings`];
      return differences(m, reading, resolution).map((what) => `${what}: ${payload}`);
    });
    expect(measurements.length).toBeGreaterThan(COUNT / 2);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it("a format carries every field that it declares", () => {
    const carried = new Set(
      measurements.flatMap((m) => {
        const payload = format.join([format.encode(m, WRITER)]);
        const { readings } = decodeAll(decoder, payload, m.deviceTimeMs);
        return readings.flatMap(({ fields }) => Object.keys(fields));
      }),
    );
    if (carried.delete("hdop")) carried.add("accuracy_meters");
    expect([...carried]).toEqual(expect.arrayContaining(Object.keys(resolution.fields)));
  });

  if (format.maxReadings === 1) return;
  it(`says the same of ${GROUP} readings in one message`, () => {
    const wrong: string[] = [];
    for (let from = 0; from + GROUP <= measurements.length; from += GROUP) {
      const group = measurements.slice(from, from + GROUP);
      // Newest first, as many devices flush what they stored.
      if (from % 2 === 1) group.reverse();
      const payload = format.join(group.map((m) => format.encode(m, WRITER)));
      const lastMs = Math.max(...group.map(({ deviceTimeMs }) => deviceTimeMs));
      const { readings } = decodeAll(decoder, payload, lastMs);
      if (readings.length !== GROUP) wrong.push(`${readings.length} readings: ${payload}`);
      for (const [i, reading] of readings.entries()) {
        const m = group[i];
        if (m !== undefined) wrong.push(...differences(m, reading, resolution));
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});

it("a value that is off by little more than the resolution is found, whatever the field", () => {
  const { format, decoder, resolution } = trips[0] ?? expect.fail("no formats");
  const [m] = randomMeasurements(9, 200).filter(
    (one) => one.location && one.accuracyM && one.carriesPayload && one.vitals.faults.length > 0,
  );
  if (m === undefined) throw new Error("no such measurement");
  const [reading] = decodeAll(decoder, format.encode(m, WRITER), m.deviceTimeMs).readings;
  if (reading === undefined) throw new Error("no reading");
  expect(differences(m, reading, resolution)).toEqual([]);

  for (const [name, step] of Object.entries(resolution.fields)) {
    const value = (reading.fields[name] ?? 0) + 2 * step + 1e-4 * Math.max(1, step);
    const fields = { ...reading.fields, [name]: value };
    expect(differences(m, { ...reading, fields }, resolution)).toEqual([
      expect.stringMatching(`^${name} .* is not `),
    ]);
    const { [name]: _, ...others } = reading.fields;
    expect(differences(m, { ...reading, fields: others }, resolution)).toHaveLength(1);
  }
  const later = { ...reading, deviceTimeMs: (reading.deviceTimeMs ?? 0) + 1 };
  expect(differences(m, later, resolution)).toEqual([expect.stringMatching(/^time /)]);
  expect(differences(m, { ...reading, faults: [] }, resolution)).toEqual(["faults []"]);
});
