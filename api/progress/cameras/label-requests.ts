import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { mostWanted } from "../../../processing/progress/camera/model/most-wanted.ts";
import { viewKey } from "../../../processing/progress/camera/view-key.ts";
import { isSeenByImages } from "../../../processing/progress/camera/zone-by-images.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { PAGE_PARAMETERS, pageOf } from "../../schemas/page.ts";
import { type LabelRequest, LabelRequestList } from "./calibration-schemas.ts";
import type { CameraRoutesOptions } from "./camera-options.ts";

/** At most one label a zone is asked for in so many days (docs/progress-method.md#fixed-cameras). */
const PAUSE_DAYS = 7;
/**
 * Views that a person may still remember the truth of, days: labels of older ones are guesses; fewer days
 * leave quiet cameras without a request.
 */
const NEWEST_DAYS = 28;
/**
 * Views of a zone that are weighed against each other at most: more is work for each request, fewer may miss
 * the most useful one.
 */
const MOST_VIEWS = 100;

/** Images that people are asked to label; mounted at `/api/v1/progress`. */
const labelRequests: FastifyPluginAsyncTypebox<CameraRoutesOptions> = async (app, options) => {
  const { records, directory, links, now } = options;
  const { siteCameras, workZones } = records;

  app.get(
    "/label-requests",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listLabelRequests",
        tags: ["progress"],
        summary: "Images whose labels would teach most: at most one a zone a week",
        description: `Of the images of the last ${NEWEST_DAYS} days, the one least like all labelled ones, or whose estimate is least certain. Answer with POST /progress/zones/{zone_id}/calibrations, naming capture_id and camera_id.`,
        querystring: Type.Object({ project_id: ProjectId, ...PAGE_PARAMETERS }),
        response: { 200: LabelRequestList, ...FAILURES },
      },
    },
    async (request) => {
      const { id } = visibleProject(directory, request, request.query.project_id);
      const { zones } = await workZones.list({ projectIds: [id], offset: 0 });
      const { cameras } = await siteCameras.list({ projectIds: [id], offset: 0 });
      const data: LabelRequest[] = [];
      for (const zone of zones.filter(isSeenByImages)) {
        const wanted = await requestOf(zone, cameras);
        if (wanted !== undefined) data.push(wanted);
      }
      return pageOf(data, request.query);
    },
  );

  async function requestOf(
    zone: WorkZone,
    cameras: readonly SiteCamera[],
  ): Promise<LabelRequest | undefined> {
    const nowMs = now();
    const newest = await siteCameras.labels([zone.id]);
    const isFresh = newest.some(
      ({ labelled_at }) => Date.parse(labelled_at) > nowMs - PAUSE_DAYS * DAY_MS,
    );
    if (isFresh) return undefined;
    const views = await siteCameras.unlabelled(zone.id, nowMs - NEWEST_DAYS * DAY_MS, MOST_VIEWS);
    const wanted = mostWanted(views, newest, cameras);
    const captureId = wanted?.view.capture_id;
    if (wanted === undefined || captureId === undefined) return undefined;
    const { view, reason } = wanted;
    const camera = cameras.find((one) => one.id === view.camera_id);
    const outlined = camera?.zones.find(({ zone_id }) => zone_id === zone.id);
    return {
      zone_id: zone.id,
      zone_name: zone.name,
      camera_id: view.camera_id ?? null,
      capture_id: captureId,
      taken_at: view.taken_at,
      picture_url: await links.file(viewKey(captureId, view.image_sha256)),
      outline: outlined === undefined ? null : outlined.outline.map((corner) => [...corner]),
      reason,
    };
  }
};

export default labelRequests;
