import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundleBuilt, KEEPS } from "./bundle.mjs";

/**
 * A part of `npm run build`: puts the programs into `dist/program` as bundles, and starts the service once, on an empty
 * folder and this machine only, for what V8 makes of its code (`load-code.cjs`). Where it cannot start, as without a
 * network, the build is whole, and each start compiles.
 */
const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const PROGRAM = join(DIST, "program");
/** A start takes a hundredth of it. One that hangs must not keep the build. */
const LONGEST_START_MS = 300_000;

await bundleBuilt();
const keeps = join(PROGRAM, KEEPS);
await writeFile(keeps, "");
const data = await mkdtemp(join(tmpdir(), "plumbline-build-"));
try {
  const service = spawn(process.execPath, [join(DIST, "main.js")], {
    env: {
      DATA_DIR: data,
      ...{ HTTP_HOST: "127.0.0.1", HTTP_PORT: "0", MQTT_HOST: "127.0.0.1", MQTT_PORT: "0" },
    },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: LONGEST_START_MS,
  });
  const ended = once(service, "exit");
  for await (const line of createInterface({ input: service.stdout })) {
    if (line.includes("plumbline is ready")) service.kill("SIGTERM");
  }
  const [code] = await ended;
  if (code !== 0) console.warn(`the service was not started for its compiled code: ${code}`);
} finally {
  await rm(keeps);
  await rm(data, { recursive: true, force: true });
}
// The service keeps what it writes to itself; this is for whoever runs it.
for (const path of await readdir(PROGRAM, { recursive: true })) {
  if (path.endsWith(".code")) await chmod(join(PROGRAM, path), 0o644);
}
