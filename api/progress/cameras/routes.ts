import type { FastifyPluginAsync } from "fastify";
import calibrationReads from "./calibration-reads.ts";
import calibrationWrites from "./calibration-writes.ts";
import type { CameraRoutesOptions } from "./camera-options.ts";
import cameraReads from "./camera-reads.ts";
import cameraWrites from "./camera-writes.ts";
import labelRequests from "./label-requests.ts";

/** Fixed cameras, and the labels that their estimates rest on; mounted at `/api/v1/progress`. */
const cameraRoutes: FastifyPluginAsync<CameraRoutesOptions> = async (app, options) => {
  await app.register(cameraReads, options);
  await app.register(cameraWrites, options);
  await app.register(calibrationReads, options);
  await app.register(calibrationWrites, options);
  await app.register(labelRequests, options);
};

export default cameraRoutes;
