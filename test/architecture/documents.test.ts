import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SETTINGS } from "../../config/settings.ts";
import { envExample, settingsTable } from "../../scripts/settings-docs.ts";
import { openTestApp } from "../support/api-app.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

it(".env.example is what the settings say", () => {
  expect(read(".env.example")).toBe(envExample(Object.values(SETTINGS)));
});

it("the README's settings table is what the settings say", () => {
  expect(read("README.md")).toContain(settingsTable(Object.values(SETTINGS)));
});

it("openapi.json is what the routes say", async () => {
  await using test = await openTestApp();
  const served: unknown = (await test.app.inject("/openapi.json")).json();
  expect(JSON.parse(read("openapi.json"))).toEqual(served);
});
