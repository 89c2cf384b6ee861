import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mqtt from "mqtt";
import { pino } from "pino";
import { deviceFilters } from "../../domain/equipment/topics.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { InboundMessage } from "../../ingest/intake/inbound-message.ts";
import { createIntake, type Intake } from "../../ingest/intake/intake.ts";
import { createCounters } from "../../ingest/intake/readings/counters.ts";
import { REMOTE_COUNTERS } from "../../ingest/remote-broker/counters.ts";
import { InboundSession } from "../../ingest/remote-broker/inbound-session.ts";
import { VendorTopicIndex } from "../../ingest/remote-broker/vendor-topic-index.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import { assetEntry, fixedDirectory, PEPPER } from "../../test/support/fixed-directory.ts";
import { assetId, DEVICES, projectId } from "./publish.ts";

export type Kind = "plumbline" | "mqtt.js";

/** What both subscribers feed: the same intake, decoding and journal. */
interface Way {
  readonly intake: Intake;
  readonly journal: Journal;
  readonly directory: AssetDirectory;
  readonly vendorTopics: VendorTopicIndex;
}

/**
 * Subscribes to each project in a persistent session of its own and acknowledges what is durable; asked
 * for "count", answers the parent with the durable messages so far.
 */
export async function subscribe(kind: Kind, port: number, projects: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-bench-"));
  const journal = await openJournal({ dir, minFreeBytes: 0 });
  const directory = fixedDirectory(
    Array.from({ length: DEVICES }, (_, i) => assetEntry(assetId(i), projectId(i, projects))),
  );
  const intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    settings: { retentionDays: 90, deviceReadingsPerS: 1_000_000, deviceBurstReadings: 10_000_000 },
  });
  const way = { intake, journal, directory, vendorTopics: new VendorTopicIndex(directory) };
  for (let project = 0; project < projects; project += 1) {
    await (kind === "plumbline" ? subscribeOurs : subscribeMqttJs)(way, port, project, projects);
  }
  process.on("message", (message) => {
    if (message === "count") process.send?.(intake.stats()["readings"]);
    else rm(dir, { recursive: true, force: true }).then(() => process.exit(0));
  });
  process.send?.("ready");
}

async function subscribeOurs(
  way: Way,
  port: number,
  project: number,
  projects: number,
): Promise<void> {
  const session = new InboundSession({
    ...way,
    address: { host: "127.0.0.1", port, username: undefined, password: undefined, tls: undefined },
    clientId: `plumbline-ingest-${project}`,
    counters: createCounters(REMOTE_COUNTERS),
    mayConnect: () => true,
    now: Date.now,
    log: pino({ level: "warn" }),
  });
  session.subscribe(new Set(deviceFilters(projectId(project, projects), "+")));
  session.start();
  while (!session.isReady) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** As its documentation says that acknowledgements are delayed: `handleMessage` calls back when it is done. */
async function subscribeMqttJs(
  { intake }: Way,
  port: number,
  project: number,
  projects: number,
): Promise<void> {
  const client = mqtt.connect({
    host: "127.0.0.1",
    port,
    clientId: `mqttjs-${project}`,
    clean: false,
    protocolVersion: 4,
  });
  const sessions = new Map<string, ReturnType<Intake["openSession"]>>();
  client.handleMessage = (packet, done) => {
    const id = packet.topic.split("/")[3] ?? "";
    let session = sessions.get(id);
    if (session === undefined) {
      const identity = { assetId: id as AssetId, clientId: "mqttjs", keepAliveMs: 0 };
      const nobody = { acknowledge() {}, relieved() {}, close() {} };
      session = intake.openSession(identity, nobody);
      sessions.set(id, session);
    }
    const payload = Buffer.from(packet.payload);
    const { topic, qos, dup, messageId: packetId = 0 } = packet;
    intake.offer(
      session,
      new InboundMessage({ topic, payload, qos, dup, packetId }, Date.now(), done),
    );
  };
  await client.subscribeAsync([...deviceFilters(projectId(project, projects), "+")], { qos: 1 });
}
