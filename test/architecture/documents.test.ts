import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { SETTINGS } from "../../config/settings.ts";
import { clientTypes } from "../../scripts/client-types.ts";
import { envExample, settingsTable } from "../../scripts/settings-docs.ts";
import { openTestApp } from "../support/api-app.ts";
import { anchorsOf, withoutCode } from "./anchors.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

it(".env.example is what the settings say", () => {
  expect(read(".env.example")).toBe(envExample(Object.values(SETTINGS)));
});

it("docs/settings.md is what the settings say", () => {
  expect(read("docs/settings.md")).toContain(settingsTable(Object.values(SETTINGS)));
});

it("openapi.json is what the routes say", async () => {
  await using test = await openTestApp();
  const served: unknown = (await test.app.inject("/openapi.json")).json();
  expect(JSON.parse(read("openapi.json"))).toEqual(served);
});

it("the types of the client are what openapi.json says", async () => {
  expect(read("client/api-types.ts")).toBe(await clientTypes(JSON.parse(read("openapi.json"))));
});

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...readdirSync(new URL("../../docs", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

/** Whether a link of a page leads to a file, and to a heading of it where it names one. */
function leadsSomewhere(file: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true;
  const [path = "", anchor] = target.split("#");
  const to = path === "" ? file : posix.join(posix.dirname(file), path);
  if (!existsSync(new URL(`../../${to}`, import.meta.url))) return false;
  return anchor === undefined || anchorsOf(read(to)).has(anchor);
}

it.each(DOCUMENTS)("links of %s lead to files and headings that exist", (file) => {
  const links = withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g);
  const targets = [...links].map(([, link, picture]) => link ?? picture ?? "");
  expect(targets.filter((target) => !leadsSomewhere(file, target))).toEqual([]);
});

it("the README is one that is read in a few minutes", () => {
  const text = read("README.md");
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9 * 1024);
  expect(text.split("\n").length).toBeLessThanOrEqual(150);
});

/** Where a path in docs/architecture.md may begin; the page shortens them. */
const PLACES = [
  "",
  "storage/",
  "ingest/",
  "processing/",
  "processing/engine/",
  "api/",
  "simulators/",
];
const isThere = (path: string) => existsSync(new URL(`../../${path}`, import.meta.url));

/** What npm installs and builds, and a program's data. */
const NOT_OURS = ["node_modules", "dist", "data"];
/** Folders of a folder that hold code. */
const roomsOf = (folder: string) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_OURS.includes(entry.name))
    .map(({ name }) => `${name}/`)
    .filter((name) =>
      readdirSync(new URL(`../../${folder}${name}`, import.meta.url), {
        recursive: true,
        encoding: "utf8",
      }).some((file) => file.endsWith(".ts")),
    );

it("docs/architecture.md names every room, and files that exist", () => {
  const text = read("docs/architecture.md");
  const named = [...text.matchAll(/`([a-z0-9][a-z0-9./-]*)`/g)].map(([, name = ""]) => name);
  const paths = named.filter((name) => name.includes("/") || name.endsWith(".ts"));
  expect(paths.filter((path) => !PLACES.some((place) => isThere(`${place}${path}`)))).toEqual([]);
  const rooms = ["", "storage/", "ingest/", "processing/"].flatMap(roomsOf);
  expect(rooms.filter((room) => !named.includes(room))).toEqual([]);
});

it("a decision has a file of at most 60 lines, and code names only decisions that exist", () => {
  const decisions = DOCUMENTS.filter((file) => /^docs\/decisions\/\d{3}-/.test(file));
  expect(decisions.length).toBeGreaterThan(50);
  expect(decisions.filter((file) => read(file).split("\n").length > 61)).toEqual([]);
  const known = new Set(decisions.map((file) => file.slice(0, "docs/decisions/000".length)));
  const named = ["domain", "storage", "ingest", "processing", "api", "roles"].flatMap((room) =>
    readdirSync(new URL(`../../${room}`, import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => read(`${room}/${file}`).match(/docs\/decisions\/\d+/g) ?? []),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
