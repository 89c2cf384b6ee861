import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient } from "../../support/api-client.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { caughtUp, createSite, storedNumbers } from "../../support/site.ts";
import type { CrashTarget } from "./target.ts";

const ADMIN_KEY = "crash-test-admin-key-of-forty-characters";
const PROJECT = "crash-site";

/** The real program on embedded stores, killed as a process. */
export async function createPlumblineTarget(): Promise<CrashTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-crash-"));
  let service: ServiceProcess | undefined;
  const api = () => createApiClient(service?.http ?? "", ADMIN_KEY);

  return {
    name: "plumbline",
    async start() {
      service = await startServiceProcess({
        dataDir,
        adminKey: ADMIN_KEY,
        // The test sends faster than any device may: its subject is loss, not the rate limit.
        environment: { DEVICE_READINGS_PER_S: "1000000" },
      });
      return { mqttPort: service.mqttPort };
    },
    async register(ids) {
      return createSite(api(), PROJECT, ids);
    },
    async kill() {
      await service?.end("SIGKILL");
    },
    async stored(ids) {
      await caughtUp(api());
      const stored = new Map<string, readonly number[]>();
      for (const id of ids) stored.set(id, await storedNumbers(api(), id));
      return stored;
    },
    async dispose({ keepData }) {
      await service?.end("SIGTERM");
      if (keepData) console.log(`data kept in ${dataDir}`);
      else await rm(dataDir, { recursive: true, force: true });
    },
  };
}
