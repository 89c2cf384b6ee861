import type { Changes } from "./changes.ts";

/** The mapping of a type of assets, which is of no project. */
export interface StoredMapping {
  readonly assetType: string;
  /** JSON text of `PayloadMapping` (domain/equipment/payload-mapping.ts); opaque to the store. */
  readonly mapping: string;
  /** ms since the Unix epoch. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A mapping as followers get it. */
export interface MappingRow extends Omit<StoredMapping, "mapping"> {
  /** `undefined`: it was removed. */
  readonly mapping: string | undefined;
  /** Rises with every change of any mapping. */
  readonly revision: number;
}

/**
 * Mappings of payloads by type. An asset whose decoder is "mapping" and a mapping of its type are there
 * together or not at all: `AssetRecords` refuses the one without the other.
 */
export interface PayloadMappingRecords {
  /**
   * Sets the mapping of a type and yields what is stored; the same text again changes nothing. `check` gets what
   * was there, in the transaction of the change; what it throws leaves all as it was.
   * @throws DomainError `LIMIT_REACHED`: a new one, and there are as many as may be.
   */
  put(
    assetType: string,
    mapping: string,
    atMs: number,
    check?: (before: StoredMapping | undefined) => void,
  ): Promise<StoredMapping>;
  find(assetType: string): Promise<StoredMapping | undefined>;
  /** By type, in the order of its code points. */
  list(): Promise<readonly StoredMapping[]>;
  /** `check` as in `put`. @throws DomainError `MAPPING_NOT_FOUND`; `MAPPING_IN_USE` while assets need it. */
  remove(assetType: string, atMs: number, check?: (before: StoredMapping) => void): Promise<void>;
  /** Mappings changed after `revision`, by rising revision; removed ones are marked as such. */
  changesSince(revision: number): Promise<Changes<MappingRow>>;
}
