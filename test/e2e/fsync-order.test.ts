import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "../support/api-client.ts";
import { freshDataDir } from "../support/databases.ts";
import { connectOf, type RawClient, rawClient } from "../support/raw-mqtt.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createSite, type DeviceAccess } from "../support/site.ts";
import { canTrace, parseTrace, type TracedCall } from "../support/strace.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "strace-admin-key-of-at-least-32-characters";
/** Ids of one length, so that bytes in the journal count messages. */
const IDS = ["dev1", "dev2", "dev3", "dev4"];
const ALONE = 25;
const PIPELINED = 60;

const isRequired = (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes("strace");

let dataDir: string;
let traceDir: string;
let service: ServiceProcess;
let access: ReadonlyMap<string, DeviceAccess>;
const clients: RawClient[] = [];

async function logIn(id: string): Promise<RawClient> {
  const { password = "" } = access.get(id) ?? {};
  const client = rawClient(service.mqttPort);
  clients.push(client);
  client.send(connectOf(id, { password: Buffer.from(password) }));
  await client.hear("connack");
  return client;
}

/** Message `number` of a device. */
function publishOf(id: string, number: number, qos: 1 | 2 = 1) {
  return {
    cmd: "publish" as const,
    topic: access.get(id)?.topic ?? "",
    payload: JSON.stringify({ latitude: 52.5, longitude: 13.4, number }),
    qos,
    dup: false,
    retain: false,
    messageId: number,
  };
}

const trace = (): readonly TracedCall[] =>
  parseTrace(readFileSync(join(traceDir, "trace"), "utf8"));

/** How a PUBACK and a PUBREC begin, as the trace spells them. */
const PUBACK = /"@\\2/;
const PUBREC = /"P\\2/;

/**
 * Messages that a call acknowledged: 4 bytes each, and those of one commit leave in one write. A
 * tracer that could not ask the kernel for the addresses names a connection `socket:[inode]`.
 */
const acknowledgedBy = ({ target, rest, result }: TracedCall, kind: RegExp): number =>
  /^(TCP|socket):/.test(target) && kind.test(rest) ? result / 4 : 0;

/**
 * The calls since the trace was `before` calls long, once they acknowledge `count` messages. The
 * kernel delivers an answer before the tracer prints the call that sent it: a client that has the answer
 * may be ahead of the trace.
 */
async function tracedSince(
  before: number,
  kind: RegExp,
  count: number,
): Promise<readonly TracedCall[]> {
  return until(
    `${count} acknowledgements in the trace`,
    () => {
      const calls = trace().slice(before);
      const acknowledged = calls.reduce((sum, call) => sum + acknowledgedBy(call, kind), 0);
      if (acknowledged < count) {
        const last = calls.slice(-20).map((call) => `${call.name} ${call.target} ${call.rest}`);
        throw new Error(
          `the trace acknowledges ${acknowledged}; its last calls:\n${last.join("\n")}`,
        );
      }
      return calls;
    },
    10_000,
  );
}

/** The journal's own syncs and the acknowledgements, in the order in which they happened. */
function steps(calls: readonly TracedCall[], kind: RegExp): string {
  let text = "";
  for (const call of calls) {
    const { name, target, result } = call;
    if (target.includes("/journal/")) {
      if (name === "pwritev" || name === "pwrite64") text += "w";
      if ((name === "fdatasync" || name === "fsync") && result === 0) text += "s";
    } else if (acknowledgedBy(call, kind) > 0) {
      text += "a";
    }
  }
  return text;
}

/** Sizes of the writes of single messages: those with a commit of their own, a tick is smaller. */
function journalWrites(calls: readonly TracedCall[]): readonly number[] {
  return calls
    .filter(({ name, target }) => name.startsWith("pwrite") && target.includes("/journal/"))
    .map(({ result }) => result)
    .filter((bytes) => bytes > TICK_BYTES && bytes < 1_000);
}

/** A tick's record: 29 bytes of frame and one of body; anything above is a message. */
const TICK_BYTES = 40;

describe.skipIf(!canTrace && !isRequired)(
  `the order of system calls${canTrace ? "" : " (skipped: strace is missing or not permitted)"}`,
  () => {
    beforeAll(async () => {
      dataDir = await freshDataDir();
      traceDir = mkdtempSync(join(tmpdir(), "plumbline-trace-"));
      const calls = "trace=pwrite64,pwritev,write,writev,sendto,sendmsg,fdatasync,fsync";
      service = await startServiceProcess({
        dataDir,
        adminKey: ADMIN_KEY,
        // -D: the tracer is not the parent, so that the process we started is the program.
        wrapper: [
          "strace",
          "-D",
          "-f",
          "-yy",
          "-s",
          "16",
          "-e",
          calls,
          "-o",
          join(traceDir, "trace"),
        ],
        startMs: 120_000,
      });
      access = await createSite(createApiClient(service.http, ADMIN_KEY), "traced", IDS);
    });

    afterAll(async () => {
      for (const client of clients) client.end();
      await service?.end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(traceDir, { recursive: true, force: true });
    });

    it("a returned sync of the journal lies between each message and its PUBACK", async () => {
      const before = trace().length;
      const client = await logIn("dev1");
      for (let i = 1; i <= ALONE; i += 1) {
        client.send(publishOf("dev1", i));
        await client.hear("puback", i);
      }
      const order = steps(await tracedSince(before, PUBACK, ALONE), PUBACK);
      // One message at a time: written, synced, acknowledged. Anything else may come in between,
      // such as a tick or a spare segment, but never an acknowledgement without its own pair.
      expect(order.replace(/[^a]/g, "")).toHaveLength(ALONE);
      expect(order).toMatch(new RegExp(`^([ws]*w[ws]*s[ws]*a){${ALONE}}[ws]*$`));
    });

    it("a returned sync of the journal lies before the PUBREC of QoS 2 too", async () => {
      const before = trace().length;
      const client = await logIn("dev2");
      for (let i = 1; i <= ALONE; i += 1) {
        client.send(publishOf("dev2", i, 2));
        await client.hear("pubrec", i);
        client.send({ cmd: "pubrel", messageId: i });
        await client.hear("pubcomp", i);
      }
      const order = steps(await tracedSince(before, PUBREC, ALONE), PUBREC);
      expect(order.replace(/[^a]/g, "")).toHaveLength(ALONE);
      expect(order).toMatch(new RegExp(`^([ws]*w[ws]*s[ws]*a){${ALONE}}[ws]*$`));
    });

    it("the service never has more messages acknowledged than written before the last returned sync", async () => {
      const recordBytes = Math.min(...journalWrites(trace()));
      const before = trace().length;
      const pipelining = await Promise.all(IDS.map(logIn));
      for (const [i, client] of pipelining.entries()) {
        const id = IDS[i] ?? "";
        for (let n = 1; n <= PIPELINED; n += 1) client.send(publishOf(id, 1_000 + n));
      }
      await Promise.all(pipelining.map((client) => client.hear("puback", PIPELINED)));

      let writtenBytes = 0;
      let syncedBytes = 0;
      let acknowledged = 0;
      const ahead: number[] = [];
      for (const call of await tracedSince(before, PUBACK, PIPELINED * IDS.length)) {
        const { name, target, result } = call;
        if (target.includes("/journal/")) {
          if (name.startsWith("pwrite")) writtenBytes += result;
          else if (result === 0) syncedBytes = writtenBytes;
        } else if (acknowledgedBy(call, PUBACK) > 0) {
          acknowledged += acknowledgedBy(call, PUBACK);
          ahead.push(acknowledged - Math.floor(syncedBytes / recordBytes));
        }
      }
      expect(acknowledged).toBe(PIPELINED * IDS.length);
      expect(Math.max(...ahead)).toBeLessThanOrEqual(0);
    });

    it("a sync of the record store lies before the answer to every API write", async () => {
      const before = trace().length;
      const api = createApiClient(service.http, ADMIN_KEY);
      const writes = 20;
      for (let i = 0; i < writes; i += 1) {
        await api.post("/equipment/assets", {
          id: `written-${i}`,
          name: "Written",
          type: "van",
          project_id: "traced",
        });
      }
      const syncs = trace()
        .slice(before)
        .filter(({ name, target }) => /^f(data)?sync$/.test(name) && target.includes("/records/"));
      expect(syncs.length).toBeGreaterThanOrEqual(writes);
    });
  },
);
