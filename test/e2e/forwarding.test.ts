import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { numbersOf, upTo } from "../support/forward-site.ts";
import { type HttpReceiver, openHttpReceiver } from "../support/http-receiver.ts";
import { openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createSite, type DeviceAccess } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "forwarding-test-admin-key-of-forty-letters";

let dataDir: string;
let receiver: HttpReceiver;
let service: ServiceProcess;
let api: ApiClient;

async function start(): Promise<void> {
  service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: { OUTBOUND_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  api = createApiClient(service.http, ADMIN_KEY);
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-forwarding-"));
  receiver = await openHttpReceiver();
  await start();
});

afterEach(async () => {
  await service.end("SIGKILL");
  await receiver[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function publish(access: DeviceAccess, numbers: readonly number[]): Promise<void> {
  const device = await openDevice({ access, port: service.mqttPort });
  const firstMs = Date.now() - 3_600_000;
  for (const n of numbers) {
    const place = { latitude: 52.5, longitude: 13.4, odometer_km: n };
    await device.publish({ payload: JSON.stringify({ timestamp: firstMs + n * 1_000, ...place }) });
  }
  device.cut();
}

it("forwarding passes on every acknowledged reading through a kill, in order, and repeats the last ones only", async () => {
  const access = (await createSite(api, "p1", ["a1"])).get("a1");
  if (access === undefined) throw new Error("no access");
  const { id } = await api.post<{ id: string }>("/forwarders", {
    kind: "traccar_http",
    url: receiver.url,
    project_ids: ["p1"],
  });
  await publish(access, upTo(100));
  await until("some", () => Math.max(0, ...numbersOf(receiver.received)) >= 40, PATIENT_MS);
  await service.end("SIGKILL");
  await start();
  await publish(access, upTo(100, 101));
  await until(
    "all",
    async () => {
      type View = { readonly progress: readonly { sent: number; lag_records: number }[] };
      const { progress } = await api.get<View>(`/forwarders/${id}`);
      return progress[0]?.sent === 200;
    },
    PATIENT_MS,
  );
  const numbers = numbersOf(receiver.received);
  expect([...new Set(numbers)]).toEqual(upTo(200));
  // Where it goes back it begins anew behind what was stored.
  const backs = numbers.filter((n, i) => n <= (numbers[i - 1] ?? 0)).length;
  expect(backs).toBeLessThanOrEqual(1);
});
