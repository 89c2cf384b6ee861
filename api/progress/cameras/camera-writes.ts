import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { type CameraId, newId } from "../../../domain/ids.ts";
import { cameraFolder, type SiteCamera } from "../../../domain/sites/site-camera.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleCamera } from "../../access/record-access.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { withBody } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, removeMatching } from "../../writes/resource-tag.ts";
import type { CameraRoutesOptions } from "./camera-options.ts";
import { readOutlines, requireZones } from "./camera-outlines.ts";
import { keepReference, readReference } from "./camera-reference.ts";
import { Camera, CameraChange, CameraPath, NewCamera, READ_BY_ROUTES } from "./camera-schemas.ts";
import { cameraView } from "./camera-view.ts";

const CREATE = `Images are assigned by \`#camera={id}\` behind their addresses, \`flight_metadata.camera_id\`, the beginning of their addresses, or their content. One that is shifted by more than 10 % of its width suspends the camera until PATCH sets a new \`reference_image\`.`;
const CHANGE = `A new \`reference_image\` ends a suspension; labels of an earlier one no longer count.`;

/** Creating, changing and removing cameras; mounted at `/api/v1/progress`. */
const cameraWrites: FastifyPluginAsyncTypebox<CameraRoutesOptions> = async (app, options) => {
  const { records, directory, files, links, now } = options;
  const { siteCameras, workZones } = records;

  app.post(
    "/cameras",
    {
      config: { access: "progress:write", once: "transaction", sends: ["Location"] },
      validatorCompiler: withBody(Type.Omit(NewCamera, READ_BY_ROUTES)),
      schema: {
        operationId: "createCamera",
        tags: ["progress"],
        summary: "Create a fixed camera by its reference view, with the zones that it sees",
        description: CREATE,
        body: NewCamera,
        response: { 201: Camera, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const zones = body.zones === undefined ? [] : readOutlines(body.zones);
      const { id: project_id } = visibleProject(directory, request, body.project_id);
      const reference = readReference(body.reference_image, files);
      await requireZones(workZones, project_id, zones);
      const id = body.id ?? newId<CameraId>("cam");
      // Before its reference view is put among its files: they may be another camera's.
      if (body.id !== undefined && (await siteCameras.find(id)) !== undefined) {
        throw new DomainError("ID_CONFLICT", `camera id "${id}" is taken`);
      }
      const at = new Date(now()).toISOString();
      const camera: SiteCamera = {
        id,
        project_id,
        name: body.name,
        ...(await keepReference(reference, id, files)),
        reference_set_at: at,
        zones,
        url_prefixes: body.url_prefixes ?? [],
        state: "active",
        suspended_at: undefined,
        created_at: at,
        updated_at: at,
      };
      const view = await cameraView(camera, links);
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.siteCameras.insert(camera);
        return view;
      });
      return reply.header("location", `/api/v1/progress/cameras/${id}`).send(answer);
    },
  );

  app.patch(
    "/cameras/:camera_id",
    {
      config: { access: "progress:write", tagged: true },
      validatorCompiler: withBody(Type.Omit(CameraChange, READ_BY_ROUTES)),
      schema: {
        operationId: "updateCamera",
        tags: ["progress"],
        summary: "Change a camera; a new reference view ends its suspension",
        description: CHANGE,
        params: CameraPath,
        body: CameraChange,
        response: { 200: Camera, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { name, url_prefixes, reference_image, zones: drawn } = request.body;
      const zones = drawn === undefined ? undefined : readOutlines(drawn);
      const camera = await visibleCamera(siteCameras, request, request.params.camera_id);
      const named =
        reference_image === undefined ? undefined : readReference(reference_image, files);
      if (zones !== undefined) await requireZones(workZones, camera.project_id, zones);
      const reference = named && (await keepReference(named, camera.id, files));
      const at = new Date(now()).toISOString();
      const change = (before: SiteCamera): SiteCamera => ({
        ...before,
        ...(name === undefined ? {} : { name }),
        ...(url_prefixes === undefined ? {} : { url_prefixes }),
        ...(zones === undefined ? {} : { zones }),
        ...(reference === undefined
          ? {}
          : {
              ...reference,
              reference_set_at: at,
              state: "active" as const,
              suspended_at: undefined,
            }),
        updated_at: at,
      });
      const changed = await siteCameras.update(camera.id, ifMatching(request, change));
      return await cameraView(changed, links);
    },
  );

  app.delete(
    "/cameras/:camera_id",
    {
      config: { access: "progress:write", tagged: true },
      schema: {
        operationId: "deleteCamera",
        tags: ["progress"],
        summary: "Remove a camera with its labels; reports keep their figures, its id stays taken",
        params: CameraPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleCamera(siteCameras, request, request.params.camera_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.siteCameras.update(id, keep),
        (stored) => stored.siteCameras.delete(id),
      );
      deleteFolder(files.store, cameraFolder(id), request.log);
      return reply.code(204).send(null);
    },
  );
};

export default cameraWrites;
