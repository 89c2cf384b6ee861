import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleSources } from "./bundle.mjs";
import { linkConsole } from "./console-cache.mjs";

/** `npm run demo`: runs the demo from a bundle of the sources, which is made when they have changed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
// Until the demo itself listens. Exit code 0: npm would report any other as a failure.
const quit = () => process.exit(0);
for (const signal of SIGNALS) process.on(signal, quit);

const folder = await bundleSources().catch((error) => {
  // esbuild has printed where, if it was a source.
  process.stderr.write(`demo: the program could not be bundled: ${error.message}\n`);
  process.exit(1);
});
// The service says at `/` that there is none; everything else works without.
await linkConsole(folder).catch((error) => {
  process.stderr.write(`demo: the web console could not be built: ${error.message}\n`);
});
const {
  default: { runDemo },
} = await import(pathToFileURL(join(folder, "demo.js")).href);
const running = runDemo(process.argv.slice(2));
for (const signal of SIGNALS) process.off(signal, quit);
process.exit(await running);
