import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import maintenancePlans from "./maintenance-plans.ts";
import maintenanceServices from "./maintenance-services.ts";
import maintenanceStatus from "./maintenance-status.ts";

/** Maintenance plans, what is due by them, and services done; mounted at `/api/v1/equipment`. */
const maintenanceRoutes: FastifyPluginAsync<ApiDependencies> = async (app, deps) => {
  const { records, telemetry, directory, live, plans, now } = deps;
  await app.register(maintenancePlans, { records, directory, plans, now });
  await app.register(maintenanceStatus, { records, directory, live, plans, now });
  await app.register(maintenanceServices, { records, telemetry, directory, live, plans, now });
};

export default maintenanceRoutes;
