import type { FastifyPluginAsync } from "fastify";
import config from "./config.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import consoleFiles from "./console-files.ts";
import { ConsolePages } from "./console-pages.ts";
import maps from "./maps.ts";
import { consoleHeaders } from "./policy.ts";

/** The web console, as far as this process serves it. */
export interface ServedConsole {
  /** The page of unknown addresses; absent: there is none. */
  readonly pages: ConsolePages | undefined;
  /** Page, files and base maps; mounted at `/`. */
  readonly files: FastifyPluginAsync;
  /** Mounted at `/api/v1`. */
  readonly api: FastifyPluginAsync;
}

export function serveConsole(deps: ConsoleDependencies): ServedConsole {
  const { built, tiles, fileOrigins, mapsDir } = deps;
  const tileOrigins = tiles === undefined ? [] : [new URL(tiles.url).origin];
  const headers = consoleHeaders([...tileOrigins, ...fileOrigins]);
  const pages = typeof built === "string" ? undefined : new ConsolePages(built, headers);
  return {
    pages,
    files: async (app) => {
      await app.register(maps, { mapsDir });
      if (pages !== undefined && typeof built !== "string") {
        await app.register(consoleFiles, { built, pages, headers });
      }
    },
    api: async (app) => {
      await app.register(config, deps);
    },
  };
}
