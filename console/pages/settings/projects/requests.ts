import type { components, operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { fileBody } from "../../../api/file-body.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type Project = Schemas["Project"];
export type ProjectStorage = Schemas["ProjectStorage"];
export type NewProject = Schemas["NewProject"];
export type ProjectChange =
  operations["updateProject"]["requestBody"]["content"]["application/json"];

const MOST = 1_000;
const pathOf = (id: string) => ({ path: { project_id: id } });

/** What is shown of a list. */
interface ListedProjects {
  readonly data: readonly Project[];
  readonly pagination: { readonly total: number };
}

export const readProjectList = (): Promise<Outcome<ListedProjects>> =>
  outcomeOf(api.GET("/api/v1/projects", { params: { query: { limit: MOST } } }));

/** One project as a list of it alone. */
export const readOnlyProject = (id: string): Promise<Outcome<ListedProjects>> =>
  outcomeOf<Project, ListedProjects>(
    api.GET("/api/v1/projects/{project_id}", { params: pathOf(id) }),
    (project) => ({ data: [project], pagination: { total: 1 } }),
  );

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

export const readStorage = (id: string): Promise<Outcome<ProjectStorage>> =>
  outcomeOf(api.GET("/api/v1/projects/{project_id}/storage", { params: pathOf(id) }));

/** The same to be changed: its tag is of the quota alone, whatever is stored meanwhile. */
export const readQuota = (id: string): Promise<Outcome<Tagged<ProjectStorage>>> =>
  outcomeOf<ProjectStorage, Tagged<ProjectStorage>>(
    api.GET("/api/v1/projects/{project_id}/storage", { params: pathOf(id) }),
    tagged,
  );

/**
 * 412: somebody else set another quota since it was read.
 * @param limitMib `null`: that of the installation
 */
export const setQuota = (
  { value, etag }: Tagged<ProjectStorage>,
  limitMib: number | null,
): Promise<Outcome<ProjectStorage>> =>
  outcomeOf<ProjectStorage>(
    api.PUT("/api/v1/projects/{project_id}/storage", {
      params: { ...pathOf(value.project_id), header: { "If-Match": etag } },
      body: { limit_mib: limitMib },
    }),
  );

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
