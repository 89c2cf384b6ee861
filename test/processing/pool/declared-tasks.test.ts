import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { Task } from "../../../processing/pool/task.ts";

const ROOM = resolve(import.meta.dirname, "../../../processing");
const files = readdirSync(ROOM, { recursive: true, encoding: "utf8" });
const urlOf = (file: string) => pathToFileURL(join(ROOM, file)).href;

it("every entry of a task is declared once, under the name of its file, and no other task is", async () => {
  const entries = files.filter((file) => file.endsWith(".task.ts")).map(urlOf);
  const modules = files.filter((file) => /(^|\/)tasks\.ts$/.test(file));
  const tasks: Task<unknown, unknown>[] = [];
  for (const file of modules) tasks.push(...Object.values<never>(await import(urlOf(file))));
  expect(entries.length).toBeGreaterThan(20);
  expect(tasks.map(({ entry }) => `${entry}.ts`).sort()).toEqual(entries.sort());
  expect(tasks.map(({ name }) => `${name}.task.ts`).sort()).toEqual(
    entries.map((url) => url.slice(url.lastIndexOf("/") + 1)).sort(),
  );
});
