import { spawn } from "node:child_process";

/**
 * `npm run verify`: everything that has to hold before a change lands, in two lanes: tests wait for processes and disks,
 * and compilers use one core. Each check is shown as a whole when it has ended; the exit code is 1 when any failed.
 */
const LANES = [["test"], ["lint", "types", "arch", "dead", "build"]];

/** Runs one script of package.json; yields whether it passed. */
function run(script) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    // Tests take minutes, so what they say is shown as they say it.
    const isShown = script === "test";
    const child = spawn("npm", ["run", script], {
      stdio: ["ignore", isShown ? "inherit" : "pipe", isShown ? "inherit" : "pipe"],
      shell: process.platform === "win32",
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => chunks.push(chunk));
    }
    child.once("error", (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    child.once("close", (code) => {
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
      const result = code === 0 ? "passed" : "FAILED";
      process.stdout.write(Buffer.concat(chunks));
      process.stdout.write(`=== npm run ${script} ${result} after ${seconds} s\n`);
      resolve(code === 0);
    });
  });
}

async function runLane(scripts) {
  let passed = true;
  for (const script of scripts) passed = (await run(script)) && passed;
  return passed;
}

const results = await Promise.all(LANES.map(runLane));
process.exit(results.every(Boolean) ? 0 : 1);
