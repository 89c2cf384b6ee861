import type { FastifyRequest } from "fastify";
import type { Upload } from "../../domain/platform/upload.ts";
import { principal } from "../auth/guard.ts";
import { type Principal, seesProject } from "../auth/principal.ts";
import { Refusal } from "../errors/refusal.ts";
import type { UploadFiles } from "./upload-files.ts";

/**
 * An upload that the key may see: of its projects, or begun with the same key where it is of none.
 * @throws Refusal 404, the same for an absent one and for another tenant's
 */
export async function visibleUpload(
  files: Pick<UploadFiles, "find">,
  request: FastifyRequest,
  id: string,
): Promise<Upload> {
  const found = await files.find(id);
  if (found === undefined || !seesUpload(principal(request), found)) {
    throw new Refusal(404, "not_found", "Not found");
  }
  return found;
}

const seesUpload = (key: Principal, { keyId, projectId }: Upload): boolean =>
  projectId === undefined ? key.keyId === keyId : seesProject(key, projectId);
