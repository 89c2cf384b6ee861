import { Type } from "typebox";
import { Check } from "typebox/value";
import { DomainError } from "../../domain/errors.ts";

/** Version of the archive. */
const FORMAT = 1;

/** Name of the manifest in the archive; the last entry, so that an archive that was cut off has none. */
export const MANIFEST = "manifest.json";

/** One file of the data folder. */
export interface ManifestFile {
  /** Path below DATA_DIR, parts joined by slashes. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the content, hex. */
  readonly sha256: string;
}

/** What an archive holds. */
export interface Manifest {
  /** ISO 8601. */
  readonly createdAt: string;
  /** Every journal record up to this one is in the archive, in a store or in the journal. */
  readonly journal: { readonly id: string; readonly syncedSequence: number };
  readonly files: readonly ManifestFile[];
}

const StoredManifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  createdAt: Type.String(),
  journal: Type.Object({ id: Type.String(), syncedSequence: Type.Integer() }),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
  ),
});

export function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 1)}\n`);
}

/** @throws DomainError `BACKUP_INVALID`, or `SCHEMA_TOO_NEW` for the archive of a later program. */
export function decodeManifest(text: string): Manifest {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new DomainError("BACKUP_INVALID", "the archive's manifest cannot be read", { cause });
  }
  if (!Check(StoredManifest, content)) {
    throw new DomainError("BACKUP_INVALID", "the archive's manifest is not one of ours");
  }
  if (content.format > FORMAT) {
    throw new DomainError(
      "SCHEMA_TOO_NEW",
      `the archive has format ${content.format}, this program knows ${FORMAT}`,
    );
  }
  return content;
}
