import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LATE_FIELD } from "../../domain/equipment/lateness.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { JournalPosition } from "../../storage/ports/journal.ts";
import type { TelemetryPoint, TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import {
  all,
  crane,
  expectedRows,
  NOON_MS,
  point,
  rowsOf,
  truck,
} from "../support/telemetry-points.ts";

const DAY_MS = 24 * 3_600_000;
const at = (sequence: number): JournalPosition => ({ journalId: "journal-a", sequence });

/** A fresh store; `reopen` is there when the adapter keeps its points over a restart. */
export interface TelemetryStoreUnderTest {
  readonly store: TelemetryStore;
  /** Closes the store and opens it again. */
  readonly reopen?: () => Promise<TelemetryStore>;
  /** Removes whatever the store left; called after `close`. */
  readonly cleanUp: () => Promise<void>;
}

/** The behaviour every TelemetryStore adapter must have. Call it once per backend. */
export function describeTelemetryStore(
  backend: string,
  open: () => Promise<TelemetryStoreUnderTest>,
): void {
  describe(`TelemetryStore on ${backend}`, () => {
    let store: TelemetryStore;
    let opened: TelemetryStoreUnderTest;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(async () => {
      await store.close();
      await opened.cleanUp();
    });

    const write = (...points: readonly TelemetryPoint[]) => store.write(points, at(1));
    const rows = async (assetId?: AssetId) => rowsOf(await store.read(all(assetId)));

    it("a telemetry store returns rows in time order whatever the write order", async () => {
      await write(point(3000, { a: 3 }), point(1000, { a: 1 }));
      await write(point(2000, { a: 2 }));
      expect(await rows()).toEqual([
        { t: 1000, a: 1 },
        { t: 2000, a: 2 },
        { t: 3000, a: 3 },
      ]);
    });

    it("a telemetry store includes the start of the interval and excludes its end", async () => {
      await write(...[1000, 2000, 3000, 4000].map((t) => point(t, { a: t })));
      const series = await store.read({ assetId: truck, fromMs: 2000, toMs: 4000 });
      expect(rowsOf(series)).toEqual([
        { t: 2000, a: 2000 },
        { t: 3000, a: 3000 },
      ]);
    });

    it("telemetry returns nothing for an interval that is empty or reversed", async () => {
      await write(point(1000, { a: 1 }));
      const empty = await store.read({ assetId: truck, fromMs: 1000, toMs: 1000 });
      const turned = await store.read({ assetId: truck, fromMs: 2000, toMs: 500 });
      expect([rowsOf(empty), rowsOf(turned)]).toEqual([[], []]);
    });

    it("a telemetry store yields nothing for an unknown asset", async () => {
      await write(point(1000, { a: 1 }));
      const series = await store.read(all("nobody" as AssetId));
      expect(series).toEqual({ timesMs: new Float64Array(), columns: new Map() });
    });

    it("a telemetry store keeps two assets with equal fix times apart", async () => {
      await write(point(1000, { a: 1 }), point(1000, { a: 2 }, { assetId: crane }));
      expect([await rows(truck), await rows(crane)]).toEqual([
        [{ t: 1000, a: 1 }],
        [{ t: 1000, a: 2 }],
      ]);
    });

    it("a telemetry store keeps assets named like properties of every object", async () => {
      const odd = ["__proto__", "constructor", "toString"] as AssetId[];
      await write(...odd.map((assetId, i) => point(1000, { constructor: i }, { assetId })));
      const found = await Promise.all(odd.map((assetId) => rows(assetId)));
      expect(found).toEqual([0, 1, 2].map((i) => [{ t: 1000, constructor: i }]));
    });

    it("a telemetry store merges the fields of two points at one fix time", async () => {
      await write(point(1000, { a: 1 }));
      await write(point(1000, { b: 2 }));
      expect(await rows()).toEqual([{ t: 1000, a: 1, b: 2 }]);
    });

    it.each([
      ["the higher seq", { seq: 7, payloadHash: 1 }, { seq: 6, payloadHash: 9 }],
      ["any seq over none", { seq: 0, payloadHash: 1 }, { seq: -1, payloadHash: 9 }],
      [
        "at equal seq the larger unsigned payload hash",
        { payloadHash: 2 ** 31 },
        { payloadHash: 1 },
      ],
    ])("a telemetry store prefers %s, first or last", async (_, winner, loser) => {
      await write(point(1000, { a: 1 }, winner), point(2000, { a: 2 }, loser));
      await write(point(1000, { a: 2 }, loser), point(2000, { a: 1 }, winner));
      expect(await rows()).toEqual([
        { t: 1000, a: 1 },
        { t: 2000, a: 1 },
      ]);
    });

    it("telemetry aggregates each field over the points that carry it", async () => {
      await write(point(1000, { a: 1 }, { seq: 1 }));
      await write(point(1000, { b: 3 }, { seq: 3 }));
      await write(point(1000, { a: 2, b: 2 }, { seq: 2 }));
      expect(await rows()).toEqual([{ t: 1000, a: 2, b: 3 }]);
    });

    it("a telemetry store prefers the larger value when seq and payload hash are equal, first or last", async () => {
      const same = { seq: 4, payloadHash: 4 };
      await write(point(1000, { a: 5 }, same), point(2000, { a: -5 }, same));
      await write(point(1000, { a: -5 }, same), point(2000, { a: 5 }, same));
      expect(await rows()).toEqual([
        { t: 1000, a: 5 },
        { t: 2000, a: 5 },
      ]);
    });

    it("a telemetry store returns only the fields asked for, and leaves out rows that carry none of them", async () => {
      await write(point(1000, { a: 1, b: 1 }), point(2000, { b: 2 }), point(3000, { c: 3 }));
      const series = await store.read({ ...all(), fields: ["a", "c", "unheard_of"] });
      expect(rowsOf(series)).toEqual([
        { t: 1000, a: 1 },
        { t: 3000, c: 3 },
      ]);
      expect([...series.columns.keys()].sort()).toEqual(["a", "c"]);
    });

    it("a telemetry store gives no column to a field that only rows outside of the interval carry", async () => {
      await write(point(1000, { a: 1 }), point(2000, { b: 2 }));
      const series = await store.read({ assetId: truck, fromMs: 0, toMs: 2000 });
      expect([...series.columns.keys()]).toEqual(["a"]);
    });

    it("a telemetry store returns every finite double bit for bit", async () => {
      const values = [
        -0,
        0,
        1,
        -1,
        0.1,
        0.1 + 0.2,
        1 / 3,
        52.5162746,
        13.377704,
        -179.9999999,
        1e-9,
        1e-10,
        2 ** 53,
        2 ** 53 + 2,
        -(2 ** 51),
        123456789.123456,
        Number.MAX_VALUE,
        Number.MIN_VALUE,
        Number.EPSILON,
        4503599627370495.5,
      ];
      await write(...values.map((value, i) => point(i, { a: value, [`only_${i}`]: value })));
      const series = await store.read(all());
      expect([...(series.columns.get("a") ?? [])]).toStrictEqual(values);
      const alone = values.map((_, i) => series.columns.get(`only_${i}`)?.[i]);
      expect(alone).toStrictEqual(values);
    });

    it("a telemetry store does not store NaN or infinity, nor a point that carries nothing else", async () => {
      await write(
        point(1000, { a: Number.NaN, b: 1, c: Number.POSITIVE_INFINITY }),
        point(2000, { a: Number.NaN }),
        point(3000, {}),
      );
      await write(point(1000, { b: Number.NaN }, { seq: 5 }));
      await write(
        point(4000, { b: 4 }),
        point(5000, { b: Number.NEGATIVE_INFINITY }),
        point(6000, { b: Number.NaN }),
      );
      expect(await rows()).toEqual([
        { t: 1000, b: 1 },
        { t: 4000, b: 4 },
      ]);
    });

    it("a telemetry store stores 64 fields per point and different fields per asset", async () => {
      const many = (prefix: string) =>
        Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`${prefix}_${i}`, i / 8]));
      await write(point(1000, many("a")), point(1000, many("b"), { assetId: crane }));
      expect([await rows(truck), await rows(crane)]).toEqual([
        [{ t: 1000, ...many("a") }],
        [{ t: 1000, ...many("b") }],
      ]);
    });

    it("a telemetry store stores fix times from 400 days ago to 400 days ahead in one batch", async () => {
      const times = Array.from({ length: 101 }, (_, i) => NOON_MS + (i - 50) * 8 * DAY_MS);
      await write(...times.toReversed().map((t) => point(t, { a: t })));
      expect(await rows()).toEqual(times.map((t) => ({ t, a: t })));
    });

    it("a telemetry store stores 10,000 rows of one batch", async () => {
      const points = Array.from({ length: 10_000 }, (_, i) => point(NOON_MS + i * 1000, { a: i }));
      await write(...points);
      const series = await store.read(all());
      expect(series.timesMs).toEqual(Float64Array.from(points, ({ fixTimeMs }) => fixTimeMs));
      expect(series.columns.get("a")).toEqual(Float64Array.from(points, (_, i) => i));
    });

    it("a telemetry store takes the batches of two concurrent writers completely", async () => {
      const batches = Array.from({ length: 20 }, (_, i) =>
        Array.from({ length: 50 }, (__, k) =>
          point(NOON_MS + k, { [i % 2 === 0 ? "even" : "odd"]: i }, { seq: i }),
        ),
      );
      await Promise.all(batches.map((batch, i) => store.write(batch, at(i + 1))));
      await store.flush();
      const expected = Array.from({ length: 50 }, (_, k) => ({
        t: NOON_MS + k,
        even: 18,
        odd: 19,
      }));
      expect([await rows(), store.durablePosition]).toEqual([expected, at(20)]);
    });

    it("a telemetry store changes nothing when points are written again, before and after a flush", async () => {
      const batch = [point(1000, { a: 1 }, { seq: 1 }), point(2000, { a: 2, b: 2 })];
      await write(...batch, ...batch);
      await store.flush();
      await write(...batch.toReversed());
      await store.flush();
      expect(await rows()).toEqual(expectedRows(batch, all()));
    });

    it("a telemetry store has no durable position before the first write, and the last one after a flush", async () => {
      expect(store.durablePosition).toBeUndefined();
      const durable: JournalPosition[] = [];
      store.onDurable((position) => durable.push(position));
      await store.write([point(1000, { a: 1 })], at(7));
      await store.write([point(2000, { a: 2 })], at(9));
      await store.flush();
      expect([store.durablePosition, durable.at(-1)]).toEqual([at(9), at(9)]);
    });

    it("a telemetry store makes the position of an empty batch durable", async () => {
      await store.write([], at(12));
      await store.flush();
      expect(store.durablePosition).toEqual(at(12));
    });

    it("the durable position of a telemetry store never moves back within one journal", async () => {
      await store.write([point(1000, { a: 1 })], at(9));
      await store.flush();
      await store.write([point(1000, { a: 1 })], at(3));
      await store.flush();
      expect(store.durablePosition).toEqual(at(9));
    });

    it("the durable position never moves back during an earlier write to disk", async () => {
      const durable: number[] = [];
      store.onDurable(({ sequence }) => durable.push(sequence));
      await store.write([point(1000, { a: 1 })], at(9));
      const flushing = store.flush();
      await store.write([point(2000, { a: 1 })], at(3));
      await flushing;
      await store.flush();
      expect([store.durablePosition, durable.filter((sequence) => sequence < 9)]).toEqual([
        at(9),
        [],
      ]);
    });

    it("a telemetry store takes the position of another journal whatever its sequence", async () => {
      await store.write([point(1000, { a: 1 })], at(9));
      await store.write([point(2000, { a: 2 })], { journalId: "journal-b", sequence: 2 });
      await store.flush();
      expect(store.durablePosition).toEqual({ journalId: "journal-b", sequence: 2 });
    });

    it("a telemetry store expires what lies 30 days before the limit and keeps what lies after it", async () => {
      const limitMs = NOON_MS;
      await write(
        point(limitMs - 30 * DAY_MS, { a: 1 }),
        point(limitMs, { a: 2 }),
        point(limitMs + 30 * DAY_MS, { a: 3 }),
      );
      await store.flush();
      await store.expire(limitMs);
      expect(await rows()).toEqual([
        { t: limitMs, a: 2 },
        { t: limitMs + 30 * DAY_MS, a: 3 },
      ]);
    });

    it("a telemetry store refuses writes once it is closed", async () => {
      await store.close();
      const late = store.write([point(1000, { a: 1 })], at(1));
      await expect(late).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    });

    it("a telemetry store keeps everything over closing and opening", async ({ skip }) => {
      skip(opened.reopen === undefined, "not persistent");
      const points = [point(1000, { a: 1 }), point(2000, { b: 2 }, { assetId: crane })];
      await store.write(points, at(5));
      store = (await opened.reopen?.()) ?? store;
      await store.write([point(1000, { b: 3 })], at(6));
      expect([store.durablePosition, await rows(truck), await rows(crane)]).toEqual([
        at(5),
        [{ t: 1000, a: 1, b: 3 }],
        [{ t: 2000, b: 2 }],
      ]);
    });

    it("a telemetry store takes a row of all the fields that a reading may have, and the one that the service adds", async () => {
      const fields = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`own_${i}`, i]));
      await write(point(1000, { ...fields, device_time_ms: 5 }));
      await store.flush();
      expect(await rows()).toEqual([{ t: 1000, ...fields, device_time_ms: 5 }]);
    });

    it("a position that was received in time stays so when it is sent again late, and a late one by its first receipt", async () => {
      const place = { latitude: 53.5, longitude: 9.9 };
      const late = (s: number) => ({ ...place, [LATE_FIELD]: s });
      await write(point(1000, place, { payloadHash: 1 }), point(2000, late(90)));
      await store.flush();
      // In another batch of the device, so by another hash; and beside a reading that has no position.
      await write(
        point(1000, late(3_600), { payloadHash: 2 }),
        point(2000, late(3_600), { payloadHash: 3 }),
        ...[point(2000, { fuel: 5 }, { payloadHash: 9 }), point(3000, late(61))],
      );
      const kept = [
        { t: 1000, ...place },
        { t: 2000, ...late(90), fuel: 5 },
        { t: 3000, ...late(61) },
      ];
      expect(await rows()).toEqual(kept);
      await store.flush();
      expect(await rows()).toEqual(kept);
      const alone = { ...all(), fields: [LATE_FIELD] };
      expect(rowsOf(await store.read(alone))).toEqual([
        { t: 2000, [LATE_FIELD]: 90 },
        { t: 3000, [LATE_FIELD]: 61 },
      ]);
    });

    it("a telemetry store answers the same for any order, repetition and batching of the same points", async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(anyHistory, async ({ points, arrivals, cuts, flushes }) => {
          // A new pair of assets per round, because emptying the store would cost more than it.
          round += 1;
          const mine = points.map((one) => ({
            ...one,
            assetId: `${one.assetId}-${round}` as AssetId,
          }));
          const sent = arrivals.map((i) => mine[i % mine.length] ?? point(0, {}));
          for (let start = 0, i = 0; start < sent.length; i++) {
            const end = start + 1 + (cuts[i % cuts.length] ?? 0);
            await store.write(sent.slice(start, end), at(round));
            if (flushes[i % flushes.length] === true) await store.flush();
            start = end;
          }
          for (const name of ["x", "y"]) {
            for (const range of [{}, { fromMs: 2, toMs: 5 }, { fields: ["b", "c"] }]) {
              const query = { ...all(`${name}-${round}` as AssetId), ...range };
              expect(rowsOf(await store.read(query))).toEqual(expectedRows(sent, query));
            }
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}

/** Few times, sequences, hashes and fields, so that points conflict in every possible case. */
const anyPoint = fc
  .record({
    assetId: fc.constantFrom("x" as AssetId, "y" as AssetId),
    t: fc.integer({ min: 0, max: 6 }),
    seq: fc.integer({ min: -1, max: 2 }),
    payloadHash: fc.constantFrom(0, 1, 2 ** 32 - 1),
    fields: fc.dictionary(
      fc.constantFrom("a", "b", "c"),
      fc.constantFrom(-1.5, 0, 2, 0.1 + 0.2, Number.NaN),
      { noNullPrototype: true },
    ),
  })
  .map(({ t, fields, ...rest }) => point(t, fields, rest));

const anyHistory = fc.array(anyPoint, { minLength: 1, maxLength: 12 }).chain((points) =>
  fc.record({
    points: fc.constant(points),
    arrivals: fc
      .shuffledSubarray([...points.keys()], { minLength: points.length })
      .chain((order) =>
        fc
          .array(fc.integer({ min: 0, max: points.length - 1 }), { maxLength: 12 })
          .map((again) => [...order, ...again]),
      ),
    cuts: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 }),
    flushes: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  }),
);
