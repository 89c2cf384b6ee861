import type { AssetId, ProjectId } from "../../domain/ids.ts";

/** What is derived from an asset's fences holds as long as this is current. */
export interface FenceEra {
  readonly isCurrent: boolean;
}

interface OpenEra {
  isCurrent: boolean;
  /** Whose fences the asset has or had. */
  readonly projects: readonly ProjectId[];
}

/**
 * One era for each asset whose fences somebody asked about, ended by what changes these fences alone: a tenant who
 * edits fences all day must not have the machines of others looked for anew. Asking an era costs one field.
 */
export class FenceEras {
  readonly #byAsset = new Map<AssetId, OpenEra>();
  readonly #byProject = new Map<ProjectId, Set<OpenEra>>();

  /** @param projects of all its assignments */
  of(assetId: AssetId, projects: () => readonly ProjectId[]): FenceEra {
    const known = this.#byAsset.get(assetId);
    if (known?.isCurrent === true) return known;
    const era = { isCurrent: true, projects: projects() };
    this.#byAsset.set(assetId, era);
    for (const project of era.projects) {
      const eras = this.#byProject.get(project);
      if (eras === undefined) this.#byProject.set(project, new Set([era]));
      else eras.add(era);
    }
    return era;
  }

  endOfAsset(assetId: AssetId): void {
    const era = this.#byAsset.get(assetId);
    if (era === undefined) return;
    this.#byAsset.delete(assetId);
    this.#end(era);
  }

  endOfProject(projectId: ProjectId): void {
    for (const era of [...(this.#byProject.get(projectId) ?? [])]) this.#end(era);
  }

  #end(era: OpenEra): void {
    era.isCurrent = false;
    for (const project of era.projects) {
      const eras = this.#byProject.get(project);
      eras?.delete(era);
      if (eras?.size === 0) this.#byProject.delete(project);
    }
  }
}
