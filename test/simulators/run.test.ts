import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FLEET_FORMATS, listenerOf } from "../../simulators/fleet/formats/fleet-formats.ts";
import { FLEET_DEFAULTS, type FleetOptions } from "../../simulators/fleet/options.ts";
import type { FleetProgress } from "../../simulators/fleet/progress.ts";
import { runFleet } from "../../simulators/fleet/run.ts";
import { isInside } from "../../simulators/fleet/site/plane.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { slowness } from "../support/slowness.ts";
import { type FakeService, startFakeService } from "./fake-service.ts";

// Sockets and a real clock beside other work on two cores.

const KEY = "test-key";
let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService(KEY);
  folder = mkdtempSync(join(tmpdir(), "fleet-"));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const options = (changes: Partial<FleetOptions> = {}): FleetOptions => ({
  ...FLEET_DEFAULTS,
  url: service.url,
  mqttUrl: service.mqttUrl,
  key: KEY,
  assets: 5,
  ...changes,
});

interface Truth {
  readonly start_ms: number;
  readonly fences: { id: string; project_id: string; polygon: [number, number][] }[];
  readonly assets: {
    id: string;
    device: { format: string };
    readings: { made: number; acknowledged: number; dropped: number };
    messages: Record<string, number>;
    acknowledged_seqs: [number, number][];
    days: { day: string; working_s: number; engine_on_s: number }[];
    visits: { fence_id: string; entered_ms?: number; exited_ms?: number }[];
    deeds: { what: string; seqs: [number, number] }[];
    track: [number, number, number][];
  }[];
}
const readTruth = (): Truth => JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"));

