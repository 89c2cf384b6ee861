import { createHash } from "node:crypto";
import { settle, type TaskResult } from "../../../processing/pool/task-result.ts";
import type { WorkInput } from "./work.ts";

/** Works for a while and yields a hash of its input, the same for ever; or does worse. */
export function run({ text, busyMs, deed }: WorkInput): Promise<TaskResult<string>> {
  return settle(() => {
    const untilMs = performance.now() + busyMs;
    let rounds = 0;
    while (deed === "never ends" || performance.now() < untilMs) rounds += 1;
    if (deed === "kills its thread") process.exit(1);
    return createHash("sha256")
      .update(`${text} ${rounds > 0}`)
      .digest("hex");
  });
}
