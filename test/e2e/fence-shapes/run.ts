import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServiceProcess } from "../../support/service-process.ts";
import { compareShapes } from "./compare-shapes.ts";
import { importFiles } from "./import-files.ts";

/**
 * `npm run test:shapes`: circles and corridors as fixes are evaluated by them, beside dense polygons and true
 * distances on the ellipsoid. Then the import of large files into the program as a process of its own.
 * `--points N` in all (40,000; the full size is 1,000,000), `--features N` of a file (500; full: 5,000),
 * `--seed N` (1). Exit code 1 when an expectation fails.
 */
const { values } = parseArgs({
  options: {
    points: { type: "string", default: "40000" },
    features: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const [points, features, seed] = [values.points, values.features, values.seed].map(Number);
if (!isCount(points) || !isCount(features) || !isCount(seed)) {
  console.error("--points, --features and --seed are whole numbers");
  process.exit(2);
}

const ADMIN_KEY = "fence-shapes-admin-key-of-the-environment";
const expectations: (readonly [name: string, isSo: boolean])[] = [
  ...compareShapes(points, seed, (line) => console.log(line)),
];
const dataDir = await mkdtemp(join(tmpdir(), "plumbline-shapes-"));
const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, startMs: 300_000 });
try {
  const given = { url: service.http, adminKey: ADMIN_KEY, features, seed };
  expectations.push(...(await importFiles(given, (line) => console.log(line))));
} finally {
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}
for (const [name, isSo] of expectations) console.log(`${isSo ? "ok  " : "FAIL"} ${name}`);
const passed = expectations.filter(([, isSo]) => isSo).length;
console.log(`\n${passed} passed, ${expectations.length - passed} failed`);
process.exit(passed === expectations.length ? 0 : 1);

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && (value ?? 0) > 0;
}
