import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { JobDependencies } from "../../dependencies/dependencies.ts";
import type { FileLinks } from "../../representations/file-links.ts";

/** What the routes of cameras and labels use. */
export interface CameraRoutesOptions {
  readonly records: Pick<
    RecordStore,
    "siteCameras" | "workZones" | "captures" | "jobs" | "apiKeys" | "transaction"
  >;
  readonly directory: AssetDirectory;
  readonly files: Files;
  readonly links: FileLinks;
  /** Absent: labels of images that no capture read are not taken. */
  readonly jobs: JobDependencies | undefined;
  readonly now: () => number;
}
