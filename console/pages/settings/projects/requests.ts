import type { components, operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { fileBody } from "../../../api/file-body.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type Project = Schemas["Project"];
export type NewProject = Schemas["NewProject"];
export type ProjectChange =
  operations["updateProject"]["requestBody"]["content"]["application/json"];

const MOST = 1_000;
const pathOf = (id: string) => ({ path: { project_id: id } });

export const readProjectList = (): Promise<Outcome<Schemas["ProjectList"]>> =>
  outcomeOf(api.GET("/api/v1/projects", { params: { query: { limit: MOST } } }));

export const readProject = (id: string): Promise<Outcome<Tagged<Project>>> =>
  outcomeOf<Project, Tagged<Project>>(
    api.GET("/api/v1/projects/{project_id}", { params: pathOf(id) }),
    tagged,
  );

export const createProject = (body: NewProject, key: string): Promise<Outcome<Project>> =>
  outcomeOf<Project>(
    api.POST("/api/v1/projects", { params: { header: { "Idempotency-Key": key } }, body }),
  );

/** 412: somebody else changed it since it was read. */
export const changeProject = (
  { value, etag }: Tagged<Project>,
  body: ProjectChange,
): Promise<Outcome<Project>> =>
  outcomeOf<Project>(
    api.PATCH("/api/v1/projects/{project_id}", {
      params: { ...pathOf(value.id), header: { "If-Match": etag } },
      body,
    }),
  );

export const deleteProject = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(api.DELETE("/api/v1/projects/{project_id}", { params: pathOf(id) }));

export const readStorage = (id: string): Promise<Outcome<Schemas["ProjectStorage"]>> =>
  outcomeOf(api.GET("/api/v1/projects/{project_id}/storage", { params: pathOf(id) }));

/** The type that is named counts for nothing: the service reads what the file is. */
export const sendLogo = (id: string, file: File): Promise<Outcome<Schemas["ProjectLogo"]>> =>
  outcomeOf(
    api.PUT("/api/v1/projects/{project_id}/logo", {
      params: pathOf(id),
      ...fileBody(file, "image/png"),
    }),
  );

export const deleteLogo = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(api.DELETE("/api/v1/projects/{project_id}/logo", { params: pathOf(id) }));
