import { describe, expect, it } from "vitest";
import {
  FIELD_RANGES,
  MAX_FIELDS,
  MAX_PAYLOAD_BYTES,
  MAX_READINGS,
} from "../../../../domain/equipment/reading.ts";
import { distanceM } from "../../../../domain/geodesy.ts";
import { type Deed, Device } from "../../../../simulators/fleet/device/device.ts";
import { type DeviceHabits, drawHabits } from "../../../../simulators/fleet/device/habits.ts";
import { type Message, packMessages } from "../../../../simulators/fleet/device/message.ts";
import { owntracks } from "../../../../simulators/fleet/formats/owntracks.ts";
import { plumbline } from "../../../../simulators/fleet/formats/plumbline.ts";
import { createRandom } from "../../../../simulators/randomness/random.ts";
import { buildWorld, live, START_MS } from "../../scene.ts";

const limits = { clean: false, reportsAccuracy: true, outliers: false, rate: 1 };
const plain = drawHabits(createRandom("plain"), { ...limits, clean: true });

interface Heard {
  readonly device: Device;
  readonly messages: readonly Message[];
  readonly deeds: readonly Deed[];
}

/** One truck's device at one reading a second for `seconds`, everything it sends in order. */
function listen(habits: Partial<DeviceHabits>, seconds: number, seed = "device"): Heard {
  const world = buildWorld(1, 1);
  const [asset] = world.assets;
  if (asset === undefined) throw new Error("no asset");
  const deeds: Deed[] = [];
  const messages: Message[] = [];
  const device = new Device({
    random: createRandom(seed),
    id: asset.plan.id,
    format: plumbline,
    habits: { ...plain, ...habits },
    site: asset.site,
    carriesPayload: true,
    startMs: START_MS,
    onDeed: (deed) => deeds.push(deed),
    keepSkipped: true,
  });
  live(world, seconds, (tick) => messages.push(...device.sample(tick, tick.fromMs)));
  messages.push(...device.finish(START_MS + seconds * 1_000));
  return { device, messages, deeds };
}

const readingsOf = (message: Message): Record<string, unknown>[] => {
  const value = JSON.parse(message.payload);
  return Array.isArray(value) ? value : [value];
};
const seqsOf = (messages: readonly Message[]) => messages.flatMap((message) => message.seqs);

describe("encoded readings", () => {
  it("encoded readings carry every field of the topic within the ranges of domain/reading, for a fleet of every kind", () => {
    const world = buildWorld(6, 10);
    const devices = world.assets.map(
      (asset, i) =>
        new Device({
          random: createRandom(`fleet-${i}`),
          id: asset.plan.id,
          format: plumbline,
          habits: drawHabits(createRandom(`habits-${i}`), { ...limits, outliers: true }),
          site: asset.site,
          carriesPayload: asset.plan.spec.carriesPayload,
          startMs: START_MS,
          onDeed: () => {},
          keepSkipped: false,
        }),
    );
    const seen = new Set<string>();
    const wrong: string[] = [];
    let count = 0;
    live(world, 1_800, (tick, _asset, index) => {
      for (const message of devices[index]?.sample(tick, tick.fromMs) ?? []) {
        for (const reading of readingsOf(message)) {
          count += 1;
          if (Object.keys(reading).length > MAX_FIELDS) wrong.push("too many fields");
          for (const [name, value] of Object.entries(reading)) {
            seen.add(name);
            const range = FIELD_RANGES[name];
            const number = Number(value);
            if (range && !(number >= range.min && number <= range.max)) {
              wrong.push(`${name} ${String(value)}`);
            }
          }
        }
      }
    });
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(10_000);
    expect([...seen].sort()).toEqual([
      ...["accuracy_meters", "altitude_meters", "battery_voltage", "coolant_temperature_c"],
      ...["engine_hours", "engine_on", "fault_codes", "fuel_level_percent", "heading", "latitude"],
      ...["load_percent", "longitude", "oil_pressure_kpa", "payload_kg", "seq", "speed_kmh"],
      "timestamp",
    ]);
  });

  it("encoded readings give the true place to 2 cm and the true time when the device is clean", () => {
    const world = buildWorld(1, 1);
    const [asset] = world.assets;
    const { messages } = listen({ timeFormat: "iso" }, 900);
    const heard = messages.flatMap(readingsOf);
    let worstM = 0;
    live(world, 900, (tick) => {
      const reading = heard[(tick.fromMs - START_MS) / 1_000];
      expect(reading?.["timestamp"]).toBe(new Date(tick.fromMs).toISOString());
      const truth = asset?.site.frame.toLocation(tick.motionAt(tick.fromMs).point);
      const sent = {
        latitude: Number(reading?.["latitude"]),
        longitude: Number(reading?.["longitude"]),
      };
      if (truth !== undefined) worstM = Math.max(worstM, distanceM(sent, truth));
    });
    expect(heard).toHaveLength(900);
    expect(worstM).toBeLessThan(0.02);
    expect(worstM).toBeGreaterThan(0);
  });

  it("encoded readings carry a clock 90 s ahead when that is the device's habit", () => {
    const { messages } = listen({ clockSkewMs: 90_000, timeFormat: "epoch_ms" }, 3);
    const times = messages.flatMap(readingsOf).map((reading) => reading["timestamp"]);
    expect(times).toEqual([START_MS + 90_000, START_MS + 91_000, START_MS + 92_000]);
  });

  it("encoded readings state the 68 % radius, a third of it, or nothing", () => {
    const accuracy = (habit: DeviceHabits["accuracy"]) =>
      listen({ sigmaM: 2, accuracy: habit }, 1).messages.flatMap(readingsOf)[0]?.[
        "accuracy_meters"
      ];
    expect(accuracy("right")).toBe(3);
    expect(accuracy("optimistic")).toBe(1);
    expect(accuracy("missing")).toBeUndefined();
  });
});

