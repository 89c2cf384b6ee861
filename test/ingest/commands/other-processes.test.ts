import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AssetId, CommandId } from "../../../domain/ids.ts";
import { CommandCourier } from "../../../ingest/commands/command-courier.ts";
import type { CommandLink } from "../../../ingest/commands/command-link.ts";
import { newCommand } from "../../contracts/records/commands.ts";
import { NOON_MS } from "../../contracts/records/rows.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";

const A1 = "a1" as AssetId;
let records: MemoryRecords;
/** The process that the device connected to last. */
let newest: string;
const couriers: CommandCourier[] = [];

/** A courier of that process with a connection of the device; yields what was sent on it. */
async function connected(node: string) {
  const courier = await CommandCourier.start({
    commands: records.commands,
    directory: fixedDirectory([assetEntry("a1")]),
    isNewest: async () => newest === node,
    changed: () => undefined,
    log: pino({ level: "silent" }),
    now: Date.now,
  });
  couriers.push(courier);
  const written: string[] = [];
  const link: CommandLink = {
    carrier: "mqtt",
    confirmsReceipt: true,
    prepare:
      ({ id, attempt }) =>
      () =>
        void written.push(`${id} ${attempt}`),
  };
  courier.attach(A1, link);
  return { courier, written };
}

const insert = (id: string) => records.commands.insert(newCommand(id, { maxAttempts: 1 }));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now: NOON_MS });
  records = openMemoryRecords();
  newest = "b";
});
afterEach(async () => {
  await Promise.all(couriers.splice(0).map((courier) => courier.stop()));
  vi.useRealTimers();
});

it("of two processes with a connection of one device, the one that it connected to last sends, and once", async () => {
  const dead = await connected("a");
  const alive = await connected("b");
  await insert("c1");
  await pass(600);
  alive.courier.received(A1, "c1" as CommandId);
  await pass(10_000);
  expect([dead.written, alive.written]).toEqual([[], ["c1 1"]]);
  expect(records.rows.commands.get("c1" as CommandId)).toMatchObject({ state: "delivered" });
});

it("a command that waits at the older of two processes is sent there when the newer one has no connection any more", async () => {
  const older = await connected("a");
  await insert("c1");
  await pass(5_000);
  expect(older.written).toEqual([]);
  newest = "a";
  await pass(2_000);
  expect(older.written).toEqual(["c1 1"]);
});
