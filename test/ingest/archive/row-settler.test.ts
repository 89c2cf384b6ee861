import { describe, expect, it } from "vitest";
import { InFlight } from "../../../ingest/archive/in-flight.ts";
import { NewestTimes } from "../../../ingest/archive/newest-times.ts";
import { RowSettler } from "../../../ingest/archive/row-settler.ts";
import type { SeriesQuery, TelemetryPoint } from "../../../storage/ports/telemetry-store.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { crane, point } from "../../support/telemetry-points.ts";

/** A settler over a local store that has `points`, with the ranges that it reads. */
async function settlerOver(points: readonly TelemetryPoint[], floorMs: number) {
  const local = openMemoryTelemetryStore();
  await local.write(points, { journalId: "j", sequence: 1 });
  const reads: (readonly [number, number])[] = [];
  const settler = new RowSettler({
    read(query: SeriesQuery) {
      reads.push([query.fromMs, query.toMs]);
      return local.read(query);
    },
  });
  return { settler: { settler, newest: new NewestTimes(floorMs) }, reads };
}

/** The points that are written, as the writer writes them. */
async function written(
  { settler, newest }: { readonly settler: RowSettler; readonly newest: NewestTimes },
  points: readonly TelemetryPoint[],
) {
  const isNewest = points.map(({ assetId, fixTimeMs }) => newest.isNewest(assetId, fixTimeMs));
  const rows = await settler.settle(points.filter((_, i) => !isNewest[i]));
  return [...points.filter((_, i) => isNewest[i]), ...rows];
}

describe("rows for the archive", () => {
  it("rows newer than all before go to the archive as they came, without a read of the local store", async () => {
    const points = [
      point(10, { a: 1 }),
      point(11, { a: 2 }),
      point(10, { a: 3 }, { assetId: crane }),
    ];
    const { settler, reads } = await settlerOver(points, 9);
    expect([await written(settler, points), reads]).toEqual([points, []]);
  });

  it("rows for the archive are taken from the local store where a fix time may be there already", async () => {
    const first = point(10, { a: 1, b: 1 }, { seq: 5 });
    const second = point(10, { a: 2, c: 2 }, { seq: 4 });
    const { settler } = await settlerOver([first, second], 9);
    expect(await written(settler, [first])).toEqual([first]);
    const [row, ...others] = await written(settler, [second]);
    expect([row?.fields, others]).toEqual([{ a: 1, b: 1, c: 2 }, []]);
  });

  it("rows for the archive come last where readings of one batch meet at one fix time", async () => {
    const points = [
      point(10, { a: 1 }, { seq: 5 }),
      point(11, { a: 1 }),
      point(10, { a: 2, b: 2 }, { seq: 4 }),
      point(10, { a: 3 }, { seq: 3 }),
    ];
    const { settler } = await settlerOver(points, 9);
    const rows = await written(settler, points);
    expect(rows.map(({ fixTimeMs, fields }) => [fixTimeMs, fields])).toEqual([
      [10, { a: 1 }],
      [11, { a: 1 }],
      [10, { a: 1, b: 2 }],
    ]);
  });

  it("rows for the archive are settled when they are not newer than what the server had at the start", async () => {
    const early = point(8, { a: 1 }, { seq: 9 });
    const late = point(8, { a: 2 }, { seq: 1 });
    const { settler, reads } = await settlerOver([early, late], 8);
    const [row] = await written(settler, [late]);
    expect([row?.fields, reads]).toEqual([{ a: 1 }, [[8, 9]]]);
  });

  it("rows for the archive keep their own fields where the local store has let go of the time", async () => {
    const late = point(8, { a: 2 });
    const { settler } = await settlerOver([], 100);
    expect(await written(settler, [late])).toEqual([late]);
  });

  it("rows for the archive are read back in one range where they follow closely, apart where they do not", async () => {
    const hour = 3_600_000;
    const points = [point(0, { a: 1 }), point(1_000, { a: 1 }), point(5 * hour, { a: 1 })];
    const { settler, reads } = await settlerOver(points, 10 * hour);
    await written(settler, points);
    expect(reads).toEqual([
      [0, 1_001],
      [5 * hour, 5 * hour + 1],
    ]);
  });
});

describe("ranges in flight", () => {
  it("ranges in flight pass in the order of the journal, whatever order their parts arrive in", () => {
    const passed: number[] = [];
    const inFlight = new InFlight(({ sequence }) => passed.push(sequence));
    const first = inFlight.add({ sequence: 10, timeMs: 1 }, 2);
    const second = inFlight.add({ sequence: 20, timeMs: 2 }, 1);
    inFlight.add({ sequence: 30, timeMs: 3 }, 1);
    second();
    first();
    expect(passed).toEqual([]);
    first();
    expect(passed).toEqual([20]);
  });
});
