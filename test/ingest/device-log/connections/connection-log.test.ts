import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import {
  ConnectionLog,
  type NotedConnection,
} from "../../../../ingest/device-log/connections/connection-log.ts";
import type { LoggedConnection } from "../../../../storage/ports/equipment/device-log.ts";
import { openMemoryRecords } from "../../../support/memory-records.ts";

const START_MS = Date.UTC(2026, 10, 20, 12);
/** Longer than any test: each writes when it says so. */
const NEVER_MS = 3_600_000;
const silent = pino({ level: "silent" });

const attempt = (assetId: string | undefined, atMs: number): NotedConnection => ({
  assetId: assetId as AssetId | undefined,
  atMs,
  address: "192.0.2.7",
  listener: "mqtt",
  protocolLevel: 4,
  outcome: "wrong_password",
  detail: undefined,
  clientId: "tracker",
  username: assetId,
});

describe("the log of connections", () => {
  const open: ConnectionLog[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((log) => log.close()));
  });

  /** A log on a store that keeps what it is given, in the order of its calls. */
  function start(add: (entries: readonly LoggedConnection[]) => void = () => undefined) {
    const written: LoggedConnection[][] = [];
    const log = new ConnectionLog({
      records: {
        async add(entries) {
          add(entries);
          written.push([...entries]);
        },
      },
      log: silent,
      writeEveryMs: NEVER_MS,
    });
    open.push(log);
    return { log, written };
  }

  it("the log of connections orders entries of the same millisecond, also when the clock steps back", async () => {
    const { log, written } = start();
    for (const atMs of [START_MS, START_MS, START_MS - 5_000]) log.note(attempt("a1", atMs));
    await log.write();
    const sequences = written.flat().map(({ sequence }) => sequence);
    expect(sequences).toEqual([0, 1, 2].map((i) => START_MS * 1_000 + i));
  });

  it("the log of connections keeps what two processes note of one asset in the same millisecond", async () => {
    const { connections } = openMemoryRecords();
    for (const offsetUs of [3, 700]) {
      const log = new ConnectionLog({
        ...{ records: connections, log: silent, offsetUs },
        writeEveryMs: NEVER_MS,
      });
      open.push(log);
      log.note(attempt("a1", START_MS));
      await log.write();
    }
    expect(await connections.newest("a1" as AssetId, 10)).toHaveLength(2);
  });

  it("the log of connections sends the store no more of one asset than it keeps", async () => {
    const { log, written } = start();
    for (let i = 0; i < 200; i += 1) log.note(attempt("a1", START_MS + i));
    log.note(attempt("a2", START_MS));
    await log.write();
    const ofA1 = written.flat().filter(({ assetId }) => assetId === "a1");
    expect([ofA1.length, ofA1[0]?.atMs, ofA1.at(-1)?.atMs]).toEqual([
      50,
      START_MS + 150,
      START_MS + 199,
    ]);
    expect(written.flat()).toHaveLength(51);
  });

  it("the log of connections shortens names that a client may make 64 KiB long", async () => {
    const { log, written } = start();
    log.note({ ...attempt(undefined, START_MS), clientId: "x".repeat(65_535) });
    await log.write();
    expect(written[0]?.[0]?.clientId).toHaveLength(128);
  });

  it("the log of connections keeps entries in order while the store is away, and bounds and counts them", async () => {
    let isAway = true;
    const { log, written } = start(() => {
      if (isAway) throw new DomainError("STORE_UNAVAILABLE", "away");
    });
    log.note(attempt("a1", START_MS));
    await log.write();
    log.note(attempt("a1", START_MS + 1));
    await log.write();
    expect(log.stats()).toEqual({ connection_log_waiting: 2, connection_log_dropped: 0 });
    for (let i = 0; i < 5_100; i += 1) log.note(attempt(`b${i}`, START_MS + 2));
    expect(log.stats()).toEqual({ connection_log_waiting: 5_000, connection_log_dropped: 102 });
    isAway = false;
    await log.write();
    const all = written.flat();
    expect(all).toHaveLength(5_000);
    expect(all[0]?.assetId).toBe("b100");
    for (const batch of written) expect(batch.length).toBeLessThanOrEqual(1_000);
  });

  it("the log of connections writes what waits when it is closed", async () => {
    const { log, written } = start();
    log.note(attempt("a1", START_MS));
    await log.close();
    expect(written.flat()).toHaveLength(1);
  });
});
