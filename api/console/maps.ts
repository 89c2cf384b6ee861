import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";
import { Refusal } from "../errors/refusal.ts";
import { findMapFile } from "./map-files.ts";

export interface MapsOptions {
  readonly mapsDir: string;
}

/** A map that is moved around asks for some 20 ranges a second: ten minutes of that in one, beside the plan's count. */
const REQUESTS_PER_MINUTE = 12_000;
/** How long a browser keeps ranges, s: longer shows a replaced map for longer, shorter reads it more often. */
const AGE_S = 3_600;

/**
 * Base maps of `DATA_DIR/maps` at `/maps/{name}.pmtiles`, whole or by ranges. They need a key or session like data:
 * whoever cut them out for a fleet cut them where it works. Not in the OpenAPI description: `GET /console/config` has
 * the addresses.
 */
const maps: FastifyPluginAsync<MapsOptions> = async (app, { mapsDir }) => {
  await app.register(fastifyStatic, { serve: false, cacheControl: false, dotfiles: "deny" });
  app.get<{ Params: { file: string } }>(
    "/maps/:file",
    {
      config: { access: "any key", requestsPerMinute: REQUESTS_PER_MINUTE },
      schema: { hide: true },
      compress: false,
    },
    async (request, reply) => {
      const found = await findMapFile(mapsDir, request.params.file);
      if (found === undefined) throw new Refusal(404, "not_found", "Not found");
      return reply
        .header("cache-control", `private, max-age=${AGE_S}`)
        .type("application/vnd.pmtiles")
        .sendFile(found.name, mapsDir, { contentType: false });
    },
  );
};

export default maps;
