import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { DomainError } from "../../../domain/errors.ts";
import { GateRefusal } from "../../../processing/gates/gates.ts";
import { settle, type TaskResult } from "../../../processing/pool/task-result.ts";
import { parseProcessStat } from "../../support/process-stat.ts";
import { FINDING, type PoisonInput } from "./poison.ts";

/** Does to its thread what the input says. */
export function run(input: PoisonInput): Promise<TaskResult<unknown>> {
  return settle(() => act(input));
}

function act({ deed, started }: PoisonInput): unknown {
  if (started !== undefined) {
    Atomics.add(started, 0, 1);
    Atomics.notify(started, 0);
  }
  switch (deed) {
    case "echo":
      return deed;
    case "throw":
      throw new TypeError("a bug");
    case "domain":
      throw new DomainError("IMAGE_REFUSED", "not an image");
    case "gate":
      throw new GateRefusal(FINDING);
    case "exit":
      process.exit(3);
      break;
    case "late throw":
      return new Promise(() => {
        setImmediate(() => {
          throw new Error("nobody awaits this");
        });
      });
    case "memory": {
      const kept: unknown[] = [];
      for (;;) kept.push(new Array(100_000).fill(kept.length));
    }
    case "loop":
      for (;;);
    case "niceness":
      return nicenessOf("thread-self");
    case "niceness of libvips":
      return libraryNiceness();
  }
}

/** Of a thread, by its folder in /proc. */
function nicenessOf(folder: string): number {
  return parseProcessStat(readFileSync(`/proc/${folder}/stat`, "utf8")).niceness;
}

/** The least of the threads of libvips after some images were encoded; NaN if there are none. */
async function libraryNiceness(): Promise<number> {
  const edge = 256;
  const pixels = Uint8Array.from({ length: edge * edge * 3 }, (_, i) => (i * i * 31) >> 3);
  for (let image = 0; image < 10; image += 1) {
    await sharp(pixels, { raw: { width: edge, height: edge, channels: 3 } })
      .webp({ lossless: true, effort: 1 })
      .toBuffer();
  }
  const folders = readdirSync("/proc/self/task").map((thread) => `self/task/${thread}`);
  const names = (folder: string) => readFileSync(`/proc/${folder}/comm`, "utf8").trimEnd();
  const found = folders.filter((folder) => names(folder) === "libvips worker").map(nicenessOf);
  return found.length === 0 ? Number.NaN : Math.min(...found);
}