describe("a device without network", () => {
  const outage = { outageEveryS: 400, flushBatch: 100 } as const;

  it("a device without network loses nothing: every seq is sent once, whatever the order of the flush", () => {
    for (const flushOrder of ["oldest_first", "newest_first", "shuffled"] as const) {
      const { messages, device } = listen({ ...outage, flushOrder }, 3_600);
      const seqs = seqsOf(messages);
      expect(device.madeCount).toBe(3_600);
      expect([...seqs].sort((a, b) => a - b)).toEqual(Array.from({ length: 3_600 }, (_, i) => i));
      expect(seqs).not.toEqual([...seqs].sort((a, b) => a - b).reverse());
    }
  });

  it("a device without network sends its backlog newest first, in arrays of at most 100, before the next live reading", () => {
    const { messages, deeds } = listen({ ...outage, flushOrder: "newest_first" }, 3_600);
    const first = deeds.find((deed) => deed.what === "outage");
    if (first === undefined) throw new Error("no outage within the hour");
    const from = messages.findIndex((message) => message.treatment === "backlog");
    const after = messages.findIndex((message, i) => i > from && message.treatment === "live");
    const flush = messages.slice(from, after);
    const expected = Array.from(
      { length: first.toSeq - first.fromSeq + 1 },
      (_, i) => first.toSeq - i,
    );
    expect(expected.length).toBeGreaterThan(25);
    expect(seqsOf(flush)).toEqual(expected);
    expect(flush.map((message) => readingsOf(message).map((reading) => reading["seq"]))).toEqual(
      flush.map((message) => message.seqs),
    );
    expect(Math.max(...flush.map((message) => message.seqs.length))).toBeLessThanOrEqual(100);
    expect(messages[after]?.seqs).toEqual([first.toSeq + 1]);
    expect(seqsOf(messages.slice(0, from))).toEqual(
      Array.from({ length: first.fromSeq }, (_, i) => i),
    );
  });

  it("a device without network sends at the end what it stored in an outage that is not over", () => {
    const { deeds } = listen({ ...outage, flushOrder: "oldest_first" }, 3_600);
    const first = deeds.find((deed) => deed.what === "outage");
    if (first === undefined) throw new Error("no outage within the hour");
    const middle = Math.floor((first.fromSeq + first.toSeq) / 2);

    const cut = listen({ ...outage, flushOrder: "oldest_first" }, middle + 1);

    expect(cut.messages.at(-1)?.treatment).toBe("backlog");
    expect(seqsOf(cut.messages)).toEqual(Array.from({ length: middle + 1 }, (_, i) => i));
    expect(cut.device.isOffline).toBe(false);
  });

  it("a device without network says that it is offline from the first stored reading to the flush", () => {
    const world = buildWorld(1, 1);
    const { device: template, deeds } = listen({ ...outage, flushOrder: "oldest_first" }, 3_600);
    expect(template.isOffline).toBe(false);
    const [asset] = world.assets;
    if (asset === undefined) throw new Error("no asset");
    const device = new Device({
      random: createRandom("device"),
      id: asset.plan.id,
      format: plumbline,
      habits: { ...plain, ...outage, flushOrder: "oldest_first" },
      site: asset.site,
      carriesPayload: true,
      startMs: START_MS,
      onDeed: () => {},
      keepSkipped: true,
    });
    const offline: number[] = [];
    live(world, 3_600, (tick) => {
      device.sample(tick, tick.fromMs);
      if (device.isOffline) offline.push(device.madeCount - 1);
    });
    const stored = deeds
      .filter((deed) => deed.what === "outage")
      .flatMap(({ fromSeq, toSeq }) =>
        Array.from({ length: toSeq - fromSeq + 1 }, (_, i) => fromSeq + i),
      );
    expect(offline).toEqual(stored);
  });
});

