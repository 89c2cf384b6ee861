import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import { crc16 } from "../../../ingest/decoders/teltonika/crc16.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import {
  openTeltonika,
  type TeltonikaOptions,
  type TeltonikaServer,
} from "../../../ingest/teltonika/server.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";

const IMEI = "356307042441013";
const OTHER_IMEI = "356307042441021";
const NOW_MS = Date.UTC(2026, 10, 20);
const DEADLINE = { timeout: 5_000, interval: 2 };

const withImei = (assetId: string, imei: string) => {
  const entry = assetEntry(assetId);
  return { ...entry, asset: { ...entry.asset, hardware_id: imei } };
};

/** The hand-shake as a tracker writes it. */
const hello = (imei = IMEI): Buffer =>
  Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei, "ascii")]);

/** A Codec 8 record of `speed` km/h, with a fix and no elements. */
function record(speed: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.writeBigUInt64BE(BigInt(NOW_MS - 60_000 + speed * 1_000), 0);
  bytes.writeInt32BE(253_036_850, 9);
  bytes.writeInt32BE(547_144_930, 13);
  bytes[21] = 9;
  bytes.writeUInt16BE(speed, 22);
  return bytes;
}

/** A packet of one record for each speed. */
function packet(speeds: readonly number[], codec = 8): Buffer {
  const count = Buffer.of(speeds.length);
  const data = Buffer.concat([Buffer.of(codec), count, ...speeds.map(record), count]);
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 4);
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc16(data, 0, data.length), data.length + 8);
  return bytes;
}

function withWrongCrc(bytes: Buffer): Buffer {
  const wrong = Buffer.from(bytes);
  wrong[wrong.length - 1] = (wrong[wrong.length - 1] ?? 0) ^ 1;
  return wrong;
}

/** The server's clock, ms. */
let nowMs = NOW_MS;
let journal: ManualJournal;
let directory: FixedDirectory;
let intake: Intake;
let server: TeltonikaServer;
const trackers: Tracker[] = [];

interface Tracker {
  readonly socket: Socket;
  send(...bytes: Uint8Array[]): void;
  /** Everything heard so far, in hexadecimal, once it is `expected`. */
  hears(expected: string): Promise<void>;
  readonly heard: string;
  closed(): Promise<void>;
}

async function open(options: Partial<TeltonikaOptions> = {}): Promise<void> {
  nowMs = NOW_MS;
  journal = manualJournal();
  directory = fixedDirectory([withImei("a1", IMEI), withImei("a2", OTHER_IMEI)]);
  const now = () => nowMs;
  intake = await createIntake({
    journal,
    directory,
    settings: { retentionDays: 90, deviceReadingsPerS: 100_000, deviceBurstReadings: 1_000_000 },
    now,
  });
  server = await openTeltonika({
    host: "127.0.0.1",
    port: 0,
    intake,
    directory,
    log: pino({ level: "silent" }),
    now,
    ...options,
  });
}

function tracker(): Tracker {
  const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true });
  const chunks: Buffer[] = [];
  let isClosed = false;
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  const made: Tracker = {
    socket,
    send: (...bytes) => {
      socket.write(Buffer.concat(bytes));
    },
    get heard() {
      return Buffer.concat(chunks).toString("hex");
    },
    async hears(expected) {
      await vi.waitFor(() => expect(made.heard).toBe(expected), DEADLINE);
    },
    async closed() {
      await vi.waitUntil(() => isClosed, DEADLINE);
    },
  };
  trackers.push(made);
  return made;
}

/** A tracker whose hand-shake is done: it has heard `01`. */
async function letIn(imei = IMEI): Promise<Tracker> {
  const made = tracker();
  made.send(hello(imei));
  await made.hears("01");
  return made;
}

const received = (count: number): Promise<unknown> =>
  vi.waitUntil(() => intake.stats()["received"] === count, DEADLINE);

/** What the journal holds: speeds of readings, and the types of all other entries. */
const speeds = (): unknown[] =>
  journal
    .entries()
    .flatMap((entry): unknown[] =>
      entry.type === "readings"
        ? entry.batch.readings.map(({ fields }) => fields["speed_kmh"])
        : [entry.type],
    );

/** Commits again and again until the tracker has heard `expected`. */
async function commitUntilHeard(made: Tracker, expected: string): Promise<void> {
  await vi.waitFor(() => {
    journal.commit();
    expect(made.heard).toBe(expected);
  }, DEADLINE);
}

afterEach(async () => {
  for (const { socket } of trackers.splice(0)) socket.destroy();
  await server.close();
  intake.close();
});

