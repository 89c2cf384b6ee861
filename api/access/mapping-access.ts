import type { FastifyRequest } from "fastify";
import { MAX_TYPE_LENGTH } from "../../domain/equipment/asset.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type {
  PayloadMappingRecords,
  StoredMapping,
} from "../../storage/ports/equipment/payload-mappings.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";
import { invalidParameter, ParameterError } from "../validation/validation.ts";

/** What mappings are read through. */
interface MappingSources {
  readonly mappings: PayloadMappingRecords;
  readonly directory: AssetDirectory;
}

/** Whether an asset may have this type; no other text ever reaches the database. */
export const isTypeName = (text: string): boolean =>
  text.length >= 1 && text.length <= MAX_TYPE_LENGTH && !text.includes("\0");

/**
 * Types are of no project: a key that is limited to some projects sees the mappings of the types that its
 * assets have. `undefined`: it sees all.
 */
export function visibleTypes(
  directory: AssetDirectory,
  request: FastifyRequest,
): ReadonlySet<string> | undefined {
  const key = principal(request);
  if (key.projectIds === undefined) return undefined;
  const types = new Set<string>();
  for (const { asset } of directory.entries()) {
    if (seesProject(key, asset.project_id)) types.add(asset.type);
  }
  return types;
}

/**
 * A mapping that the key may see.
 * @throws DomainError `MAPPING_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleMapping(
  { mappings, directory }: MappingSources,
  request: FastifyRequest,
  assetType: string,
): Promise<StoredMapping> {
  const seen = visibleTypes(directory, request)?.has(assetType) ?? true;
  const found = seen && isTypeName(assetType) ? await mappings.find(assetType) : undefined;
  if (found === undefined) throw new DomainError("MAPPING_NOT_FOUND", `no mapping ${assetType}`);
  return found;
}

/**
 * A change of an asset, refused as a wrong `parameter` where its type has no mapping.
 * @throws ParameterError
 */
export async function explainAbsentMapping<T>(
  change: Promise<T>,
  parameter: "decoder" | "type",
): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "MAPPING_NOT_FOUND") throw error;
    const message =
      'is not possible: the decoder "mapping" needs a mapping of the asset\'s type; PUT /api/v1/equipment/mappings/{asset_type} sets it';
    throw invalidParameter(parameter, message);
  }
}

/** Problems of a mapping at the place in the body where it is: `""` for the whole body. */
export function mappingError(
  problems: readonly { readonly parameter: string; readonly message: string }[],
  place: "" | "mapping",
): ParameterError {
  return new ParameterError(
    problems.map(({ parameter, message }) => ({
      parameter: [place, parameter].filter((part) => part !== "").join(".") || "body",
      message,
    })),
  );
}