describe("a device without satellites", () => {
  it("a device without satellites stays silent and leaves no seq out, or reports its engine without a position", () => {
    const noFix = { noFixEveryS: 300 } as const;
    const silent = listen({ ...noFix, noFixStyle: "silent" }, 3_600);
    const without = listen({ ...noFix, noFixStyle: "without_position" }, 3_600);

    const skipped = silent.device.skipped.reduce((sum, { count }) => sum + count, 0);
    expect(skipped).toBeGreaterThan(30);
    expect(silent.device.madeCount).toBe(3_600 - skipped);
    // The formula of the truth: the n-th reading was taken after everything skipped before it.
    const late = silent.messages.flatMap(readingsOf).filter((reading) => {
      const seq = Number(reading["seq"]);
      const before = silent.device.skipped
        .filter(({ beforeSeq }) => beforeSeq <= seq)
        .reduce((sum, { count }) => sum + count, 0);
      return (
        new Date(String(reading["timestamp"])).getTime() !== START_MS + (seq + before) * 1_000 &&
        Number(reading["timestamp"]) !== START_MS + (seq + before) * 1_000
      );
    });
    expect(late).toEqual([]);

    const blind = without.messages.flatMap(readingsOf).filter((r) => r["latitude"] === undefined);
    expect(without.device.madeCount).toBe(3_600);
    expect(blind).toHaveLength(skipped);
    // The truth names exactly the readings without a position, also when the run ends among them.
    const lastBlind = Number(blind.at(-1)?.["seq"]);
    const cut = listen({ ...noFix, noFixStyle: "without_position" }, lastBlind);
    const named = cut.deeds.flatMap(({ fromSeq, toSeq }) =>
      Array.from({ length: toSeq - fromSeq + 1 }, (_, i) => fromSeq + i),
    );
    expect(named).toEqual(
      blind.map((reading) => reading["seq"]).filter((seq) => seq !== lastBlind),
    );
    expect(blind.every((reading) => typeof reading["engine_on"] === "boolean")).toBe(true);
  });
});

