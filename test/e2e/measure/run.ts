import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createClient } from "../../support/answer-client.ts";
import { freshDataDir } from "../../support/databases.ts";
import { openImageServer } from "../../support/image-server.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { contractAnswer } from "./contract-answer.ts";
import { hangUp, stopAndStart } from "./interruptions.ts";
import { fortyOne, tenAtOnce } from "./many.ts";
import { quickRefusals } from "./quick-refusals.ts";
import type { Check, Stage } from "./stage.ts";
import { createYard } from "./yard.ts";

/**
 * `npm run test:measure`: stockpiles measured over HTTP by the real service as a process of its own, from
 * simulated images that a web server beside it serves. `--only refusals,contract`. Exit code 1 when a check
 * fails.
 */
const { values } = parseArgs({ options: { only: { type: "string" } } });
const ADMIN_KEY = "measure-e2e-admin-key-0123456789abcdef";

/** In this order: the last one ends the process and starts another. */
const PARTS: Readonly<Record<string, (stage: Stage, check: Check) => Promise<void>>> = {
  refusals: quickRefusals,
  contract: contractAnswer,
  "hang-up": hangUp,
  "ten-at-once": tenAtOnce,
  "forty-one": fortyOne,
  stop: stopAndStart,
};
const only = values.only?.split(",") ?? Object.keys(PARTS);
const unknown = only.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  console.error(
    `there is no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`,
  );
  process.exit(2);
}

let passed = 0;
let failed = 0;
const check: Check = (name, isSo, detail = "") => {
  if (isSo) passed += 1;
  else failed += 1;
  console.log(`${isSo ? "ok  " : "FAIL"} ${name}${detail === "" ? "" : ` (${detail})`}`);
};

const dataDir = await freshDataDir();
const images = await openImageServer();
const startOn = (folder: string) =>
  startServiceProcess({
    dataDir: folder,
    adminKey: ADMIN_KEY,
    // One address of this machine, and no other: the rest of it stays private.
    environment: { IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.1/32", WORKERS: "2" },
  });
// Rendered while the service starts and refuses; read from disk where an earlier run made them.
const sets = {
  small: surveySet(TINY_SURVEY),
  large: surveySet({ gps: "rtk" }),
  fortyOne: surveySet({ ...TINY_SURVEY, images: 41, altitudeM: 38 }),
};
const service = await startOn(dataDir);
const stage: Stage = {
  images,
  sets,
  adminKey: ADMIN_KEY,
  service,
  client: createClient(service.http, ADMIN_KEY),
  restart: () => startOn(dataDir),
  startFresh: startOn,
};
try {
  await createYard(stage.client);
  for (const name of Object.keys(PARTS).filter((part) => only.includes(part))) {
    console.log(`\n${name}`);
    const sinceMs = performance.now();
    await PARTS[name]?.(stage, check).catch((error: unknown) => {
      console.error(error);
      check(`${name} runs to its end`, false);
    });
    console.log(`  ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`);
  }
} finally {
  await stage.service.end("SIGTERM");
  await images[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
