import type { components, operations } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { Geofence } from "../../state/fences.ts";

type Schemas = components["schemas"];
/** Body of a new fence, of a change, and of a preview. */
export type NewFence = operations["createGeofence"]["requestBody"]["content"]["application/json"];
export type FenceChange = Schemas["GeofenceChange"];
export type PreviewRequest =
  operations["previewGeofence"]["requestBody"]["content"]["application/json"];
export type Preview = Omit<Schemas["GeofencePreview"], "polygon" | "circle" | "corridor"> & {
  readonly polygon: readonly (readonly number[])[];
};
export type Imported = Schemas["GeofenceImport"];

/** A fence with the entity tag of its state, which a change has to name. */
export interface TaggedFence {
  readonly fence: Geofence;
  readonly etag: string;
}

const tagged = (fence: Geofence, response: Response): TaggedFence => ({
  fence,
  etag: response.headers.get("etag") ?? "*",
});

const pathOf = (id: string) => ({ path: { geofence_id: id } });

export const readFence = (id: string): Promise<Outcome<TaggedFence>> =>
  outcomeOf<Geofence, TaggedFence>(
    api.GET("/api/v1/equipment/geofences/{geofence_id}", { params: pathOf(id) }),
    tagged,
  );

export const createFence = (body: NewFence, key: string): Promise<Outcome<Geofence>> =>
  outcomeOf<Geofence>(
    api.POST("/api/v1/equipment/geofences", {
      params: { header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** 412: somebody else changed it since `etag`. */
export const changeFence = (
  { fence, etag }: TaggedFence,
  body: FenceChange,
): Promise<Outcome<Geofence>> =>
  outcomeOf<Geofence>(
    api.PATCH("/api/v1/equipment/geofences/{geofence_id}", {
      params: { ...pathOf(fence.id), header: { "If-Match": etag } },
      body,
    }),
  );

/** 412: somebody else changed it since `etag`. */
export const deleteFence = ({ fence, etag }: TaggedFence): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/equipment/geofences/{geofence_id}", {
      params: { ...pathOf(fence.id), header: { "If-Match": etag } },
    }),
  );

export const previewFence = (body: PreviewRequest): Promise<Outcome<Preview>> =>
  outcomeOf<Preview>(api.POST("/api/v1/equipment/geofences/preview", { body }));

/** All features of the file become fences, or none. */
export const importFences = (
  projectId: string,
  file: File,
  key: string,
): Promise<Outcome<Imported>> =>
  outcomeOf<Imported>(
    api.POST("/api/v1/equipment/geofences/import", {
      params: { query: { project_id: projectId }, header: { "Idempotency-Key": key } },
      headers: { "content-type": mediaTypeOf(file.name) },
      // The file itself, not JSON of it.
      body: file as never,
      bodySerializer: (body: unknown) => body as File,
    }),
  );

const mediaTypeOf = (name: string): string =>
  /\.(kml|xml)$/i.test(name) ? "application/vnd.google-earth.kml+xml" : "application/geo+json";
