import fc from "fast-check";
import type { Schema } from "./operations.ts";
import { MARKER } from "./placeholders.ts";

/** Where the generated sites are; a degree of latitude is 111 km. */
const SITE = { latDeg: 52.2, lngDeg: 21 };
/** Around now, so that histories, shifts and retention are all reached. */
const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2027, 11, 31);
/** Enough to be a list; bounds themselves are tried by mutation. */
const MOST_ITEMS = 4;

/** Whether a property's name is that of ids that the test knows. */
export type KnowsIds = (param: string) => boolean;

const pastMs = (mostMs: number) =>
  fc.integer({ min: 60_000, max: mostMs }).map((ms) => Date.now() - ms);
const iso = (ms: fc.Arbitrary<number>) => ms.map((value) => new Date(value).toISOString());
const HOUR_MS = 3_600_000;

/** Values of properties whose rules the description gives in words. */
const SPECIAL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  metric: fc.constantFrom<unknown>(
    { kind: "manual" },
    { kind: "image" },
    { kind: "fill", tolerance_m: 0.1 },
    { kind: "height", levels: [{ name: "L1", height_m: 3 }] },
    { kind: "stages", stages: [{ name: "built", weight: 1 }] },
  ),
  types: fc.constantFrom([], ["*"], ["equipment.geofence.entered"], ["equipment.*"]),
  secret: fc.constant("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="),
  valid_from: iso(pastMs(70 * HOUR_MS)),
  serviced_at: iso(pastMs(700 * HOUR_MS)),
  observed_at: iso(pastMs(700 * HOUR_MS)),
  flown_at: iso(pastMs(700 * HOUR_MS)),
  taken_at: iso(pastMs(700 * HOUR_MS)),
  measured_at: iso(pastMs(700 * HOUR_MS)),
  declared_at: iso(pastMs(700 * HOUR_MS)),
  expires_at: iso(fc.integer({ min: 1, max: 900 }).map((h) => Date.now() + h * HOUR_MS)),
  interval_95: fc.constantFrom([10, 40], [0, 100], [55, 56]),
  reference_image: fc.nat(9).map((pick) => ({ $id: "image_url", pick, whose: "own" })),
  payload_text: fc.constantFrom(
    '{"timestamp":"2026-11-01T00:00:00Z","speed_kmh":3}',
    "$GPRMC,x",
    "",
  ),
};

/** Values that a schema allows, as far as it says; names of properties show what a text is about. */
export function validValue(schema: Schema, name: string, knows: KnowsIds): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((one) => validValue(one, name, knows)));
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly string[];
    return fc.oneof(...types.map((type) => validValue({ ...schema, type }, name, knows)));
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return special;
  if (name === "polygon" || name === "footprint" || name === "outline") return ring(name);
  switch (schema.type) {
    case "object":
      return objectOf(schema, knows);
    case "array":
      return listOf(schema, name, knows);
    case "string":
      return textOf(schema, name, knows);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 100_000 });
    case "number":
      return numberOf(schema, name);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: Schema, knows: KnowsIds): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, validValue(inner, name, knows)]),
  );
  const described = fc.record(members, {
    requiredKeys: required.filter((name) => name in members),
  });
  if (typeof additionalProperties !== "object") return described;
  const extra = fc.dictionary(
    fc.constantFrom("speed_kmh", "fuel_level_percent", "engine_hours", "x1", MARKER),
    validValue(additionalProperties, "", knows),
    { maxKeys: 3 },
  );
  return fc.tuple(described, extra).map(([one, more]) => ({ ...more, ...one }));
}

function listOf(schema: Schema, name: string, knows: KnowsIds): fc.Arbitrary<unknown> {
  const { minItems = 0, maxItems = MOST_ITEMS } = schema;
  const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined);
  if (tuple !== undefined) return fc.tuple(...tuple.map((one) => validValue(one, "", knows)));
  const item = validValue((schema.items ?? {}) as Schema, name.replace(/s$/, ""), knows);
  const most = schema.uniqueItems === true && knows(name.replace(/s$/, "")) ? 1 : MOST_ITEMS;
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + most) };
  return schema.uniqueItems === true
    ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
    : fc.array(item, bounds);
}

