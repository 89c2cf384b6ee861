import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { Changes } from "./changes.ts";
import type { AssetAssignment } from "./geofences.ts";

/** An asset with what the broker and the followers need to know of it. */
export interface AssetRow {
  readonly asset: AssetRegistration;
  /** HMAC-SHA-256 of the MQTT secret under the pepper, 32 bytes. */
  readonly secretHash: Uint8Array;
  /** Rises with every change of any asset. */
  readonly revision: number;
  readonly deleted: boolean;
}

export interface AssetRecords {
  /**
   * @throws DomainError `ID_CONFLICT` for a taken id or `hardware_id`, `PROJECT_NOT_FOUND`, or
   * `MAPPING_NOT_FOUND` for the decoder "mapping" where the type has none.
   */
  insert(asset: AssetRegistration, secretHash: Uint8Array, mosquittoHash?: string): Promise<void>;
  find(id: AssetId): Promise<AssetRegistration | undefined>;
  /**
   * Replaces a registration by what `change` makes of it, one change after the other, as for
   * projects. A change of `project_id` closes the assignment in force at `atMs` and opens the next.
   * @throws DomainError `ASSET_NOT_FOUND`, `PROJECT_NOT_FOUND`, `MAPPING_NOT_FOUND` as in `insert`, or
   * `ID_CONFLICT` for a `hardware_id` that another asset has.
   */
  update(
    id: AssetId,
    change: (before: AssetRegistration) => AssetRegistration,
    atMs: number,
  ): Promise<void>;
  /** @throws DomainError `ASSET_NOT_FOUND`. */
  setSecret(id: AssetId, secretHash: Uint8Array, mosquittoHash?: string): Promise<void>;
  /** The secrets of all assets for a password file; `undefined`: made before such hashes were kept. */
  mosquittoHashes(): Promise<ReadonlyMap<AssetId, string | undefined>>;
  /** Keeps the row as a tombstone: history stays, the id stays taken. @throws DomainError `ASSET_NOT_FOUND`. */
  delete(id: AssetId, atMs: number): Promise<void>;
  /** Every asset changed after `revision`, tombstones included, by rising revision. */
  changesSince(revision: number): Promise<Changes<AssetRow>>;
  /** Assignments to projects of the given assets, ascending by start; `undefined`: of all assets. */
  assignments(assetIds: readonly AssetId[] | undefined): Promise<readonly AssetAssignment[]>;
}
