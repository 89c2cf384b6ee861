import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The service. What was built starts at once; the sources, as by `npx tsx main.ts`, from a bundle of them, which is made
 * when one has changed: file by file a start takes four times the CPU. `program.ts` starts them file by file.
 */
if (import.meta.url.endsWith(".ts")) void startSources();
else void import("./program.ts");

async function startSources(): Promise<void> {
  // By a name that a bundler does not follow: the service has none of it.
  const bundler = new URL("scripts/bundle.mjs", import.meta.url).href;
  const { bundleSources } = (await import(bundler)) as typeof import("./scripts/bundle.mjs");
  createRequire(import.meta.url)(join(await bundleSources(), "main.js"));
}