function numberOf(schema: Schema, name: string): fc.Arbitrary<number> {
  if (name === "latitude") return near(SITE.latDeg);
  if (name === "longitude") return near(SITE.lngDeg);
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1_000;
  const max = schema.maximum ?? Math.max(1_000, min + 1_000);
  if (name.endsWith("_percent")) return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.double({
    min,
    max,
    noNaN: true,
    minExcluded: schema.exclusiveMinimum !== undefined && schema.minimum === undefined,
  });
}

function textOf(schema: Schema, name: string, knows: KnowsIds): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = 60 } = schema;
  if (name === "id")
    return fc.integer({ min: 0x100000, max: 0xffffff }).map((n) => `${MARKER}-${n.toString(16)}`);
  if (knows(name)) {
    const number = fc.nat(1_000);
    return fc.oneof(
      { weight: 17, arbitrary: number.map((pick) => ({ $id: name, pick, whose: "own" })) },
      { weight: 2, arbitrary: number.map((pick) => ({ $id: name, pick, whose: "foreign" })) },
      { weight: 1, arbitrary: fc.constant("nothing-there") },
    );
  }
  if (format === "date-time") return time.map((date) => date.toISOString());
  if (format === "date") return time.map((date) => date.toISOString().slice(0, 10));
  if (name === "time_zone") return fc.constantFrom("UTC", "Europe/Warsaw", "America/New_York");
  // Nobody has names below "invalid" (RFC 6761), so nothing is sent to anybody.
  if (/url/.test(name) || pattern === "^https?://" || name === "image" || name === "images") {
    return fc.oneof(
      {
        weight: 4,
        arbitrary: fc.nat(99).map((n) => `https://host-${n}.invalid/${MARKER}/${n}.jpg`),
      },
      { weight: 1, arbitrary: fc.constant({ $id: "image_url", pick: 0, whose: "own" }) },
    );
  }
  if (pattern !== undefined) {
    return fc
      .stringMatching(new RegExp(pattern, "u"))
      .map((text) => text.slice(0, maxLength))
      .filter((text) => text.length >= minLength && new RegExp(pattern, "u").test(text));
  }
  const longest = Math.min(maxLength, 60);
  return fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc
      .string({ minLength, maxLength: longest, unit: "grapheme" })
      .map((s) => s.slice(0, maxLength)),
    fc
      .string({ minLength: 0, maxLength: 10 })
      .map((text) => `${MARKER} ${text}`.slice(0, maxLength))
      .filter((text) => text.length >= minLength),
  );
}

const time = fc.date({ min: new Date(FROM), max: new Date(TO), noInvalidDate: true });
const near = (degrees: number) =>
  fc.integer({ min: -20_000, max: 20_000 }).map((offset) => degrees + offset / 1e6);

/** Corners of a ring around the site: `[lat, lng]`, or pixels for an outline in a picture. */
function ring(name: string): fc.Arbitrary<unknown> {
  return fc
    .record({
      corners: fc.integer({ min: 3, max: 9 }),
      radius: fc.integer({ min: 5, max: 600 }),
      latOffset: fc.integer({ min: -50, max: 50 }),
      lngOffset: fc.integer({ min: -50, max: 50 }),
    })
    .map(({ corners, radius, latOffset, lngOffset }) =>
      Array.from({ length: corners }, (_, i) => {
        const angle = (2 * Math.PI * i) / corners;
        const [a, b] = [Math.cos(angle) * radius, Math.sin(angle) * radius];
        return name === "outline"
          ? [0.5 + a / 1_300, 0.5 + b / 1_300]
          : [
              SITE.latDeg + latOffset / 1e4 + a / 111_000,
              SITE.lngDeg + lngOffset / 1e4 + b / 68_000,
            ];
      }),
    );
}
