import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { expect, vi } from "vitest";
import { crc16 } from "../../../ingest/decoders/teltonika/crc16.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import { type TeltonikaOptions, TeltonikaServer } from "../../../ingest/teltonika/server.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";

/** Hardware ids of the assets a1 and a2. */
export const IMEI = "356307042441013";
export const OTHER_IMEI = "356307042441021";
export const NOW_MS = Date.UTC(2026, 10, 20);
export const DEADLINE = { timeout: PATIENT_MS, interval: 2 };

/** An asset of project p1 whose hardware calls itself `imei`. */
export const withImei = (assetId: string, imei: string) => {
  const entry = assetEntry(assetId);
  return { ...entry, asset: { ...entry.asset, hardware_id: imei } };
};

/** The hand-shake as a tracker writes it. */
export const hello = (imei = IMEI): Buffer =>
  Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei, "ascii")]);

/** A latitude on earth, and one that is not, 1e-7 degrees. */
const LATITUDE = 547_144_930;
export const IMPOSSIBLE_LATITUDE = 1_200_000_000;

/** A Codec 8 record of `speed` km/h, with a fix and no elements. */
function record(speed: number, latitude: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.writeBigUInt64BE(BigInt(NOW_MS - 60_000 + speed * 1_000), 0);
  bytes.writeInt32BE(253_036_850, 9);
  bytes.writeInt32BE(latitude, 13);
  bytes[21] = 9;
  bytes.writeUInt16BE(speed, 22);
  return bytes;
}

/** A packet of one record for each speed; `latitude` is that of the last one. */
export function packet(speeds: readonly number[], codec = 8, latitude = LATITUDE): Buffer {
  const count = Buffer.of(speeds.length);
  const records = speeds.map((speed, i) =>
    record(speed, i === speeds.length - 1 ? latitude : LATITUDE),
  );
  const data = Buffer.concat([Buffer.of(codec), count, ...records, count]);
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 4);
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc16(data, 0, data.length), data.length + 8);
  return bytes;
}

/** The same with one bit of its CRC turned round. */
export function withWrongCrc(bytes: Buffer): Buffer {
  const wrong = Buffer.from(bytes);
  wrong[wrong.length - 1] = (wrong[wrong.length - 1] ?? 0) ^ 1;
  return wrong;
}

/** What one test works on; {@link open} fills it anew. */
export const world = {} as {
  /** The server's clock, ms. */
  nowMs: number;
  journal: ManualJournal;
  directory: FixedDirectory;
  intake: Intake;
  server: TeltonikaServer;
};
const trackers: Tracker[] = [];

interface Tracker {
  readonly socket: Socket;
  send(...bytes: Uint8Array[]): void;
  /** Everything heard so far, in hexadecimal, once it is `expected`. */
  hears(expected: string): Promise<void>;
  readonly heard: string;
  closed(): Promise<void>;
}

/** A listener on a free port, with intake and a journal that commits on demand. */
export async function open(options: Partial<TeltonikaOptions> = {}): Promise<void> {
  const journal = manualJournal();
  const directory = fixedDirectory([withImei("a1", IMEI), withImei("a2", OTHER_IMEI)]);
  world.nowMs = NOW_MS;
  const now = () => world.nowMs;
  const intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    settings: { retentionDays: 90, deviceReadingsPerS: 100_000, deviceBurstReadings: 1_000_000 },
    now,
  });
  const server = await TeltonikaServer.open({
    host: "127.0.0.1",
    port: 0,
    intake,
    directory,
    log: pino({ level: "silent" }),
    now,
    ...options,
  });
  Object.assign(world, { journal, directory, intake, server });
}

export function tracker(): Tracker {
  const socket = connect({ port: world.server.port, host: "127.0.0.1", noDelay: true });
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
export async function letIn(imei = IMEI): Promise<Tracker> {
  const made = tracker();
  made.send(hello(imei));
  await made.hears("01");
  return made;
}

export const received = (count: number): Promise<unknown> =>
  vi.waitUntil(() => world.intake.stats()["received"] === count, DEADLINE);

/** What the journal holds: speeds of readings, and the types of all other entries. */
export const speeds = (): unknown[] =>
  world.journal
    .entries()
    .flatMap((entry): unknown[] =>
      entry.type === "readings"
        ? entry.batch.readings.map(({ fields }) => fields["speed_kmh"])
        : [entry.type],
    );

/** Commits again and again until the tracker has heard `expected`. */
export async function commitUntilHeard(made: Tracker, expected: string): Promise<void> {
  await vi.waitFor(() => {
    world.journal.commit();
    expect(made.heard).toBe(expected);
  }, DEADLINE);
}

/** Ends what a test opened. */
export async function closeAll(): Promise<void> {
  for (const { socket } of trackers.splice(0)) socket.destroy();
  await world.server.close();
  world.intake.close();
}
