import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { FAILURES } from "../errors/error.ts";
import type { ConsoleDependencies, DeviceListeners } from "./console-dependencies.ts";
import { listMapFiles } from "./map-files.ts";

const NoMap = Type.Object({ kind: Type.Enum(["none"]) }, { title: "NoBaseMap" });
const PmtilesMap = Type.Object(
  {
    kind: Type.Enum(["pmtiles"]),
    files: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.String({ description: "On this service; takes `Range`" }),
        bytes: Type.Integer(),
      }),
      { minItems: 1 },
    ),
  },
  { title: "PmtilesBaseMap" },
);
const TilesMap = Type.Object(
  {
    kind: Type.Enum(["tiles"]),
    url_template: Type.String({
      description: "With `{z}`, `{x}` and `{y}` in it; another server",
    }),
    attribution: Type.String({ description: "Text to show on the map" }),
    max_zoom: Type.Integer(),
  },
  { title: "TilesBaseMap" },
);

const Devices = Type.Object(
  {
    mqtt_port: Type.Optional(
      Type.Integer({ description: "Plain MQTT on the host of this service; absent: not there" }),
    ),
    mqtts_port: Type.Optional(
      Type.Integer({ description: "MQTT over TLS on the host of this service; absent: not there" }),
    ),
    mqtts_asks_for_certificate: Type.Boolean({
      description: "A device needs a client certificate for MQTT over TLS",
    }),
    broker_url: Type.Optional(
      Type.String({ description: "External broker that devices connect to instead" }),
    ),
  },
  {
    title: "DeviceListeners",
    description: "Where devices connect; absent: another process has the listeners",
  },
);

const ConsoleConfig = Type.Object(
  {
    version: Type.String({ description: "Of the service" }),
    units: Type.Enum(["metric", "imperial"], {
      description: "What a person who has chosen none begins with",
    }),
    map: Type.Union([NoMap, PmtilesMap, TilesMap], { title: "BaseMap" }),
    devices: Type.Optional(Devices),
  },
  { title: "ConsoleConfig" },
);

/** `GET /console/config`, mounted at `/api/v1`. */
const config: FastifyPluginAsyncTypebox<ConsoleDependencies> = async (app, options) => {
  const { version, mapsDir, tiles, devices } = options;

  async function baseMap(): Promise<Static<typeof ConsoleConfig>["map"]> {
    if (tiles !== undefined) {
      const { url: url_template, attribution, maxZoom } = tiles;
      return { kind: "tiles", url_template, attribution, max_zoom: maxZoom };
    }
    // At each request: a map that is put there needs no restart.
    const files = await listMapFiles(mapsDir);
    if (files.length === 0) return { kind: "none" };
    return {
      kind: "pmtiles",
      files: files.map((file) => ({ ...file, path: `/maps/${file.name}` })),
    };
  }

  app.get(
    "/console/config",
    {
      config: { access: "any key" },
      schema: {
        operationId: "getConsoleConfig",
        tags: ["platform"],
        summary:
          "What the web console starts with: base map, units, version, where devices connect",
        response: { 200: ConsoleConfig, ...FAILURES },
      },
    },
    async (): Promise<Static<typeof ConsoleConfig>> => ({
      version,
      units: "metric",
      map: await baseMap(),
      ...(devices === undefined ? {} : { devices: devicesView(devices) }),
    }),
  );
};

function devicesView(listeners: DeviceListeners): Static<typeof Devices> {
  const { mqtt, mqtts, asksForCertificate, brokerUrl } = listeners;
  return {
    ...(mqtt === undefined ? {} : { mqtt_port: mqtt }),
    ...(mqtts === undefined ? {} : { mqtts_port: mqtts }),
    mqtts_asks_for_certificate: asksForCertificate,
    ...(brokerUrl === undefined ? {} : { broker_url: brokerUrl }),
  };
}

export default config;
