import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServiceProcess } from "../../support/service-process.ts";
import { runRest } from "./rest-trial.ts";
import { makeTenants } from "./sites.ts";

/**
 * `npm run test:rest`: requests that are generated from `openapi.json`, right ones, almost right ones and hostile
 * ones, by two customers, an administrator and strangers, against the program as a process of its own. Nothing
 * is answered with 500, every answer is one that the description has, and no customer reads of the other's
 * things. `--count N` requests (100,000), `--seed N` (1), `--only a,b` operations of these ids, `--verbose` a table of answers. The same seed
 * makes the same requests but for the ids of what exists. Exit code 1 when an expectation fails.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const count = Number(values.count);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error("--count and --seed are whole numbers");
  process.exit(2);
}

const ADMIN_KEY = "generated-requests-admin-key-of-the-environment";
const dataDir = await mkdtemp(join(tmpdir(), "plumbline-rest-"));
const service = await startServiceProcess({
  dataDir,
  adminKey: ADMIN_KEY,
  startMs: 300_000,
});
let failed = 0;
let passed = 0;
try {
  const sites = await makeTenants(service, ADMIN_KEY);
  const outcome = await runRest({
    ...sites,
    base: new URL(service.http),
    adminKey: ADMIN_KEY,
    count,
    seed,
    only: values.only?.split(","),
    isVerbose: values.verbose,
    say: (line) => console.log(line),
  });
  for (const { text, requestId } of outcome.findings) {
    console.log(text);
    const cause = service.output.find(
      (line) => requestId !== "" && line.includes(`"${requestId}"`),
    );
    if (cause !== undefined) console.log(`  log: ${cause.slice(0, 1_500)}`);
  }
  const expectations = [
    ...outcome.expectations,
    ["the process that answered all of them still runs", !service.isGone] as const,
  ];
  for (const [name, isSo] of expectations) {
    console.log(`${isSo ? "ok  " : "FAIL"} ${name}`);
    if (isSo) passed += 1;
    else failed += 1;
  }
} finally {
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
