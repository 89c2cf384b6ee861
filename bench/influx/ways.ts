import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InfluxDB, Point } from "@influxdata/influxdb-client";
import { pino } from "pino";
import { ArchiveWriter } from "../../ingest/archive/archive-writer.ts";
import { pointsOf } from "../../ingest/journal-record/journal-points.ts";
import { RECORD_KIND } from "../../ingest/journal-record/journal-record.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import { openEmbeddedTelemetryStore } from "../../storage/telemetry/embedded/open.ts";
import { openInfluxArchive } from "../../storage/telemetry/influx/open.ts";
import type { InfluxTarget } from "../../storage/telemetry/influx/target.ts";
import { until } from "../../test/support/until.ts";
import { handMadeBodies, journalBodies, reading } from "./load.ts";

/** A method to write `count` points into the database; returns the seconds that it took. */
export type Way = (target: InfluxTarget, count: number) => Promise<number>;

const PATIENT_MS = 600_000;
/** Requests in flight of the hand-made method; each size of 1 to 4 was tried, 3 wrote most. */
const IN_FLIGHT = 3;

/** The server's ceiling: bodies made beforehand, posted on kept connections. */
export const handMade: Way = async (target, count) => {
  const bodies = handMadeBodies(count, 5_000);
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const url = `${target.url}/write?db=${target.database}&rp=plumbline&precision=ms`;
  const post = (body: string) =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: "POST", agent }, (answer) => {
        answer.resume();
        if (answer.statusCode === 204) answer.once("end", resolve);
        else reject(new Error(`status ${answer.statusCode}`));
      });
      sent.once("error", reject);
      sent.end(body);
    });
  const beganMs = performance.now();
  let next = 0;
  const worker = async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) await post(body);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const seconds = (performance.now() - beganMs) / 1_000;
  agent.destroy();
  return seconds;
};

/** Journal on disk, decoding, settling against the local store, lanes, the client, confirmed cursor. */
export const plumbline: Way = async (target, count) => {
  const dir = await mkdtemp(join(tmpdir(), "bench-influx-"));
  const journal = await openJournal({ dir: join(dir, "journal"), minFreeBytes: 0 });
  const local = await openEmbeddedTelemetryStore({ dir: join(dir, "telemetry") });
  try {
    await fill(journal, count);
    // In the running service the local store has every record before the archive's writer takes it.
    for (let next = 1; next <= journal.syncedSequence; ) {
      const records = await journal.read(next, { records: 5_000, bytes: 4 * 1024 ** 2 });
      const sequence = records.at(-1)?.sequence ?? journal.syncedSequence;
      await local.write(pointsOf(records), { journalId: journal.id, sequence });
      next = sequence + 1;
    }
    await local.flush();
    const beganMs = performance.now();
    const writer = new ArchiveWriter({
      journal,
      archive: openInfluxArchive(target, { retentionDays: undefined }),
      local,
      localWritten: () => journal.syncedSequence,
      deadLetters: {
        add: async () => {
          throw new Error("nothing of this load is refused");
        },
      },
      onArchived: () => undefined,
      log: pino({ level: "warn" }),
    });
    const isDone = () => writer.archivedSequence === journal.syncedSequence;
    await until("everything is archived", isDone, PATIENT_MS);
    const seconds = (performance.now() - beganMs) / 1_000;
    await writer.stop();
    return seconds;
  } finally {
    await local.close();
    await journal.close();
    await rm(dir, { recursive: true });
  }
};

async function fill(journal: Awaited<ReturnType<typeof openJournal>>, count: number) {
  let open: Promise<void>[] = [];
  for (const body of journalBodies(count)) {
    open.push(
      new Promise((resolve, reject) => {
        journal.append(RECORD_KIND.readings, Date.now(), body, (error) =>
          error === undefined ? resolve() : reject(error),
        );
      }),
    );
    if (open.length < 5_000) continue;
    await Promise.all(open);
    open = [];
  }
  await Promise.all(open);
}

/** The client as its examples show it: points handed over one by one, its own batches and retries. */
export const clientDefaults: Way = async (target, count) => {
  const api = new InfluxDB({ url: target.url }).getWriteApi("", target.database, "ms");
  api.path = `/write?db=${target.database}&rp=plumbline&precision=ms`;
  const beganMs = performance.now();
  for (let i = 0; i < count; i += 1) {
    const { assetId, timeMs, fields } = reading(i);
    const point = new Point("telemetry").tag("asset", assetId).tag("project", "bench");
    for (const name in fields) point.floatField(name, fields[name] ?? 0);
    api.writePoint(point.timestamp(timeMs));
    // Its requests leave in later turns of the loop: without one all of them would wait in memory.
    if (i % 1_000 === 999) await new Promise((resolve) => setImmediate(resolve));
  }
  await api.close();
  return (performance.now() - beganMs) / 1_000;
};
