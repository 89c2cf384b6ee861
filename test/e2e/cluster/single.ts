import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient } from "../../support/api-client.ts";
import { createPostgresDatabase } from "../../support/databases.ts";
import { startMosquitto } from "../../support/mosquitto.ts";
import {
  runServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from "../../support/service-process.ts";
import type { Check, Expectation } from "../kafka/check.ts";
import { expectTruth, noneGaveUp } from "../kafka/truth.ts";
import { Fleet, machinesOf } from "./fleet.ts";
import { provision } from "./provision.ts";

const PROJECTS = 4;
const ADMIN_KEY = `cluster-test-${"k".repeat(32)}`;
const PAUSE_MS = 200;
/** Messages of each machine between one step and the next. */
const BETWEEN = 15;

/** One process with a journal of its own reads from Mosquitto, and is killed while it has read more than it acknowledged. */
export const single: Check = {
  name: "single",
  purpose: "one process on an external broker is killed and comes back",
  async run({ machines: count, print }) {
    const startMs = Date.now() - 20 * 3_600_000;
    const machines = machinesOf(count, PROJECTS);
    const [database, mosquitto, dataDir, otherDir] = await Promise.all([
      createPostgresDatabase(),
      startMosquitto(),
      mkdtemp(join(tmpdir(), "plumbline-single-")),
      mkdtemp(join(tmpdir(), "plumbline-second-")),
    ]);
    const options: ServiceProcessOptions = {
      dataDir,
      adminKey: ADMIN_KEY,
      environment: {
        DATABASE_URL: database.url,
        MQTT_URL: mosquitto.url,
        SECRET_KEY: "the same secret key in every process of it",
      },
    };
    let service: ServiceProcess | undefined;
    try {
      service = await startServiceProcess(options);
      await provision(createApiClient(service.http, ADMIN_KEY), machines, startMs);
      const second = await runServiceProcess({ ...options, dataDir: otherDir });
      const fleet = new Fleet(machines, startMs, mosquitto.port, PAUSE_MS);
      await fleet.start();
      await fleet.goesOn(BETWEEN * count);
      process.kill(service.pid, "SIGSTOP");
      await fleet.goesOn(BETWEEN * count);
      await service.end("SIGKILL");
      await fleet.goesOn(BETWEEN * count);
      service = await startServiceProcess(options);
      await fleet.goesOn(BETWEEN * count);
      await fleet.stop();
      const api = { api: createApiClient(service.http, ADMIN_KEY) };
      const isRefused = second.output.join("\n").includes("several need KAFKA_BROKERS");
      return [
        ["a second process with a journal of its own is refused", isRefused] satisfies Expectation,
        ...(await expectTruth({ api, postgres: database, startMs }, fleet, print)),
        noneGaveUp(service),
      ];
    } finally {
      await service?.end("SIGKILL");
      await mosquitto.close();
      await database.drop();
      for (const dir of [dataDir, otherDir]) await rm(dir, { recursive: true, force: true });
    }
  },
};
