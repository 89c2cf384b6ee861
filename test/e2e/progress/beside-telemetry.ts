import { setTimeout as sleep } from "node:timers/promises";
import { createApiClient } from "../../support/api-client.ts";
import { type MqttDevice, openDevice } from "../../support/mqtt-device.ts";
import { createAsset } from "../../support/site.ts";
import { slowness } from "../../support/slowness.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, quantile, seconds } from "./check.ts";
import { createFlightProject } from "./flight-scene.ts";
import {
  ADMIN_KEY,
  captureUntil,
  openSiteService,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

/** Issue: messages a second, how much later their p99 may be, and time for 36 images. */
const RATE = 1_000;
const MOST_RATIO = 1.5;
const CAPTURE_MS = 90_000;
/**
 * So much does not matter, ms: an alarm may take 150 (issue 3). On two busy cores every step from PUBLISH
 * to PUBACK waits up to 4 ms for its turn, in this process as in the service. So 5 ms idle are 10 to
 * 27 beside a capture, whatever the threads' priorities. A loop that is held is well above.
 */
const NEAR_MS = 100;
const DEVICES = 20;
const TICK_MS = 5;
const BEFORE_S = 10;

/** A flight is worked on while a fleet reports (issue, Must show 5). */
export const besideTelemetry: Check = {
  name: "beside-telemetry",
  about: "a drone capture beside 1,000 messages a second",
  async run({ images, expect, print }) {
    const full = images >= 36;
    const set = await surveySet(full ? { images, gps: "rtk" } : { ...TINY_SURVEY, images });
    await using site = await openSiteService();
    await createFlightProject(site.client, set, "flight");
    const fleet = await startFleet(site);
    try {
      await fleet.until(BEFORE_S);
      // The first seconds warm the compiler up.
      fleet.take();
      await fleet.until(BEFORE_S);
      const before = fleet.take();
      const sinceMs = performance.now();
      const capture = await captureUntil(
        site.client,
        await sendCapture(site.client, {
          project_id: "flight",
          capture_type: "drone",
          images: site.images.show(set),
          flight_metadata: { rtk: true },
        }),
      );
      const tookMs = performance.now() - sinceMs;
      const beside = fleet.take();
      const [idleMs, busyMs] = [quantile(before, 0.99), quantile(beside, 0.99)];
      expect(
        `${images} images are worked through within ${CAPTURE_MS / 1_000} s`,
        capture.status === "completed" && tookMs <= CAPTURE_MS * slowness(),
        `${capture.status} ${capture.error?.message ?? ""} ${seconds(tookMs)}`,
      );
      print(
        `PUBACK p50 ${quantile(before, 0.5).toFixed(1)} then ${quantile(beside, 0.5).toFixed(1)} ms, ` +
          `of ${before.length} and ${beside.length} messages`,
      );
      expect(
        `the fleet's p99 is at most ${MOST_RATIO} times what it was, or ${NEAR_MS} ms`,
        busyMs <= MOST_RATIO * idleMs || busyMs <= NEAR_MS * slowness(),
        `${idleMs.toFixed(1)} ms, then ${busyMs.toFixed(1)} ms, ratio ${(busyMs / idleMs).toFixed(2)}`,
      );
      const perS = beside.length / (tookMs / 1_000);
      expect(
        `all of ${RATE} messages a second were acknowledged`,
        perS >= 0.97 * RATE,
        `${perS.toFixed(0)} a second`,
      );
    } finally {
      await fleet.stop();
    }
    return undefined;
  },
};

/** Machines that publish at a fixed rate, whether or not acknowledgements are there. */
interface Fleet {
  until(seconds: number): Promise<void>;
  /** Times from PUBLISH to PUBACK since the last call, ms. */
  take(): readonly number[];
  stop(): Promise<void>;
}

async function startFleet(site: SiteService): Promise<Fleet> {
  const api = createApiClient(site.client.url, ADMIN_KEY);
  const devices: MqttDevice[] = [];
  for (let i = 0; i < DEVICES; i += 1) {
    const access = await createAsset(api, "flight", `machine-${i}`);
    devices.push(await openDevice({ access, port: site.service.mqttPort }));
  }
  let waits: number[] = [];
  let sent = 0;
  let isOver = false;
  const startMs = performance.now();
  const pending = new Set<Promise<void>>();
  const publishing = (async () => {
    while (!isOver) {
      const dueByNow = ((performance.now() - startMs) / 1_000) * RATE;
      for (; sent < dueByNow; sent += 1) {
        // Not from when it was due: a late sender is this process's, and sends wait for no answer.
        const sentMs = performance.now();
        const device = devices[sent % DEVICES];
        const turn = sent / 500;
        const payload = JSON.stringify({
          latitude: 52.5 + Math.sin(turn) / 500,
          longitude: 13.4 + Math.cos(turn) / 300,
          speed_kmh: 7,
          seq: sent,
        });
        const published = (device?.publish({ payload, qos: 1 }) ?? Promise.resolve()).then(() => {
          waits.push(performance.now() - sentMs);
          pending.delete(published);
        });
        pending.add(published);
      }
      await sleep(TICK_MS);
    }
    await Promise.all(pending);
  })();
  return {
    until: (s) => sleep(s * 1_000),
    take() {
      const taken = waits;
      waits = [];
      return taken;
    },
    async stop() {
      isOver = true;
      await publishing;
      for (const device of devices) await device.disconnect();
    },
  };
}