describe("the hand-shake", () => {
  it("of a registered IMEI is answered by 01", async () => {
    await open();
    await letIn();

    expect(server.stats()).toMatchObject({ teltonika_logins: 1, teltonika_sessions: 1 });
  });

  it("of an unknown IMEI is answered by 00, and the connection is closed", async () => {
    await open();
    const made = tracker();
    made.send(hello("999999999999999"));
    await made.closed();

    expect(made.heard).toBe("00");
    expect(server.stats()).toMatchObject({ teltonika_unknown_imei: 1, teltonika_sessions: 0 });
  });

  it("of an unknown IMEI is told of in the log once an hour, however often it comes", async () => {
    const told: unknown[] = [];
    const log = pino(
      { level: "warn", base: null },
      { write: (line) => told.push(JSON.parse(line)) },
    );
    await open({ log });
    for (const waitMs of [0, 60_000, 3_600_000]) {
      nowMs += waitMs;
      const made = tracker();
      made.send(hello("999999999999999"));
      await made.closed();
    }

    expect(told).toMatchObject([{ imei: "999999999999999" }, { imei: "999999999999999" }]);
    expect(server.stats()).toMatchObject({ teltonika_unknown_imei: 3 });
  });

  it.each([
    ["of letters", Buffer.concat([Buffer.of(0, 15), Buffer.from("35630704244101X")])],
    ["of a length no IMEI has", Buffer.of(0xff, 0xff)],
    ["of HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["of length 0", Buffer.of(0, 0)],
  ])("%s is not answered, and the connection is closed", async (_name, bytes) => {
    await open();
    const made = tracker();
    made.send(bytes);
    await made.closed();

    expect(made.heard).toBe("");
    expect(server.stats()).toMatchObject({ teltonika_malformed: 1 });
  });

  it("in single bytes, with the first packet right behind it, is understood", async () => {
    await open();
    const made = tracker();
    for (const byte of Buffer.concat([hello(), packet([7])])) {
      made.send(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual([7]);
  });

  it("that never comes ends the connection after the time for it", async () => {
    await open({ handshakeMs: 20 });
    const made = tracker();
    made.send(Buffer.of(0));
    await made.closed();

    expect(server.stats()).toMatchObject({ teltonika_handshake_timeout: 1 });
  });

  it("while the journal is full is closed unanswered: the device is known, and comes again", async () => {
    await open();
    journal.become("full");
    const made = tracker();
    made.send(hello());
    await made.closed();

    expect(made.heard).toBe("");
    expect(server.stats()).toMatchObject({ teltonika_degraded: 1 });
  });

  it("of a device that is connected already ends its older connection", async () => {
    await open();
    const older = await letIn();
    await letIn();
    await older.closed();

    expect(server.stats()).toMatchObject({ teltonika_replaced: 1, teltonika_sessions: 1 });
  });
});

describe("a packet", () => {
  it("is acknowledged with its number of records after the commit and not before", async () => {
    await open();
    const made = await letIn();
    made.send(packet([3, 2, 1]));
    await received(1);
    expect(made.heard).toBe("01");
    journal.commit();
    await made.hears("0100000003");

    expect(journal.entries()).toMatchObject([
      {
        type: "readings",
        batch: {
          assetId: "a1",
          projectId: "p1",
          readings: [3, 2, 1].map((speed) => ({
            fixTimeMs: NOW_MS - 60_000 + speed * 1_000,
            timeSource: "device",
            fields: { speed_kmh: speed, latitude: 54.714493, longitude: 25.303685 },
          })),
        },
      },
    ]);
  });

  it("is not acknowledged when the connection ends before the commit, nor twice stored when resent", async () => {
    await open();
    const first = await letIn();
    first.send(packet([5]));
    await received(1);
    first.socket.destroy();
    await vi.waitUntil(() => server.stats()["teltonika_sessions"] === 0, DEADLINE);
    const second = await letIn();
    second.send(packet([5]));
    await commitUntilHeard(second, "0100000001");

    expect(first.heard).toBe("01");
    expect(speeds()).toEqual([5]);
    expect(intake.stats()).toMatchObject({ dup_dropped: 1 });
  });

  it("that is refused by the journal is acknowledged when it takes it at last", async () => {
    await open();
    const made = await letIn();
    made.send(packet([5]));
    await received(1);
    journal.become("full");
    expect(made.heard).toBe("01");
    journal.become("open");
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual([5]);
  });

  it("split over three segments, and joined with the next one, is stored in order", async () => {
    await open();
    const made = await letIn();
    const both = Buffer.concat([packet([1]), packet([2, 3])]);
    for (const [from, to] of [
      [0, 5],
      [5, 50],
      [50, both.length],
    ]) {
      made.send(both.subarray(from, to));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await commitUntilHeard(made, "010000000100000002");

    expect(speeds()).toEqual([1, 2, 3]);
  });

  it("behind pings of FF is read like any other", async () => {
    await open();
    const made = await letIn();
    made.send(Buffer.of(0xff), Buffer.of(0xff), packet([1]), Buffer.of(0xff));
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual([1]);
  });

  it("with a wrong CRC is answered by 0 records and not stored; sent again, it is", async () => {
    await open();
    const made = await letIn();
    made.send(withWrongCrc(packet([4])));
    await made.hears("0100000000");
    made.send(packet([4]));
    await commitUntilHeard(made, "010000000000000001");

    expect(speeds()).toEqual([4]);
    expect(server.stats()).toMatchObject({ teltonika_bad_crc: 1, teltonika_acknowledged: 1 });
  });

  it("with a wrong CRC for the third time running ends the connection", async () => {
    await open();
    const made = await letIn();
    made.send(...[1, 2, 3, 4].map((speed) => withWrongCrc(packet([speed]))));
    await made.closed();

    expect(made.heard).toBe("01000000000000000000000000");
    expect(server.stats()).toMatchObject({ teltonika_bad_crc: 3 });
  });

  it("that cannot be decoded is acknowledged and kept in quarantine as it came", async () => {
    await open();
    const made = await letIn();
    const impossible = packet([1, 5_000]);
    made.send(impossible);
    await commitUntilHeard(made, "0100000002");

    const [entry] = journal.entries();
    if (entry?.type !== "quarantined") throw new Error("not quarantined");
    expect(Buffer.from(entry.message.payload)).toEqual(impossible);
    expect(entry.message).toMatchObject({
      topic: "sites/p1/assets/a1/teltonika-codec8",
      reason: "record 1: speed_kmh 5000 is outside 0 to 1000",
    });
  });

  it("of Codec 12, an answer to a command, is kept and gets no answer; the next packet does", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1], 0x0c), packet([2]));
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual(["quarantined", 2]);
  });

  it.each([
    ["without four zeros before it", "teltonika_malformed", Buffer.from("0001000000000036", "hex")],
    ["of 2 bytes", "teltonika_malformed", Buffer.from("0000000000000002", "hex")],
    ["of 65,537 bytes", "teltonika_oversized", Buffer.from("0000000000010001", "hex")],
    ["of 4 GiB", "teltonika_oversized", Buffer.from("00000000ffffffff", "hex")],
  ])("%s ends the connection", async (_name, counter, head) => {
    await open();
    const made = await letIn();
    made.send(head);
    await made.closed();

    expect(server.stats()).toMatchObject({ [counter]: 1, teltonika_sessions: 0 });
    expect(made.heard).toBe("01");
  });

  it("for an asset that moved is on the topic of its new project", async () => {
    await open();
    const made = await letIn();
    directory.change("a1", {
      ...assetEntry("a1", "p2"),
      asset: { ...assetEntry("a1", "p2").asset, hardware_id: IMEI },
    });
    made.send(packet([1]));
    await commitUntilHeard(made, "0100000001");

    expect(journal.entries()).toMatchObject([{ batch: { projectId: "p2" } }]);
    expect(intake.stats()).toMatchObject({ project_mismatch: 0 });
  });
});