describe("a careless device", () => {
  it("a careless device sends about 1 % of its messages twice, with the same payload, and says so", () => {
    const { messages, deeds } = listen({ duplicateShare: 0.01 }, 7_200);
    const repeats = messages.filter((message) => message.treatment === "duplicate");
    expect(repeats.length).toBeGreaterThan(40);
    expect(repeats.length).toBeLessThan(110);
    expect(deeds.map((deed) => deed.fromSeq)).toEqual(seqsOf(repeats));
    const originals = new Map(
      messages.filter((m) => m.treatment === "live").map((m) => [m.seqs[0], m.payload]),
    );
    expect(repeats.every((message) => originals.get(message.seqs[0]) === message.payload)).toBe(
      true,
    );
  });

  it("a careless device mixes the readings of an array without losing one", () => {
    const { messages } = listen({ liveBatch: 10, shuffleBatch: true }, 95);
    expect(messages.map((message) => message.seqs.length)).toEqual([...Array(9).fill(10), 5]);
    for (const [i, message] of messages.entries()) {
      const sorted = [...message.seqs].sort((a, b) => a - b);
      expect(sorted[0]).toBe(i * 10);
      expect(sorted.at(-1)).toBe(i * 10 + sorted.length - 1);
    }
    expect(seqsOf(messages)).not.toEqual([...seqsOf(messages)].sort((a, b) => a - b));
  });

  it("a careless device reports (0, 0) or a place more than 4 km away only when outliers are asked for", () => {
    const far = (outlierShare: number) => {
      const { messages, deeds } = listen({ outlierShare }, 3_600);
      const center = { latitude: 52, longitude: 10 };
      const places = messages.flatMap(readingsOf).map((reading) => ({
        latitude: Number(reading["latitude"]),
        longitude: Number(reading["longitude"]),
      }));
      return {
        far: places.filter((p) => distanceM(p, center) > 4_000).length,
        deeds: deeds.length,
      };
    };
    expect(far(0)).toEqual({ far: 0, deeds: 0 });
    const enabled = far(0.01);
    expect(enabled.far).toBeGreaterThan(15);
    expect(enabled.deeds).toBe(enabled.far);
  });
});

describe("packMessages", () => {
  const reading = (seq: number, chars: number) => ({
    seq,
    text: JSON.stringify("x".repeat(chars - 2)),
  });

  it("packMessages keeps to 1,000 readings and 256 KiB of one message, in the given order", () => {
    const small = Array.from({ length: 2_500 }, (_, i) => reading(i, 20));
    const lengths = packMessages(plumbline, small, 5_000, "backlog").map((m) => m.seqs.length);
    expect(lengths).toEqual([MAX_READINGS, MAX_READINGS, 500]);
    const large = Array.from({ length: 1_000 }, (_, i) => reading(i, 400));
    const packed = packMessages(plumbline, large, 1_000, "backlog");
    const sizes = packed.map((message) => Buffer.byteLength(message.payload));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_PAYLOAD_BYTES - 1_500);
    expect(packed.flatMap((message) => message.seqs)).toEqual(large.map(({ seq }) => seq));
    expect(packMessages(plumbline, [], 10, "backlog")).toEqual([]);
  });

  it("packMessages sends readings one by one in a format that knows no lists", () => {
    const two = [reading(0, 20), reading(1, 20)];
    const messages = packMessages(owntracks, two, 1_000, "backlog");
    expect(messages).toEqual(
      two.map(({ seq, text }) => ({
        treatment: "backlog",
        seqs: [seq],
        topicFormat: "owntracks",
        payload: text,
      })),
    );
  });
});

describe("drawHabits", () => {
  it("drawHabits shows every habit among 60 devices, and none of the faults when clean", () => {
    const draw = (clean: boolean) =>
      Array.from({ length: 60 }, (_, i) =>
        drawHabits(createRandom(`asset-${i}`), { ...limits, clean }),
      );
    const habits = draw(false);
    const values = (pick: (one: DeviceHabits) => unknown) => new Set(habits.map(pick));
    expect(values((one) => one.accuracy)).toEqual(new Set(["right", "missing", "optimistic"]));
    expect(values((one) => one.flushOrder).size).toBe(3);
    expect(values((one) => one.clockSkewMs !== 0).size).toBe(2);
    expect(values((one) => one.duplicateShare).size).toBe(2);
    expect(values((one) => one.liveBatch > 1).size).toBe(2);
    expect(values((one) => one.outlierShare)).toEqual(new Set([0]));
    const faults = draw(true).map((one) => [
      one.sigmaM,
      one.clockSkewMs,
      one.noFixEveryS,
      one.outageEveryS,
      one.duplicateShare,
      one.liveBatch,
    ]);
    expect(new Set(faults.map(String))).toEqual(new Set(["0,0,0,0,0,1"]));
  });

  it("drawHabits shares messages among readings above 10 readings a second", () => {
    const habits = drawHabits(createRandom("a"), { ...limits, clean: true, rate: 50 });
    expect(habits.liveBatch).toBe(5);
  });
});
