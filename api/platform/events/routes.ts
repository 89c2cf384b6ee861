import type { FastifyPluginAsync } from "fastify";
import type { Identities } from "../../auth/identities.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import eventStream from "./event-stream.ts";
import events from "./events.ts";

/** Events as a list and as a stream; mounted at `/api/v1`. */
const eventRoutes: FastifyPluginAsync<
  Pick<ApiDependencies, "feed" | "directory" | "metrics" | "records"> & {
    readonly identities: Identities;
  }
> = async (app, deps) => {
  const { feed, directory, identities, metrics } = deps;
  const { events: stored } = deps.records;
  await app.register(events, { events: stored, feed, directory });
  await app.register(eventStream, { events: stored, feed, directory, identities, metrics });
};

export default eventRoutes;
