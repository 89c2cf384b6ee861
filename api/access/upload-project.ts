import type { FastifyRequest } from "fastify";
import type { ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { ProjectQuota } from "../../storage/quota/quota.ts";
import { principal } from "../auth/guard.ts";
import { invalidParameter } from "../validation/validation.ts";
import { visibleProject } from "./asset-access.ts";

/**
 * The project that uploads are counted for: the one that is named, or else the only one that the key sees.
 * `undefined`: none. One has to be named where a project that the key sees has a quota: uploads that count
 * for no project would get around it.
 * @throws DomainError `PROJECT_NOT_FOUND`; ParameterError where one has to be named.
 */
export async function uploadProject(
  request: FastifyRequest,
  directory: AssetDirectory,
  named: ProjectId | undefined,
  quota: Pick<ProjectQuota, "isSetFor">,
): Promise<ProjectId | undefined> {
  if (named !== undefined) return visibleProject(directory, request, named).id;
  const { projectIds } = principal(request);
  const [only] = projectIds?.size === 1 ? projectIds : [];
  if (only === undefined && (await quota.isSetFor(projectIds))) {
    throw invalidParameter(
      "project_id",
      "is required, because projects have quotas and the key sees several projects",
    );
  }
  return only;
}
