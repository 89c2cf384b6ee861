import { readFileSync } from "node:fs";
import { DomainError } from "../../../domain/errors.ts";
import { GateRefusal } from "../../../processing/gates/gates.ts";
import { settle, type TaskResult } from "../../../processing/pool/task-result.ts";
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
    case "niceness": {
      // The fields after the name in brackets; niceness is the 19th of all (proc(5)).
      const stat = readFileSync("/proc/thread-self/stat", "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
    }
  }
}
