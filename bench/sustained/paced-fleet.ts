import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "../../test/support/api-client.ts";
import { PacedPublisher } from "./paced-publisher.ts";

/** Records, ticks among them, at which a reader of the journal counts as level. */
const LEVEL = 200;
/** Longest wait for it, ms. */
const DRAIN_MS = 60_000;
const LAG = /^plumbline_journal_lag_records\{reader="\w+"\} (\d+)$/gm;

/** Machines of a new project of an own service; each is connected and offers its share of a rate. */
export class PacedFleet {
  readonly #api: ApiClient;
  readonly #publishers: readonly PacedPublisher[];

  private constructor(api: ApiClient, publishers: readonly PacedPublisher[]) {
    this.#api = api;
    this.#publishers = publishers;
  }

  static async connect(api: ApiClient, mqttPort: number, machines: number): Promise<PacedFleet> {
    const location = { latitude: 52.5, longitude: 13.4 };
    await api.post("/projects", { id: "bench", name: "Bench", location });
    const publishers: PacedPublisher[] = [];
    for (let i = 0; i < machines; i += 1) {
      const id = `bench-${i}`;
      const asset = { id, name: id, type: "haul_truck", project_id: "bench" };
      const { mqtt } = await api.post<{ mqtt: { password: string; topic: string } }>(
        "/equipment/assets",
        asset,
      );
      publishers.push(new PacedPublisher({ ...mqtt, id, port: mqttPort }));
    }
    await Promise.all(publishers.map((one) => one.connect()));
    return new PacedFleet(api, publishers);
  }

  get acknowledged(): number {
    return this.#publishers.reduce((sum, one) => sum + one.acknowledged, 0);
  }

  /** Offers `ratePerS` for `ms`; resolves when all is acknowledged and both readers of the journal have it. */
  async offer(ratePerS: number, ms: number): Promise<void> {
    for (const one of this.#publishers) one.start(ratePerS / this.#publishers.length);
    await delay(ms);
    for (const one of this.#publishers) one.stop();
    const beganMs = performance.now();
    while (performance.now() - beganMs < DRAIN_MS) {
      const lags = [...(await this.#api.text("/metrics")).matchAll(LAG)];
      const isLevel = lags.length > 0 && lags.every(([, records]) => Number(records) <= LEVEL);
      if (isLevel && this.#publishers.every(({ inFlight }) => inFlight === 0)) return;
      await delay(50);
    }
    throw new Error("a backlog is left");
  }

  close(): void {
    for (const one of this.#publishers) one.close();
  }
}
