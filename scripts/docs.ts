import { readFileSync, writeFileSync } from "node:fs";
import { SETTINGS } from "../config/settings.ts";
import { openTestApp } from "../test/support/api-app.ts";
import { envExample, settingsTable, withTable } from "./settings-docs.ts";

/** Writes what is generated from the code: `.env.example`, the settings table of `docs/settings.md`, `openapi.json`. */
const root = new URL("../", import.meta.url);
const settings = Object.values(SETTINGS);
writeFileSync(new URL(".env.example", root), envExample(settings));
const page = new URL("docs/settings.md", root);
writeFileSync(page, withTable(readFileSync(page, "utf8"), settingsTable(settings)));
{
  await using test = await openTestApp();
  const document: unknown = (await test.app.inject("/openapi.json")).json();
  writeFileSync(new URL("openapi.json", root), `${JSON.stringify(document, null, 2)}\n`);
}
console.log("wrote .env.example, docs/settings.md and openapi.json");
