import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MqttDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { createSite, type DeviceAccess } from "../../support/site.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";
import {
  ADMIN_KEY,
  type Cluster,
  letIn,
  openCluster,
  type RoleProcess,
  SERVERS,
} from "./cluster.ts";

const ASSETS = "/api/v1/equipment/assets";

const absence = SERVERS.absent === undefined ? "" : ` (skipped: ${SERVERS.absent})`;

describe.skipIf(SERVERS.absent !== undefined)(`PostgreSQL away from the roles${absence}`, () => {
  let proxy: TcpProxy;
  let cluster: Cluster;
  let ingest: RoleProcess;
  let api: RoleProcess;
  let digger: MqttDevice;
  let published = 52;

  beforeAll(async () => {
    cluster = await openCluster({
      through: async (url) => {
        const behind = new URL(url);
        proxy = await openTcpProxy(Number(behind.port));
        behind.port = String(proxy.port);
        return behind.href;
      },
    });
    [ingest, api] = await Promise.all([cluster.start("ingest"), cluster.start("api")]);
    const access = (await createSite(api.api, "yard", ["digger"])).get("digger") as DeviceAccess;
    digger = await letIn(ingest, access);
  });
  afterAll(async () => {
    await cluster?.close();
    await proxy?.close();
  });

  async function publish(): Promise<void> {
    published += 0.0001;
    const payload = { timestamp: Date.now(), latitude: published, longitude: 13.4 };
    await digger.publish({ payload: JSON.stringify(payload), qos: 1 });
  }

  const ask = (path: string): Promise<Response> =>
    fetch(`${api.service.http}${path}`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });

  async function shown(): Promise<number | undefined> {
    const answer = await ask(ASSETS);
    const { data } = (await answer.json()) as {
      data: readonly { readonly location: { readonly latitude: number } }[];
    };
    return data[0]?.location.latitude;
  }

  const isReady = async ({ service }: RoleProcess): Promise<boolean> =>
    (await fetch(`${service.http}/health/ready`)).ok;

  /** Remaining requests of two in a row; of one minute, so it asks again where one ended between. */
  async function remainingTwice(): Promise<readonly [number, number]> {
    for (;;) {
      const answers = [await ask(ASSETS), await ask(ASSETS)];
      const [first = 0, second = 0] = answers.map(({ headers }) =>
        Number(headers.get("x-ratelimit-remaining")),
      );
      const ends = new Set(answers.map(({ headers }) => headers.get("x-ratelimit-reset")));
      if (ends.size === 1) return [first, second];
    }
  }

  it.each([
    "cut",
    "hold",
  ] as const)("each role goes on without PostgreSQL (%s), and catches up when it is back", async (how) => {
    await publish();
    await until("the first position", async () => (await shown()) === published, PATIENT_MS);
    const before = published;

    proxy[how]();
    await publish();
    await until("both say that they are not ready", async () => !(await isReady(api)), PATIENT_MS);
    // The last known position, authenticated and counted by this process alone.
    expect(await shown()).toBe(before);
    const [first, second] = await remainingTwice();
    expect(second).toBe(first - 1);
    expect((await ask("/api/v1/projects/yard")).status).toBe(500);
    await publish();

    proxy.restore();
    await until(
      "both are ready",
      async () => (await isReady(api)) && (await isReady(ingest)),
      PATIENT_MS,
    );
    await until("the newest position", async () => (await shown()) === published, PATIENT_MS);
    expect((await ask("/api/v1/projects/yard")).status).toBe(200);
  });
});
