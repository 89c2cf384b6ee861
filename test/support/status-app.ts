import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { Registry } from "prom-client";
import { buildStatusApp } from "../../api/status-app.ts";
import { HttpIngest } from "../../ingest/http/http-ingest.ts";
import { createIntake } from "../../ingest/intake/intake.ts";
import { fixedDirectory, PEPPER } from "./fixed-directory.ts";
import { manualJournal } from "./manual-journal.ts";

/** Roles whose process serves no API. */
export const STATUS_ROLES = ["processing", "ingest"] as const;

/** What such a process serves, over an empty directory; with `ingest` also readings by HTTP. */
export interface StatusApp extends AsyncDisposable {
  readonly app: FastifyInstance;
}

export async function openStatusApp(role: (typeof STATUS_ROLES)[number]): Promise<StatusApp> {
  const log = pino({ level: "silent" });
  const parts = { health: () => [], damage: () => [], metrics: new Registry(), log };
  if (role === "processing") {
    const app = await buildStatusApp(parts);
    return { app, [Symbol.asyncDispose]: async () => await app.close() };
  }
  const directory = fixedDirectory([]);
  const journal = manualJournal();
  const settings = { retentionDays: 90, deviceReadingsPerS: 20, deviceBurstReadings: 5_000 };
  const intake = await createIntake({ journal, directory, pepper: PEPPER, settings });
  const ingest = new HttpIngest({
    intake,
    directory,
    verifySecret: () => false,
    pepper: new Uint8Array(32),
    log,
    onConnection: () => undefined,
    demandsCertificate: false,
    now: Date.now,
  });
  const app = await buildStatusApp({ ...parts, ingest });
  return {
    app,
    async [Symbol.asyncDispose]() {
      ingest.close();
      await app.close();
      intake.close();
    },
  };
}
