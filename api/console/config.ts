import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { FAILURES } from "../errors/error.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
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

const ConsoleConfig = Type.Object(
  {
    version: Type.String({ description: "Of the service" }),
    units: Type.Enum(["metric", "imperial"], {
      description: "What a person who has chosen none begins with",
    }),
    map: Type.Union([NoMap, PmtilesMap, TilesMap], { title: "BaseMap" }),
  },
  { title: "ConsoleConfig" },
);

/** `GET /console/config`, mounted at `/api/v1`. */
const config: FastifyPluginAsyncTypebox<ConsoleDependencies> = async (app, options) => {
  const { version, mapsDir, tiles } = options;

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
        summary: "What the web console starts with: base map, units, version",
        response: { 200: ConsoleConfig, ...FAILURES },
      },
    },
    async (): Promise<Static<typeof ConsoleConfig>> => ({
      version,
      units: "metric",
      map: await baseMap(),
    }),
  );
};

export default config;
