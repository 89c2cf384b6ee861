import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { visibleZone } from "../../access/zone-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { ZonePath } from "../zones/zone-schemas.ts";
import { calibrationModels } from "./calibration-models.ts";
import { CalibrationList } from "./calibration-schemas.ts";
import { calibrationView } from "./calibration-view.ts";
import type { CameraRoutesOptions } from "./camera-options.ts";

/** The order of the list. */
const ORDER = sortedBy("-taken_at");

/** Labels of a zone, and the state of its models; mounted at `/api/v1/progress`. */
const calibrationReads: FastifyPluginAsyncTypebox<CameraRoutesOptions> = async (app, options) => {
  const { siteCameras, workZones } = options.records;

  app.get(
    "/zones/:zone_id/calibrations",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listCalibrations",
        tags: ["progress"],
        summary: "Labels of a zone, newest first, and the state of its models",
        params: ZonePath,
        querystring: Type.Object(ORDER.parameters),
        response: { 200: CalibrationList, ...FAILURES },
      },
    },
    async (request) => {
      const page = ORDER.pageOf(request.query);
      const zone = await visibleZone(workZones, request, request.params.zone_id);
      const { cameras } = await siteCameras.list({ projectIds: [zone.project_id], offset: 0 });
      const { labels, total } = await siteCameras.listLabels(zone.id, page);
      return {
        data: labels.map((label) => calibrationView(label, cameras)),
        models: calibrationModels(zone, cameras, await siteCameras.labels([zone.id])),
        pagination: paginationOf(page, labels.length, total),
      };
    },
  );
};

export default calibrationReads;
