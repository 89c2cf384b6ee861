import type { FastifyRequest } from "fastify";
import type { ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../../ingest/asset-directory.ts";
import { visibleProject } from "../equipment/asset-access.ts";
import { principal } from "../plugins/guard.ts";
import { invalidParameter } from "../plugins/validation.ts";

/**
 * The project that uploads are counted for: the one that is named, or else the only one that the key sees.
 * `undefined`: none.
 * @param isRequired whether projects have quotas, which uploads of nobody would get around
 * @throws DomainError `PROJECT_NOT_FOUND`; ParameterError where one has to be named.
 */
export function uploadProject(
  request: FastifyRequest,
  directory: AssetDirectory,
  named: ProjectId | undefined,
  isRequired: boolean,
): ProjectId | undefined {
  if (named !== undefined) return visibleProject(directory, request, named).id;
  const { projectIds } = principal(request);
  const [only] = projectIds?.size === 1 ? projectIds : [];
  if (only === undefined && isRequired) {
    throw invalidParameter(
      "project_id",
      "is required, because projects have quotas and the key sees several projects",
    );
  }
  return only;
}
