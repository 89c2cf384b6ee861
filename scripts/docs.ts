import { readFileSync, writeFileSync } from "node:fs";
import { SETTINGS } from "../config/settings.ts";
import { openTestApp } from "../test/support/api-app.ts";
import { clientTypes } from "./client-types.ts";
import { envExample, settingsTable, withTable } from "./settings-docs.ts";

/** Writes what is generated from the code: `.env.example`, the settings table of `docs/settings.md`, `openapi.json`, the types of `client/`. */
const root = new URL("../", import.meta.url);
const settings = Object.values(SETTINGS);
writeFileSync(new URL(".env.example", root), envExample(settings));
const page = new URL("docs/settings.md", root);
writeFileSync(page, withTable(readFileSync(page, "utf8"), settingsTable(settings)));
{
  await using test = await openTestApp();
  const document: object = (await test.app.inject("/openapi.json")).json();
  writeFileSync(new URL("openapi.json", root), `${JSON.stringify(document, null, 2)}\n`);
  writeFileSync(new URL("client/api-types.ts", root), await clientTypes(document));
}
console.log("wrote .env.example, docs/settings.md, openapi.json and client/api-types.ts");
