import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import { sendPicture } from "../../api/send-picture.ts";
import { type Camera, changeCamera, readCamera } from "./requests.ts";

type Schemas = components["schemas"];

/** A camera by its name and a picture that it took. */
export const createCamera = (body: Schemas["NewCamera"], key: string): Promise<Outcome<Camera>> =>
  outcomeOf<Camera>(
    api.POST("/api/v1/progress/cameras", {
      params: { header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** Sets another reference view: of a camera that was moved, or that never had a good one. */
export async function setView({ id, project_id }: Camera, view: File): Promise<Outcome<Camera>> {
  const stored = await sendPicture(view, project_id);
  if ("failure" in stored) return stored;
  // Outlines that somebody draws meanwhile are no part of this change.
  const newest = await readCamera(id);
  if ("failure" in newest) return newest;
  return await changeCamera(newest.value, { reference_image: stored.value });
}

/** Removes a camera as it is stored now; its labels go with it. */
export async function removeCamera(id: string): Promise<Outcome<unknown>> {
  const newest = await readCamera(id);
  if ("failure" in newest) return newest;
  return await outcomeOf<unknown>(
    api.DELETE("/api/v1/progress/cameras/{camera_id}", {
      params: { path: { camera_id: id }, header: { "If-Match": newest.value.etag } },
    }),
  );
}
