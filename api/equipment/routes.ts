import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import alerts from "./alerts/routes.ts";
import assetRoutes from "./assets/routes.ts";
import commands from "./commands/routes.ts";
import fleetSources from "./fleet-sources/routes.ts";
import geofenceRoutes from "./geofences/routes.ts";
import maintenanceRoutes from "./maintenance/routes.ts";
import messageRoutes from "./messages/routes.ts";
import tracks from "./tracks/routes.ts";
import fleetUtilization from "./utilization/routes.ts";

/** Machines, and what happens to them; mounted at `/api/v1/equipment`. */
export const equipmentRoutes =
  (deps: ApiDependencies): FastifyPluginAsync =>
  async (app) => {
    const { records, telemetry, directory, live, feed, pepper, now } = deps;
    await app.register(assetRoutes, deps);
    await app.register(fleetUtilization, { records, directory, live, now });
    await app.register(tracks, { records, telemetry, directory, now });
    if (deps.commands !== undefined) {
      await app.register(commands, { ...deps.commands, records, directory, feed, now });
    }
    await app.register(geofenceRoutes, deps);
    await app.register(alerts, { records, directory, now });
    await app.register(maintenanceRoutes, deps);
    await app.register(messageRoutes, deps);
    if (deps.fleetSources !== undefined) {
      await app.register(fleetSources, { ...deps.fleetSources, records, pepper, now });
    }
  };
