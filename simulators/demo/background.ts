import { once } from "node:events";
import { createInterface } from "node:readline";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { showBuildingSite } from "./building-site.ts";
import { type DemoWork, openDemoService } from "./demo-service.ts";
import { measurePhotographs, measureSurface, openYard } from "./yard.ts";

/** Where to work, as the demo writes it in one line of standard input. */
const Task = Type.Object({ url: Type.String(), key: Type.String(), folder: Type.String() });
const task = Compile(Task);

/**
 * What the demo shows beside its fleet: a program of its own, so that it can have the lowest priority and be ended
 * at any moment. It reads its task from standard input and ends with it; lines of its output say what it is making.
 * The quick things come first: what takes a minute or more on two cores, the photographs, comes last.
 */
async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  const [line] = await once(lines, "line");
  const asked: unknown = JSON.parse(String(line));
  if (!task.Check(asked)) throw new Error("the demo's background work has no task");
  // Whoever started it is gone.
  lines.once("close", () => process.exit(0));
  const work: DemoWork = {
    service: openDemoService(asked.url, asked.key, new AbortController().signal),
    folder: asked.folder,
    say: (text) => process.stdout.write(`${text}\n`),
  };
  const yard = await openYard(work);
  if (yard !== undefined) await measureSurface(work, yard);
  await showBuildingSite(work);
  if (yard !== undefined) await measurePhotographs(work, yard);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
