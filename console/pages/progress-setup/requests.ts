import type { components, operations } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { fileBody } from "../../api/file-body.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { WorkZone } from "../../state/site-places.ts";

type Schemas = components["schemas"];
export type Schedule = Schemas["Schedule"];
export type DryRun = Schemas["ScheduleDryRun"];
export type ScheduleGroup = DryRun["groups"][number];
export type Revision = Schemas["ScheduleRevision"];
export type Camera = Schemas["Camera"];
export type Surface = Schemas["ZoneSurface"];
export type SurfaceName = "baseline" | "design";
export type NewZone = operations["createZone"]["requestBody"]["content"]["application/json"];
export type ZoneChange = operations["updateZone"]["requestBody"]["content"]["application/json"];
export type CameraChange = operations["updateCamera"]["requestBody"]["content"]["application/json"];

/** A thing with the entity tag of its state, which a change has to name. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

const tagged = <T>(value: T, response: Response): Tagged<T> => ({
  value,
  etag: response.headers.get("etag") ?? "*",
});

const zonePath = (id: string) => ({ path: { zone_id: id } });
const projectPath = (id: string) => ({ path: { project_id: id } });

export const readZone = (id: string): Promise<Outcome<Tagged<WorkZone>>> =>
  outcomeOf<WorkZone, Tagged<WorkZone>>(
    api.GET("/api/v1/progress/zones/{zone_id}", { params: zonePath(id) }),
    tagged,
  );

export const createZone = (body: NewZone, key: string): Promise<Outcome<WorkZone>> =>
  outcomeOf<WorkZone>(
    api.POST("/api/v1/progress/zones", { params: { header: { "Idempotency-Key": key } }, body }),
  );

/** 412: somebody else changed it since it was read. */
export const changeZone = (
  { value, etag }: Tagged<WorkZone>,
  body: ZoneChange,
): Promise<Outcome<WorkZone>> =>
  outcomeOf<WorkZone>(
    api.PATCH("/api/v1/progress/zones/{zone_id}", {
      params: { ...zonePath(value.id), header: { "If-Match": etag } },
      body,
    }),
  );

export const deleteZone = ({ value, etag }: Tagged<WorkZone>): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/progress/zones/{zone_id}", {
      params: { ...zonePath(value.id), header: { "If-Match": etag } },
    }),
  );

const surfacePath = (id: string, surface: SurfaceName) => ({
  path: { zone_id: id, surface },
});

export const sendSurfaceFile = (
  id: string,
  surface: SurfaceName,
  file: File,
): Promise<Outcome<Schemas["WorkZoneWithSurface"]>> =>
  outcomeOf(
    api.PUT("/api/v1/progress/zones/{zone_id}/surfaces/{surface}", {
      params: surfacePath(id, surface),
      ...fileBody(file, /\.xml$/i.test(file.name) ? "application/xml" : "image/tiff"),
    }),
  );

export const deleteSurface = (id: string, surface: SurfaceName): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/progress/zones/{zone_id}/surfaces/{surface}", {
      params: surfacePath(id, surface),
    }),
  );

/** Cameras of a project, the first hundred: no site has more. */
export const readCameras = (projectId: string): Promise<Outcome<Schemas["CameraList"]>> =>
  outcomeOf(api.GET("/api/v1/progress/cameras", { params: { query: { project_id: projectId } } }));

export const readCamera = (id: string): Promise<Outcome<Tagged<Camera>>> =>
  outcomeOf<Camera, Tagged<Camera>>(
    api.GET("/api/v1/progress/cameras/{camera_id}", { params: { path: { camera_id: id } } }),
    tagged,
  );

/** 412: somebody else changed it since it was read. */
export const changeCamera = (
  { value, etag }: Tagged<Camera>,
  body: CameraChange,
): Promise<Outcome<Camera>> =>
  outcomeOf<Camera>(
    api.PATCH("/api/v1/progress/cameras/{camera_id}", {
      params: { path: { camera_id: value.id }, header: { "If-Match": etag } },
      body,
    }),
  );

const SCHEDULE_TYPE = "application/octet-stream";

/** What an import of the file would match; nothing is stored. */
export const dryRunSchedule = (projectId: string, file: File): Promise<Outcome<DryRun>> =>
  outcomeOf<DryRun>(
    api.POST("/api/v1/progress/projects/{project_id}/schedule", {
      params: { ...projectPath(projectId), query: { dry_run: true } },
      ...fileBody(file, SCHEDULE_TYPE),
    }),
  );

export const importSchedule = (projectId: string, file: File): Promise<Outcome<Schedule>> =>
  outcomeOf<Schedule>(
    api.PUT("/api/v1/progress/projects/{project_id}/schedule", {
      params: projectPath(projectId),
      ...fileBody(file, SCHEDULE_TYPE),
    }),
  );

export const readSchedule = (projectId: string): Promise<Outcome<Schedule>> =>
  outcomeOf<Schedule>(
    api.GET("/api/v1/progress/projects/{project_id}/schedule", { params: projectPath(projectId) }),
  );

export const readRevisions = (
  projectId: string,
): Promise<Outcome<Schemas["ScheduleRevisionList"]>> =>
  outcomeOf(
    api.GET("/api/v1/progress/projects/{project_id}/schedule/revisions", {
      params: projectPath(projectId),
    }),
  );
