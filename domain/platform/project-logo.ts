import type { ProjectId } from "../ids.ts";

/** Folder of a project's own files in the file store. */
export const projectFolder = (id: ProjectId): string => `projects/${id}/`;

/** Key of a project's logo, a PNG that this service made. */
export const projectLogoKey = (id: ProjectId): string => `${projectFolder(id)}logo.png`;
