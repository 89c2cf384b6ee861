import { batch, signal } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { keepInAddress } from "./address.ts";
import { perSession } from "./per-session.ts";

/** A project that the key may see. */
type Project = components["schemas"]["Project"];

const PAGE = 100;

/** All that the key may see, by name. */
export const projects = perSession<readonly Project[]>([]);

/** Whether that list was read: an empty one before says nothing. */
export const areProjectsRead = perSession(false);

/** The one that the pages show; `undefined`: all. The address keeps it (`?project=`). */
export const projectId = signal<string | undefined>(
  new URLSearchParams(location.search).get("project") ?? undefined,
);

/** Projects to choose from: ids and names. */
export const projectChoices = (): readonly (readonly [id: string, name: string])[] =>
  projects.value.map(({ id, name }) => [id, name]);

/** Shows one project, or all. */
export function chooseProject(id: string | undefined): void {
  projectId.value = id;
  keepInAddress("project", id);
}

/** Reads the projects; without them the choice has only `all`. */
export async function readProjects(): Promise<void> {
  const found: Project[] = [];
  let isWhole = true;
  for (;;) {
    const { data } = await api
      .GET("/api/v1/projects", { params: { query: { limit: PAGE, offset: found.length } } })
      .catch(() => ({ data: undefined }));
    found.push(...(data?.data ?? []));
    isWhole = data !== undefined;
    if (data?.pagination.has_more !== true) break;
  }
  batch(() => {
    projects.value = found.sort((a, b) => a.name.localeCompare(b.name));
    areProjectsRead.value = isWhole;
  });
}
