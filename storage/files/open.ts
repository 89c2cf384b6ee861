import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import type { DiskSpace } from "../disk/disk-space.ts";
import type { FileStore } from "../ports/files.ts";
import { openLocalFiles } from "./local.ts";
import { openS3Files } from "./s3.ts";
import type { FileUrlSigner } from "./signed-url.ts";

type FileSettings = Pick<
  Settings,
  | "dataDir"
  | "publicUrl"
  | "cdnUrl"
  | "s3Bucket"
  | "s3Endpoint"
  | "s3Region"
  | "s3AccessKeyId"
  | "s3SecretAccessKey"
  | "s3PathStyle"
>;

/**
 * Opens the file store that the settings ask for: a bucket with `S3_BUCKET`, else `DATA_DIR/files`.
 * `ownUrl` is the address that the API is reached by where `PUBLIC_URL` is not set; `disk` admits what is
 * written to the folder.
 * @throws DomainError `STORE_UNAVAILABLE`, or `SETTINGS_INVALID` when there is no bucket and none can be made.
 */
export async function openFileStore(
  settings: FileSettings,
  signer: FileUrlSigner,
  ownUrl: () => string,
  disk: DiskSpace,
): Promise<FileStore> {
  const { s3Bucket, s3AccessKeyId, s3SecretAccessKey } = settings;
  const baseUrl = () =>
    withoutSlash(settings.cdnUrl ?? `${withoutSlash(settings.publicUrl ?? ownUrl())}/files`);
  if (s3Bucket === undefined) {
    return openLocalFiles({ dir: join(settings.dataDir, "files"), baseUrl, signer, disk });
  }
  return openS3Files({
    bucket: s3Bucket,
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    credentials:
      s3AccessKeyId === undefined || s3SecretAccessKey === undefined
        ? undefined
        : { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
    pathStyle: settings.s3PathStyle === "true",
    publicBaseUrl: baseUrl,
  });
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");
