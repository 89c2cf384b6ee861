import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { basename } from "node:path";
import threads from "node:worker_threads";
import { afterAll, expect, test } from "vitest";

/** The types of Node leave it to the browser's library. */
declare const WebAssembly: Record<"compile" | "instantiate" | "Module", unknown>;

/** What modules do as they are loaded, in order; empty for declarations. */
const done: string[] = [];

/** Reports each call of a function of a built-in module; what it does stays. */
function watch<T extends object>(holder: T, name: keyof T & string, nameOf: Describe): void {
  const real: unknown = holder[name];
  if (typeof real !== "function") throw new Error(`${name} is no function`);
  const report = (given: readonly unknown[]) => {
    // Node's own loader has a parser that is WebAssembly.
    if (!new Error("called by").stack?.includes("node:internal/deps")) done.push(nameOf(given));
  };
  const reported = new Proxy(real, {
    apply(target, self, given) {
      report(given);
      return Reflect.apply(target as never, self, given);
    },
    construct(target, given, made) {
      report(given);
      return Reflect.construct(target as never, given, made);
    },
  });
  Object.assign(holder, { [name]: reported });
  restored.push(() => Object.assign(holder, { [name]: real }));
}

const ADDONS = /^loads (?:lmdb|msgpackr|extract|node\.(?:abi|napi))/;

type Describe = (given: readonly unknown[]) => string;
const restored: (() => void)[] = [];
afterAll(() => {
  for (const restore of restored) restore();
  syncBuiltinESMExports();
});

test("a start loads its modules without doing any work: no thread, timer, file, port or image library", async () => {
  const addon: Describe = ([, path]) => `loads ${basename(String(path))}`;
  watch(process, "dlopen", addon);
  watch(threads, "Worker", ([path]) => `starts the thread ${String(path)}`);
  watch(net.Server.prototype, "listen", () => "listens");
  for (const name of ["setTimeout", "setInterval"] as const) watch(globalThis, name, () => name);
  for (const name of ["compile", "instantiate", "Module"] as const) {
    watch(WebAssembly, name, () => `WebAssembly.${name}`);
  }
  for (const name of ["writeFileSync", "mkdirSync", "createWriteStream", "writeFile"] as const) {
    watch(fs, name, ([path]) => `${name} ${String(path)}`);
  }
  syncBuiltinESMExports();
  const listeners = process.eventNames().map((name) => [name, process.listenerCount(name)]);

  const { startService } = await import("../../service.ts");

  expect(startService).toBeTypeOf("function");
  // The store of telemetry is LMDB, and it has an addon by the runtime that it finds.
  expect(done.filter((text) => !ADDONS.test(text))).toEqual([]);
  expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(
    listeners,
  );
}, 120_000);

test("what V8 compiled is made with the flags that the database's thread sets later", () => {
  const textOf = (path: string) =>
    fs.readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const [, budget = ""] =
    /TIERING_BUDGET = ([\d_]+)/.exec(textOf("storage/records/pglite/start.ts")) ?? [];

  expect(textOf("scripts/load-code.cjs")).toContain(
    `setFlagsFromString("--wasm-tiering-budget=${budget.replaceAll("_", "")}")`,
  );
});
