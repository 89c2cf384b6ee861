import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBuiltConsole } from "../api/console/built-console.ts";
import type { ConsoleDependencies, DeviceListeners } from "../api/console/console-dependencies.ts";
import type { Settings } from "../config/settings.ts";
import type { BrokerPorts } from "../ingest/broker/listeners.ts";

/** What the build left of the console: beside the built program, and in `dist/` for the sources. */
const BUILT = new URL(
  import.meta.url.endsWith(".ts") ? "../dist/console" : "../console",
  import.meta.url,
);

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
  | "mqttUrl"
  | "tlsCaFile"
>;

/**
 * What the settings say of the web console, and what the build left of it. `ports` of the broker in this process;
 * `undefined`: it has none.
 */
export async function openConsole(
  settings: ConsoleSettings,
  ports: BrokerPorts | undefined,
): Promise<ConsoleDependencies> {
  const { dataDir, mapTileUrl: url, mapAttribution: attribution, mapMaxZoom: maxZoom } = settings;
  const isOn = settings.console === "true";
  return {
    version: await serviceVersion(),
    mapsDir: join(dataDir, "maps"),
    ...(url === undefined || attribution === undefined
      ? {}
      : { tiles: { url, attribution, maxZoom } }),
    fileOrigins: fileOrigins(settings),
    devices: deviceListeners(settings, ports),
    built: isOn ? ((await readBuiltConsole(fileURLToPath(BUILT))) ?? "not built") : "off",
  };
}

function deviceListeners(
  { mqttUrl, tlsCaFile }: ConsoleSettings,
  ports: BrokerPorts | undefined,
): DeviceListeners | undefined {
  if (mqttUrl !== undefined) {
    const { protocol, host } = new URL(mqttUrl);
    // Not what the service logs in with.
    return { asksForCertificate: false, brokerUrl: `${protocol}//${host}` };
  }
  if (ports === undefined) return undefined;
  const { mqtt, mqtts } = ports;
  return { mqtt, mqtts, asksForCertificate: tlsCaFile !== undefined };
}

/** Of the nearest `package.json` above: the program may be the sources, what was built of them, or the demo's bundle. */
async function serviceVersion(): Promise<string> {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    const text = await readFile(new URL("package.json", folder), "utf8").catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { readonly version: string }).version;
    if (folder.pathname === "/") throw new Error("there is no package.json above the program");
  }
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
