import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBuiltConsole } from "../api/console/built-console.ts";
import type { ConsoleDependencies } from "../api/console/console-dependencies.ts";
import type { Settings } from "../config/settings.ts";

/** The root of the package: the sources lie there, built files in `dist/`, and the demo's bundle deeper. */
const ROOT = rootAbove(new URL("./", import.meta.url));

function rootAbove(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder;
  const above = new URL("../", folder);
  if (above.href === folder.href) throw new Error("package.json is missing above the program");
  return rootAbove(above);
}

type ConsoleSettings = Pick<
  Settings,
  | "console"
  | "dataDir"
  | "mapTileUrl"
  | "mapAttribution"
  | "mapMaxZoom"
  | "cdnUrl"
  | "s3Bucket"
  | "s3Endpoint"
  | "s3Region"
  | "s3PathStyle"
>;

/** What the settings say of the web console, and what the build left of it. */
export async function openConsole(settings: ConsoleSettings): Promise<ConsoleDependencies> {
  const { dataDir, mapTileUrl: url, mapAttribution: attribution, mapMaxZoom: maxZoom } = settings;
  const isOn = settings.console === "true";
  return {
    version: await serviceVersion(),
    mapsDir: join(dataDir, "maps"),
    ...(url === undefined || attribution === undefined
      ? {}
      : { tiles: { url, attribution, maxZoom } }),
    fileOrigins: fileOrigins(settings),
    built: isOn
      ? ((await readBuiltConsole(fileURLToPath(new URL("dist/console", ROOT)))) ?? "not built")
      : "off",
  };
}

async function serviceVersion(): Promise<string> {
  const text = await readFile(new URL("package.json", ROOT), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** Where files come from, if not from the API itself: the addresses in answers are those of the bucket or the CDN. */
export function fileOrigins(settings: ConsoleSettings): readonly string[] {
  const { cdnUrl, s3Bucket: bucket, s3Region: region, s3PathStyle } = settings;
  const origins = cdnUrl === undefined ? [] : [new URL(cdnUrl).origin];
  if (bucket === undefined) return origins;
  const endpoint = new URL(settings.s3Endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (s3PathStyle !== "true") endpoint.host = `${bucket}.${endpoint.host}`;
  return [...origins, endpoint.origin];
}
