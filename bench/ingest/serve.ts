import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Aedes } from "aedes";
import { pino } from "pino";
import { Registry } from "prom-client";
import { buildStatusApp } from "../../api/status-app.ts";
import { Broker } from "../../ingest/broker/broker.ts";
import { HttpIngest } from "../../ingest/http/http-ingest.ts";
import { createIntake } from "../../ingest/intake/intake.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import {
  assetEntry,
  fixedDirectory,
  PEPPER,
  verifySecret,
} from "../../test/support/fixed-directory.ts";

/** Assets the bench connects as, `b0` and so on; each one's secret is its id and `-secret`. */
const ASSETS = 10_100;
const MS_PER_NS = 1e-6;

/** Runs one broker in this process and sends the parent its port. Asked for "stats", it answers. */
export async function serve(kind: "plumbline" | "aedes"): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const server = kind === "plumbline" ? await servePlumbline() : await serveAedes();
  process.on("message", (message) => {
    if (message === "stats") {
      process.send?.({
        rssMb: Math.round(process.memoryUsage().rss / 1e6),
        cpuMs: cpuMs(),
        loopDelayP99Ms: delay.percentile(99) * MS_PER_NS,
        ...server.stats(),
      });
      delay.reset();
    } else if (message === "publish") {
      server.publish();
    } else if (message === "stop") {
      server.close().then(() => process.exit(0));
    }
  });
  process.send?.({ port: server.port, httpPort: server.httpPort });
}

/** Processor time of this process so far, ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface Server {
  readonly port: number;
  /** Of HTTP ingest; 0: it has none. */
  readonly httpPort: number;
  stats(): Readonly<Record<string, number>>;
  publish(): void;
  close(): Promise<void>;
}

async function servePlumbline(): Promise<Server> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-bench-"));
  const journal = await openJournal({ dir, minFreeBytes: 0 });
  const directory = fixedDirectory(
    Array.from({ length: ASSETS }, (_, i) => assetEntry(`b${i}`, "bench")),
  );
  const intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    settings: {
      retentionDays: 90,
      deviceReadingsPerS: 1_000_000,
      deviceBurstReadings: 10_000_000,
    },
  });
  const log = pino({ level: "error" });
  const broker = await Broker.open({
    settings: {
      mqttHost: "0.0.0.0",
      mqttPort: 0,
      mqttWsPort: undefined,
      mqttsPort: undefined,
      mqttWssPort: undefined,
    },
    intake,
    directory,
    verifySecret,
    authenticateReader: async () => ({ keyId: "bench", allows: () => true }),
    log,
  });
  const ingest = new HttpIngest({ intake, directory, verifySecret, pepper: PEPPER, log });
  const metrics = new Registry();
  const app = await buildStatusApp({ health: () => [], damage: () => [], metrics, log, ingest });
  await app.listen({ host: "127.0.0.1", port: 0 });
  // Nobody reads the journal here: its segments may go as soon as they are full.
  const cursor = journal.cursor("bench");
  journal.onCommit(() => cursor.advance(journal.syncedSequence));
  const event = JSON.stringify({ type: "bench", filler: "x".repeat(20_000) });
  return {
    port: broker.ports.mqtt ?? 0,
    httpPort: (app.server.address() as AddressInfo).port,
    stats: () => ({ ...intake.stats(), ...broker.stats(), commits: journal.stats().commits }),
    publish: () => broker.publish("sites/bench/events/bench", event),
    async close() {
      ingest.close();
      await app.close();
      await broker.close();
      intake.close();
      await journal.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function serveAedes(): Promise<Server> {
  const aedes = await Aedes.createBroker();
  const server = createServer(aedes.handle);
  await new Promise<void>((resolve) => {
    server.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    httpPort: 0,
    stats: () => ({}),
    publish: () => undefined,
    async close() {
      server.close();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
  };
}
