import { Readable } from "node:stream";
import type { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { DomainError } from "../../domain/errors.ts";
import { contentTypeOf, isFileKey, isPublicFile } from "../../domain/platform/file-key.ts";
import { DAY_MS, SECOND_MS } from "../../domain/time.ts";
import type { ByteRange, FileStore, OpenedFile, StoredFile } from "../ports/files.ts";
import { limitedStream } from "./size-limit.ts";

/** Longest that S3 lets a signed address live, s: 7 days. */
const LONGEST_SIGNATURE_S = 7 * 24 * 3_600;
/** Attempts of one request, with the SDK's own growing pauses between them. */
const ATTEMPTS = 4;
/** Part of a large upload, bytes; 4 of them in memory and under way. S3 wants 5 MiB or more. */
const PART_BYTES = 8 * 1024 ** 2;

export interface S3FilesOptions {
  readonly bucket: string;
  /** Address of an S3-compatible service; `undefined`: AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** `undefined`: the usual AWS credential chain. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
  readonly pathStyle: boolean;
  /** Address that files below `public/` are served by, without a slash at its end. */
  readonly publicBaseUrl: () => string;
}

/** What is used of the SDK, which is loaded only when it is asked for. */
interface S3Sdk {
  readonly s3: typeof import("@aws-sdk/client-s3");
  readonly Upload: typeof import("@aws-sdk/lib-storage").Upload;
  readonly getSignedUrl: typeof import("@aws-sdk/s3-request-presigner").getSignedUrl;
}

/**
 * Opens the files in a bucket of S3 or of a service that speaks its protocol. Makes the bucket where there is
 * none. Large files go up in parts; an upload that fails is aborted.
 * @throws DomainError `SETTINGS_INVALID` when there is no bucket and none can be made,
 * `STORE_UNAVAILABLE`.
 */
export async function openS3Files(options: S3FilesOptions): Promise<FileStore> {
  const s3 = await import("@aws-sdk/client-s3");
  const { Upload } = await import("@aws-sdk/lib-storage");
  const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
  const files = new S3Files(options, { s3, Upload, getSignedUrl });
  try {
    await files.openBucket();
  } catch (error) {
    await files.close();
    throw error;
  }
  return files;
}

class S3Files implements FileStore {
  readonly #sdk: S3Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #publicBaseUrl: () => string;

  constructor(options: S3FilesOptions, sdk: S3Sdk) {
    this.#sdk = sdk;
    this.#bucket = options.bucket;
    this.#publicBaseUrl = options.publicBaseUrl;
    this.#client = new sdk.s3.S3Client({
      region: options.region,
      forcePathStyle: options.pathStyle,
      maxAttempts: ATTEMPTS,
      // Checksums that S3-compatible services of a few years ago do not know are sent where required only.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    });
  }

  /** Makes the bucket where there is none. @throws DomainError as {@link openS3Files}. */
  async openBucket(): Promise<void> {
    try {
      await this.#client.send(new this.#sdk.s3.HeadBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      if (statusOf(error) !== 404) throw unavailable(error);
      await this.#makeBucket();
    }
  }

  async put(
    key: string,
    content: Readable | Uint8Array,
    { maxBytes = Number.POSITIVE_INFINITY }: { readonly maxBytes?: number } = {},
  ): Promise<StoredFile> {
    if (!isFileKey(key)) throw new RangeError(`not a file key: ${key}`);
    const body = limitedStream(content, maxBytes);
    // The SDK may see the stream end where it failed: what failed is kept here and thrown below.
    let failure: unknown;
    body.once("error", (error) => {
      failure = error;
      void upload.abort();
    });
    const upload = new this.#sdk.Upload({
      client: this.#client,
      partSize: PART_BYTES,
      params: { Bucket: this.#bucket, Key: key, Body: body, ContentType: contentTypeOf(key) },
    });
    try {
      await upload.done();
    } catch (error) {
      body.destroy();
      throw failure ?? unavailable(error);
    }
    const stored = await this.stat(key);
    if (stored === undefined) throw unavailable(new Error(`${key} is gone after its upload`));
    return stored;
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    if (!isFileKey(key)) return undefined;
    const head = await guarded(() =>
      absentAsUndefined(
        this.#client.send(new this.#sdk.s3.HeadObjectCommand({ Bucket: this.#bucket, Key: key })),
      ),
    );
    return head && storedFile(key, head.ContentLength, head.ETag, head.LastModified);
  }

  async get(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    if (!isFileKey(key)) return undefined;
    const Range = range && `bytes=${range.first}-${range.last}`;
    const request = new this.#sdk.s3.GetObjectCommand({ Bucket: this.#bucket, Key: key, Range });
    const found = await guarded(() => absentAsUndefined(this.#client.send(request)));
    if (found === undefined) return undefined;
    if (!(found.Body instanceof Readable)) throw unavailable(new Error(`${key} has no body`));
    const total = found.ContentRange?.split("/").at(-1);
    const bytes = total === undefined ? found.ContentLength : Number(total);
    return { file: storedFile(key, bytes, found.ETag, found.LastModified), body: found.Body };
  }

  async delete(key: string): Promise<void> {
    if (!isFileKey(key)) return;
    const request = new this.#sdk.s3.DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
    await guarded(() => this.#client.send(request));
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    let token: string | undefined;
    do {
      const request = new this.#sdk.s3.ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: token,
      });
      const page = await guarded(() => this.#client.send(request));
      for (const { Key: key, Size, ETag, LastModified } of page.Contents ?? []) {
        if (key !== undefined && isFileKey(key)) yield storedFile(key, Size, ETag, LastModified);
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async url(key: string, expiresAtMs: number): Promise<string> {
    if (isPublicFile(key)) return `${this.#publicBaseUrl()}/${key}`;
    // As if signed whole days before its end: one end then has one address for a day, which caches know again.
    const leftMs = expiresAtMs - Date.now();
    const signedAtMs = Math.min(Date.now(), expiresAtMs - Math.ceil(leftMs / DAY_MS) * DAY_MS);
    const lastsS = Math.max(1, Math.ceil((expiresAtMs - signedAtMs) / SECOND_MS));
    const request = new this.#sdk.s3.GetObjectCommand({ Bucket: this.#bucket, Key: key });
    return this.#sdk.getSignedUrl(this.#client, request, {
      signingDate: new Date(signedAtMs),
      expiresIn: Math.min(lastsS, LONGEST_SIGNATURE_S),
    });
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  /** Several processes may start at once. */
  async #makeBucket(): Promise<void> {
    try {
      await this.#client.send(new this.#sdk.s3.CreateBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      if (statusOf(error) === 409) return;
      throw new DomainError(
        "SETTINGS_INVALID",
        `S3_BUCKET: there is no bucket "${this.#bucket}", and it cannot be made: create it, or set credentials that may`,
        { cause: error },
      );
    }
  }
}

function storedFile(
  key: string,
  bytes: number | undefined,
  etag: string | undefined,
  modified: Date | undefined,
): StoredFile {
  return {
    key,
    bytes: bytes ?? 0,
    etag: (etag ?? "").replaceAll('"', ""),
    modifiedAtMs: modified?.getTime() ?? 0,
  };
}

function statusOf(error: unknown): number | undefined {
  return (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;
}

async function absentAsUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): DomainError {
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new DomainError("STORE_UNAVAILABLE", `the file store (S3): ${reason}`, { cause });
}
