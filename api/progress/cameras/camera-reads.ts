import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { noteState } from "../../writes/resource-tag.ts";
import type { CameraRoutesOptions } from "./camera-options.ts";
import { Camera, CameraList, CameraPath } from "./camera-schemas.ts";
import { cameraView, visibleCamera } from "./camera-view.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

/** Reading cameras; mounted at `/api/v1/progress`. */
const cameraReads: FastifyPluginAsyncTypebox<CameraRoutesOptions> = async (app, options) => {
  const { records, directory, links } = options;
  const { siteCameras } = records;

  app.get(
    "/cameras",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listCameras",
        tags: ["progress"],
        summary: "Fixed cameras, oldest first",
        querystring: Type.Object({ project_id: Type.Optional(ProjectId), ...ORDER.parameters }),
        response: { 200: CameraList, ...FAILURES },
      },
    },
    async (request) => {
      const page = ORDER.pageOf(request.query);
      const projects = visibleProjects(directory, request, request.query.project_id);
      const { cameras, total } = await siteCameras.list({ ...projects, ...page });
      return {
        data: await Promise.all(cameras.map((camera) => cameraView(camera, links))),
        pagination: paginationOf(page, cameras.length, total),
      };
    },
  );

  app.get(
    "/cameras/:camera_id",
    {
      config: { access: "progress:read", tagged: true },
      schema: {
        operationId: "getCamera",
        tags: ["progress"],
        summary: "One fixed camera",
        params: CameraPath,
        response: { 200: Camera, ...FAILURES },
      },
    },
    async (request) => {
      const camera = await visibleCamera(siteCameras, request, request.params.camera_id);
      noteState(request, camera);
      return await cameraView(camera, links);
    },
  );
};

export default cameraReads;
