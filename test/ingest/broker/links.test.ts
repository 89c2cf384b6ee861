import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { LinkLog } from "../../../ingest/broker/link-log.ts";
import { openJournal } from "../../../storage/journal/journal.ts";
import type { Journal } from "../../../storage/ports/journal.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";

const OTHER = "a2" as AssetId;

let dir: string;
let journal: Journal;
let links: LinkLog;
let world: BrokerUnderTest;
let nowMs: number;
const clients: RawClient[] = [];

beforeEach(async () => {
  nowMs = Date.UTC(2026, 5, 1, 8);
  const now = () => nowMs;
  dir = await mkdtemp(join(tmpdir(), "plumbline-links-"));
  journal = await openJournal({ dir, minFreeBytes: 0, segmentBytes: 16 * 1024 ** 2 });
  links = new LinkLog({
    journal,
    directory: fixedDirectory([assetEntry("a1"), assetEntry(OTHER)]),
    now,
    sweepMs: 10,
  });
  world = await openBrokerUnderTest({ journal, links, now });
  // A session that ends before the start is on disk leaves its end only.
  await until("the start is durable", () => journal.syncedSequence === 1, PATIENT_MS);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  links.close();
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

async function logIn(more: Parameters<typeof connectOf>[1] = {}): Promise<RawClient> {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf("a1", more));
  await client.hear("connack");
  return client;
}

/** What the journal holds of links: the asset, and `up` or how its link ended. */
async function linkEntries(): Promise<readonly string[]> {
  const entries = await world.entries();
  return entries.flatMap((entry) =>
    entry.type === "link" ? [`${entry.change.assetId} ${entry.change.end ?? "up"}`] : [],
  );
}

const sessionsAre = (count: number) =>
  until(`${count} sessions`, () => world.stats()["sessions"] === count, PATIENT_MS);

/** Waits for a journal that says exactly this of links, after those that are down have settled. */
async function expectLinks(expected: readonly string[]): Promise<void> {
  nowMs += 5_000;
  await until(
    `${expected} in the journal`,
    async () => (await linkEntries()).length >= expected.length,
    PATIENT_MS,
  );
  expect(await linkEntries()).toEqual(expected);
}

describe("the link of an asset, from real sessions", () => {
  it.each<[end: string, leave: (client: RawClient) => void]>([
    ["disconnect", (client) => client.send({ cmd: "disconnect" })],
    ["cut", (client) => client.socket.resetAndDestroy()],
    ["closed", (client) => client.sendBytes(Uint8Array.of(0x3f, 0))],
    [
      "keep_alive",
      () => {
        nowMs += 90_001;
      },
    ],
    ["closed", () => world.directory.change("a1", assetEntry("a1", "p1", "rotated"))],
  ])("the link of an asset goes down with the reason why its session ended: %s", async (end, leave) => {
    const client = await logIn({ keepalive: 60 });
    await sessionsAre(1);
    leave(client);
    await sessionsAre(0);
    await expectLinks(["a1 up", `a1 ${end}`]);
  });

  it("the link of an asset does not go down when the same client takes its session over", async () => {
    const first = await logIn();
    const second = await logIn();
    await first.closed();
    second.send(publishOf("a1", 1));
    await second.hear("puback");
    second.send({ cmd: "disconnect" });
    await sessionsAre(0);
    await expectLinks(["a1 up", "a1 disconnect"]);
  });

  it("the link of an asset is up while any of several clients of the asset is connected", async () => {
    const left = await logIn({ clientId: "left" });
    const right = await logIn({ clientId: "right" });
    await sessionsAre(2);
    left.send({ cmd: "disconnect" });
    await sessionsAre(1);
    await expectLinks(["a1 up"]);
    right.socket.resetAndDestroy();
    await sessionsAre(0);
    await expectLinks(["a1 up", "a1 cut"]);
  });

  it("the link of an asset is not said to be down by a broker that closes", async () => {
    await logIn();
    await sessionsAre(1);
    await world.broker.close();
    // What comes later is in the journal, so what came before would be too.
    links.opened(OTHER);
    links.closed(OTHER, "cut");
    await expectLinks(["a1 up", "a2 up", "a2 cut"]);
  });
});