/** Every seq that the broker saw, by client. */
function seenSeqs(): Map<string, number[]> {
  const seqs = new Map<string, number[]>();
  for (const { client, payload } of service.publishes) {
    const readings = [JSON.parse(payload)].flat();
    seqs.set(client, [...(seqs.get(client) ?? []), ...readings.map((reading) => reading.seq)]);
  }
  return seqs;
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + PATIENT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not within ${PATIENT_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("runFleet", () => {
  it("runFleet gets every reading of half an hour acknowledged once the fleet has flushed its backlogs", async () => {
    const summary = await runFleet(options({ hours: 0.5, backlog: true, seed: 3, out: folder }));

    const truth = readTruth();
    const seen = seenSeqs();
    expect(truth.assets).toHaveLength(5);
    for (const asset of truth.assets) {
      const { made, acknowledged, dropped } = asset.readings;
      expect(acknowledged).toBe(made);
      expect(dropped).toBe(0);
      expect(asset.acknowledged_seqs).toEqual([[0, made - 1]]);
      expect([...new Set(seen.get(asset.id))].sort((a, b) => a - b)).toEqual(
        Array.from({ length: made }, (_, i) => i),
      );
      // Without resends the broker sees exactly the messages that the truth counts.
      const messages = Object.values(asset.messages).reduce((sum, n) => sum + n, 0);
      expect(service.publishes.filter(({ client }) => client === asset.id)).toHaveLength(messages);
    }
    expect(summary.made).toBe(truth.assets.reduce((sum, { readings }) => sum + readings.made, 0));
    expect(summary.acknowledged).toBe(summary.made);
    expect(summary.made).toBeGreaterThan(8_000);
    expect(
      new Set(truth.assets.flatMap(({ deeds }) => deeds.map(({ what }) => what))).size,
    ).toBeGreaterThan(0);
    expect(existsSync(join(folder, ".tracks"))).toBe(false);
  });

  it("runFleet writes tracks on which the crossings of truth.json are found again, and fences as POST bodies", async () => {
    await runFleet(options({ hours: 0.5, backlog: true, clean: true, out: folder, assets: 7 }));

    const truth = readTruth();
    const bodies = JSON.parse(readFileSync(join(folder, "fences.json"), "utf8"));
    expect(bodies).toHaveLength(6);
    expect(bodies[0]).toEqual({
      id: "site-a-fence-1",
      name: expect.any(String),
      project_id: "site-a",
      polygon: truth.fences[0]?.polygon,
      alert_on: [expect.stringMatching(/^(enter|exit|both)$/)],
      valid_from: expect.any(String),
    });
    // A device's clock may be two minutes behind.
    const leadMs = truth.start_ms - Date.parse(bodies[0].valid_from);
    expect(leadMs).toBeGreaterThan(120_000);
    expect([...service.fences.values()]).toEqual(bodies);
    let checked = 0;
    for (const { track, visits } of truth.assets) {
      const at = (second: number) => {
        const row = track.findLast(([rowSecond]) => rowSecond <= second);
        return { eastM: row?.[2] ?? 0, northM: row?.[1] ?? 0 };
      };
      for (const { fence_id: id, entered_ms: enteredMs } of visits) {
        if (enteredMs === undefined) continue;
        const fence = truth.fences.find((one) => one.id === id);
        const ring = (fence?.polygon ?? []).map(([northM, eastM]) => ({ eastM, northM }));
        const second = (enteredMs - truth.start_ms) / 1_000;
        // The rows of the whole seconds before and after, with 0.1 s of rounding.
        const [before, after] = [at(Math.floor(second - 0.1)), at(Math.ceil(second + 0.1))];
        expect.soft([isInside(before, ring), isInside(after, ring)]).toEqual([false, true]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(10);
  });

  it("runFleet writes the same truth for the same seed and start, whatever the rate of the readings", async () => {
    const startMs = Date.UTC(2026, 2, 2, 6);
    const world = ({ fences, assets }: Truth) => ({
      fences,
      assets: assets.map(({ track, visits, days }) => ({ track, visits, days })),
    });
    await runFleet(options({ hours: 0.1, backlog: true, startMs, out: folder }));
    const first = readTruth();
    await runFleet(options({ hours: 0.1, backlog: true, startMs, out: folder, rate: 0.2 }));
    const second = readTruth();
    expect(world(second)).toEqual(world(first));
    expect(second.assets[0]?.readings.made).toBeLessThan(first.assets[0]?.readings.made ?? 0);
    await runFleet(options({ hours: 0.1, backlog: true, startMs, out: folder, seed: 2 }));
    expect(world(readTruth())).not.toEqual(world(first));
  });

  it("runFleet creates projects and assets once; a second run rotates the credentials it finds", async () => {
    const run = options({ hours: 0.01, backlog: true, projects: 2 });
    await runFleet(run);
    expect([...service.projects.keys()]).toEqual(["site-a", "site-a-2"]);
    expect([...service.assets.values()].map((asset) => asset["type"]).sort()).toEqual([
      "excavator",
      "excavator",
      "haul_truck",
      "haul_truck",
      "haul_truck",
    ]);
    const passwords = new Map(service.passwords);
    const before = service.publishes.length;

    await runFleet(run);

    expect(service.assets.size).toBe(5);
    expect(service.requests.filter((line) => line.endsWith("/credentials"))).toHaveLength(5);
    for (const [id, password] of passwords) expect(service.passwords.get(id)).not.toBe(password);
    expect(service.publishes.length).toBeGreaterThan(before);
  });

  it("runFleet creates its fences once; a later run with another seed moves them", async () => {
    const run = options({ hours: 0.01, backlog: true, assets: 1, fences: 2 });
    await runFleet(run);
    const before = new Map(service.fences);
    await runFleet({ ...run, seed: 2 });

    expect([...service.fences.keys()]).toEqual(["site-a-fence-1", "site-a-fence-2"]);
    for (const [id, fence] of before) {
      expect(service.fences.get(id)).toMatchObject({ valid_from: fence["valid_from"] });
      expect(service.fences.get(id)?.["polygon"]).not.toEqual(fence["polygon"]);
    }
  });

  it("runFleet publishes in the format that is asked for, on its topic, as its decoder is registered", async () => {
    const run = options({ hours: 0.01, backlog: true, assets: 1, clean: true });
    await runFleet(run);
    await runFleet({ ...run, format: "owntracks" });

    expect(service.assets.get("site-a-haul-truck-01")).toMatchObject({ decoder: "owntracks" });
    const [before, after] = [service.publishes.slice(0, 36), service.publishes.slice(36)];
    expect(new Set(before.map(({ topic }) => topic))).toEqual(
      new Set(["sites/site-a/assets/site-a-haul-truck-01/telemetry"]),
    );
    expect(new Set(after.map(({ topic }) => topic))).toEqual(
      new Set(["sites/site-a/assets/site-a-haul-truck-01/owntracks"]),
    );
    expect(after.map(({ payload }) => JSON.parse(payload)._type)).toEqual(
      Array(36).fill("location"),
    );
  });

  it("runFleet takes every format whose port is known in turn when they are to be mixed, and says which in the truth", async () => {
    const formats = FLEET_FORMATS.filter((format) => listenerOf(format) === undefined);
    const assets = formats.length + 1;
    await runFleet(options({ hours: 0.01, backlog: true, assets, format: "mixed", out: folder }));

    const names = formats.map(({ name }) => name);
    const spoken = [...names, names[0]];
    const edge = service.assets.get("site-a-edge-1");
    expect(edge).toMatchObject({ decoder: "sparkplug", hardware_id: "site-a/edge-1" });
    const machines = [...service.assets.values()].filter((asset) => asset !== edge);
    expect(machines.map((asset) => asset["decoder"]).sort()).toEqual([...spoken].sort());
    const own = service.publishes.filter(({ client }) => client !== "site-a-edge-1");
    expect(new Set(own.map(({ topic }) => topic.split("/").at(-1)))).toEqual(
      new Set(formats.map(({ topicFormat }) => topicFormat).filter((name) => name !== "sparkplug")),
    );
    const speaker = machines.find((asset) => asset["decoder"] === "sparkplug")?.["id"];
    const types = service.publishes.flatMap(({ client, topic }) =>
      client === "site-a-edge-1" ? topic.replace(`${speaker}`, "device") : [],
    );
    expect([...new Set(types)]).toEqual([
      "spBv1.0/site-a/NBIRTH/edge-1",
      "spBv1.0/site-a/DBIRTH/edge-1/device",
      "spBv1.0/site-a/DDATA/edge-1/device",
      "spBv1.0/site-a/NDEATH/edge-1",
    ]);
    const mappedTypes = machines.flatMap((asset) =>
      asset["decoder"] === "mapping" ? asset["type"] : [],
    );
    expect([...service.mappings.keys()]).toEqual(mappedTypes);
    const truth = readTruth();
    expect(truth.assets.map(({ device }) => device.format).sort()).toEqual([...spoken].sort());
    for (const { readings } of truth.assets) expect(readings.acknowledged).toBe(readings.made);
  });

  it("runFleet takes over the place, zone and shift of a project that is there", async () => {
    const there = {
      id: "site-a",
      name: "Quarry",
      location: { latitude: -33.5, longitude: 151 },
      time_zone: "Australia/Sydney",
      shift: { start: "06:00", end: "18:00" },
    };
    service.projects.set("site-a", there);
    // 19:30 UTC on the 1st is 06:30 on the 2nd in Sydney.
    const startMs = Date.UTC(2026, 2, 1, 19, 30);
    await runFleet(options({ hours: 0.05, backlog: true, startMs, out: folder }));

    const truth = readTruth();
    expect(truth.assets[0]?.track[0]?.[1]).toBeCloseTo(-33.5, 1);
    expect(truth.assets.flatMap(({ days }) => days.map(({ day }) => day))).toContain("2026-03-02");
  });

  it("runFleet resends what was in flight with DUP and the same packet id after the connection broke", async () => {
    service.hold = true;
    const running = runFleet(options({ hours: 0.02, backlog: true, assets: 1, clean: true }));
    await until(() => service.publishes.length >= 20, "20 messages in flight");
    const lost = service.publishes.map(({ packetId, payload }) => ({ packetId, payload }));
    expect(service.publishes.every(({ isDup }) => !isDup)).toBe(true);
    service.publishes.length = 0;
    service.hold = false;
    service.cutConnections();
    const summary = await running;

    const resent = service.publishes.filter(({ isDup }) => isDup);
    expect(summary.acknowledged).toBe(72);
    expect(resent.length).toBeGreaterThan(0);
    for (const { packetId, payload } of resent) expect(lost).toContainEqual({ packetId, payload });
    expect(new Set(seenSeqs().get("site-a-haul-truck-01")).size + lost.length - resent.length).toBe(
      72,
    );
  });

  it("runFleet loses nothing when the connection breaks again amid the resends", async () => {
    service.hold = true;
    const running = runFleet(options({ hours: 0.1, backlog: true, assets: 1, clean: true }));
    await until(() => service.publishes.length >= 32, "a full window in flight");
    service.publishes.length = 0;
    // Each resend waits for the acknowledgement before: 32 of them take 320 ms.
    service.ackAfterMs = 10;
    service.hold = false;
    service.cutConnections();
    await until(() => service.publishes.length >= 5, "some resends");
    service.cutConnections();
    service.ackAfterMs = 0;
    const summary = await running;

    expect(summary).toMatchObject({ made: 360, acknowledged: 360 });
  });

  it("runFleet runs at life's pace until the signal, sends readings at their time (median within 0.25 s), and keeps no tracks", async () => {
    const stop = new AbortController();
    const progress: FleetProgress[] = [];
    const late: number[] = [];
    const running = runFleet(
      options({ hours: Number.POSITIVE_INFINITY, rate: 4, clean: true, out: folder }),
      { signal: stop.signal, onProgress: (p) => progress.push(p) },
    );
    await until(() => {
      for (const { payload } of service.publishes.slice(late.length)) {
        late.push(Date.now() - new Date(JSON.parse(payload).timestamp).getTime());
      }
      return late.length >= 60;
    }, "60 readings at 20 a second");
    stop.abort();
    const summary = await running;

    // Also the readings of the second that the signal came into.
    expect(summary.acknowledged).toBe(summary.made);
    // Never early; late only as far as the machine is busy, hence the median.
    expect(Math.min(...late)).toBeGreaterThanOrEqual(-1);
    expect([...late].sort((a, b) => a - b)[Math.floor(late.length / 2)]).toBeLessThan(
      250 * slowness(),
    );
    expect(progress.at(-1)).toMatchObject({ assets: 5, connected: 5, inFlight: 0, queued: 0 });
    expect(readTruth().assets.map(({ track }) => track)).toEqual(Array(5).fill(undefined));
  });

  it("runFleet gives up unacknowledged readings 5 s after the signal and writes the truth", async () => {
    const stop = new AbortController();
    service.hold = true;
    const running = runFleet(options({ hours: 1, out: folder, assets: 2, clean: true }), {
      signal: stop.signal,
    });
    await until(() => service.publishes.length >= 4, "4 messages in flight");
    const abortedMs = Date.now();
    stop.abort();
    const summary = await running;
    const tookMs = Date.now() - abortedMs;

    expect(tookMs).toBeGreaterThan(4_500);
    expect(tookMs).toBeLessThan(9_000 * slowness());
    expect(summary.acknowledged).toBe(0);
    expect(summary.made).toBeGreaterThanOrEqual(4);
    expect(readTruth().assets.map(({ acknowledged_seqs: seqs }) => seqs)).toEqual([[], []]);
  });

  it("runFleet says what is wrong: a refused key, no server, an asset that cannot be had", async () => {
    await expect(runFleet(options({ key: "wrong" }))).rejects.toThrow(
      `the API key was refused by ${service.url} (401)`,
    );
    await expect(runFleet(options({ url: "http://127.0.0.1:1" }))).rejects.toThrow(
      "no answer from http://127.0.0.1:1",
    );
    service.projects.set("site-a", { id: "site-a" });
    await expect(runFleet(options())).rejects.toThrow(
      "the service refused project site-a: 200, an answer of an unknown form",
    );
  });
});
