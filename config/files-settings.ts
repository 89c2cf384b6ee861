import { choice, optionalInteger, optionalText, optionalUrl, secret, text } from "./setting.ts";

/** Where files are kept, and by which addresses others reach them. */
export const FILES_SETTINGS = {
  projectStorageMib: optionalInteger(
    "PROJECT_STORAGE_MIB",
    "Bytes that a project may store, MiB: uploads, surfaces, products and schedules; beyond, they are refused (507). PUT /api/v1/projects/{id}/storage gives a project its own; unset: no quota.",
    { min: 0, max: 2 ** 32 },
  ),
  publicUrl: optionalUrl(
    "PUBLIC_URL",
    "Address that clients reach the API by, for links in answers; unset: the one it listens on.",
    ["http:", "https:"],
  ),
  cdnUrl: optionalUrl(
    "CDN_URL",
    "Address that files are served by; unset: PUBLIC_URL/files, signed.",
    ["http:", "https:"],
  ),
  s3Bucket: optionalText(
    "S3_BUCKET",
    "Bucket of S3-compatible storage for files; unset: DATA_DIR/files.",
  ),
  s3Endpoint: optionalUrl("S3_ENDPOINT", "Address of S3-compatible storage; unset: AWS.", [
    "http:",
    "https:",
  ]),
  s3Region: text("S3_REGION", "Region of the bucket.", "us-east-1"),
  s3AccessKeyId: optionalText(
    "S3_ACCESS_KEY_ID",
    "Access key of the bucket; unset: the usual AWS credential chain.",
  ),
  s3SecretAccessKey: secret("S3_SECRET_ACCESS_KEY", "Secret of S3_ACCESS_KEY_ID.", 1),
  s3PathStyle: choice(
    "S3_PATH_STYLE",
    "Whether the bucket is part of the path, as most self-hosted S3 servers need it, or of the host name.",
    ["true", "false"],
    "false",
  ),
};
