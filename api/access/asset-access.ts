import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Project } from "../../domain/project.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";
import { DetailedError } from "../errors/detailed-error.ts";

/**
 * An asset that the key may see.
 * @throws DomainError `ASSET_NOT_FOUND`, the same for an absent asset and for another tenant's.
 */
export function visibleAsset(
  directory: AssetDirectory,
  request: FastifyRequest,
  assetId: AssetId,
): AssetEntry {
  const entry = directory.find(assetId);
  if (entry === undefined || !seesProject(principal(request), entry.asset.project_id)) {
    throw new DomainError("ASSET_NOT_FOUND", `no asset ${assetId}`);
  }
  return entry;
}

/**
 * A project that the key may see; `parameter` is where the request names it.
 * @throws DetailedError `PROJECT_NOT_FOUND`, as above. It names the parameter: where a body names a project
 * by mistake, "Not found" alone reads as if the route were missing.
 */
export function visibleProject(
  directory: AssetDirectory,
  request: FastifyRequest,
  projectId: ProjectId,
  parameter = "project_id",
): Project {
  const project = directory.project(projectId);
  if (project === undefined || !seesProject(principal(request), projectId)) {
    throw new DetailedError("PROJECT_NOT_FOUND", `no project ${projectId}`, [
      { parameter, message: "names no project that this key may see" },
    ]);
  }
  return project;
}

/**
 * The projects that a list is about, as the record store's filters take them: the one that was asked
 * for, else those of the key; none named for a key that sees all.
 * @throws DomainError `PROJECT_NOT_FOUND` for one that the key may not see.
 */
export function visibleProjects(
  directory: AssetDirectory,
  request: FastifyRequest,
  asked: ProjectId | undefined,
): { readonly projectIds?: readonly ProjectId[] } {
  if (asked !== undefined) return { projectIds: [visibleProject(directory, request, asked).id] };
  const { projectIds } = principal(request);
  return projectIds === undefined ? {} : { projectIds: [...projectIds] };
}