describe("a connection", () => {
  it("is read no further while its packet waits for the journal, and all of it afterwards", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1]), Buffer.alloc(64 * 1024 ** 2, 0xff), packet([2]));
    await received(1);
    let unsent = -1;
    await vi.waitUntil(
      () => {
        const isStuck = made.socket.writableLength === unsent;
        unsent = made.socket.writableLength;
        return isStuck;
      },
      { timeout: 5_000, interval: 50 },
    );
    expect(made.heard).toBe("01");
    await commitUntilHeard(made, "010000000100000001");

    expect(unsent).toBeGreaterThan(0);
    expect(speeds()).toEqual([1, 2]);
  });

  it("that stays silent, half-open, is closed after the idle time", async () => {
    await open({ idleMs: 30 });
    const made = await letIn();
    await made.closed();

    expect(server.stats()).toMatchObject({ teltonika_idle: 1, teltonika_sessions: 0 });
  });

  it("is closed when its asset is deleted, and then its IMEI is unknown", async () => {
    await open();
    const made = await letIn();
    directory.change("a1", undefined);
    await made.closed();
    const again = tracker();
    again.send(hello());
    await again.closed();

    expect(again.heard).toBe("00");
    expect(server.stats()).toMatchObject({ teltonika_asset_changed: 1 });
  });

  it("is closed when another tracker is registered for its asset; others stay", async () => {
    await open();
    const made = await letIn();
    const other = await letIn(OTHER_IMEI);
    directory.change("a1", withImei("a1", "356307042441039"));
    await made.closed();
    other.send(packet([9]));
    await commitUntilHeard(other, "0100000001");

    expect(journal.entries()).toMatchObject([{ batch: { assetId: "a2" } }]);
  });

  it("is closed unanswered by intake when the journal takes nothing for 15 s", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1]));
    await received(1);
    journal.become("full");
    nowMs += 15_000;
    await made.closed();

    expect(made.heard).toBe("01");
    expect(intake.stats()).toMatchObject({ held_closed: 1 });
  });
});

describe("the server", () => {
  it("ends all connections when it is closed, and acknowledges nothing more", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1]));
    await received(1);
    await server.close();
    journal.commit();
    await made.closed();

    expect(made.heard).toBe("01");
    expect(speeds()).toEqual([1]);
  });

  it("says which setting is wrong when its port is taken", async () => {
    await open();
    const second = openTeltonika({
      host: "127.0.0.1",
      port: server.port,
      intake,
      directory,
      log: pino({ level: "silent" }),
    });

    await expect(second).rejects.toThrow(DomainError);
    await expect(second).rejects.toThrow(/TELTONIKA_PORT/);
  });
});
