import type { FileStore } from "../../../storage/ports/files.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import type { SiteCameraRecords } from "../../../storage/ports/sites/site-cameras.ts";
import type { ImageFolder } from "../../images/files/image-folder.ts";
import type { ImageResolver } from "../../images/resolve-images.ts";
import type { WorkerPool } from "../../pool/pool.ts";

/** What captures of fixed cameras and by hand are worked on with. */
export interface CameraTools {
  readonly pool: Pick<WorkerPool, "run">;
  readonly images: ImageResolver;
  /** Holds reference views on this machine. */
  readonly folder: Pick<ImageFolder, "find" | "keep">;
  readonly files: FileStore;
  readonly siteCameras: Pick<SiteCameraRecords, "list" | "labels">;
  readonly captures: Pick<CaptureRecords, "list">;
}
