import type { FastifyPluginAsync } from "fastify";
import { BOUNDLESS_DISK } from "../../../storage/disk/disk-space.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import geofenceImport from "./geofence-import.ts";
import geofencePreview from "./geofence-preview.ts";
import geofenceReads from "./geofence-reads.ts";
import geofenceWrites from "./geofence-writes.ts";
import visits from "./visits.ts";

/** Geofences and the visits to them; mounted at `/api/v1/equipment`. */
const geofenceRoutes: FastifyPluginAsync<ApiDependencies> = async (app, deps) => {
  const { records, telemetry, directory, live, fences, now } = deps;
  const { recordsDisk = BOUNDLESS_DISK } = deps;
  await app.register(geofenceReads, { geofences: records.geofences, directory });
  await app.register(geofenceWrites, { records, directory, fences, now });
  await app.register(geofencePreview, { records, telemetry, directory, live, now });
  await app.register(geofenceImport, { records, directory, fences, recordsDisk, now });
  await app.register(visits, { records, directory, now });
};

export default geofenceRoutes;
