import type { ProjectId } from "../../../domain/ids.ts";
import type { Project } from "../../../domain/project.ts";

export interface ProjectRecords {
  /** @throws DomainError `ID_CONFLICT` when the id is taken. */
  insert(project: Project): Promise<void>;
  list(): Promise<readonly Project[]>;
  find(id: ProjectId): Promise<Project | undefined>;
  /**
   * Replaces a project by what `change` makes of it, and yields that. Changes of one project run one
   * after the other, so that none undoes another; what `change` throws leaves all as it was.
   * @throws DomainError `PROJECT_NOT_FOUND`.
   */
  update(id: ProjectId, change: (before: Project) => Project): Promise<Project>;
  /** @throws DomainError `PROJECT_NOT_FOUND`, or `PROJECT_IN_USE` while it has assets, geofences, stockpiles, work zones or cameras. */
  delete(id: ProjectId): Promise<void>;
}
