import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { DomainError } from "../../domain/errors.ts";
import { contentTypeOf, isFileKey, isPublicFile } from "../../domain/platform/file-key.ts";
import { DAY_MS, SECOND_MS } from "../../domain/time.ts";
import type { ByteRange, FileStore, OpenedFile, StoredFile } from "../ports/files.ts";
import { s3Body } from "./s3-body.ts";
import { isMisconfigured, s3Failure, s3Reason, statusOf } from "./s3-failure.ts";
import { limitedStream } from "./size-limit.ts";

/** Longest that S3 lets a signed address live, s: 7 days. */
const LONGEST_SIGNATURE_S = 7 * 24 * 3_600;
/** Attempts of one request, with the SDK's own growing pauses between them. */
const ATTEMPTS = 4;
/** Part of a large upload, bytes; 4 of them in memory and under way. S3 wants 5 MiB or more. */
const PART_BYTES = 8 * 1024 ** 2;
/**
 * Requests of one process at a time. Each file that a client reads slowly holds one of them: with the SDK's 50, as
 * many such clients would keep everybody from the files.
 */
const CONNECTIONS = 1_000;
/**
 * Age from which an upload in parts that nobody ended is taken back, ms. A killed process leaves such parts, which
 * take space and are in no list of files. No upload of ours lasts longer than an hour.
 */
const LEFT_BEHIND_MS = DAY_MS;

/**
 * Longest waits, ms: `answer` for the first byte of an answer, `part` for a part of 8 MiB and its answer, `idle` for
 * more of a body. A server that takes a connection and then is silent would hold a job, or a client, for ever. A
 * shorter `part` refuses slow lines: 120 s are 70 KB/s.
 */
const WAITS = { answer: 20_000, part: 120_000, idle: 30_000 };

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
  readonly waits?: typeof WAITS;
  /** See {@link LEFT_BEHIND_MS}. */
  readonly leftBehindMs?: number;
}

/** What is used of the SDK, which is loaded only when it is asked for. */
interface S3Sdk {
  readonly s3: typeof import("@aws-sdk/client-s3");
  readonly Upload: typeof import("@aws-sdk/lib-storage").Upload;
  readonly getSignedUrl: typeof import("@aws-sdk/s3-request-presigner").getSignedUrl;
}

/**
 * Opens the files in a bucket of S3 or of a service that speaks its protocol. Makes the bucket where there is
 * none. Large files go up in parts; an upload that fails is aborted, and one that a killed process left a day ago.
 * @throws DomainError `SETTINGS_INVALID`, with the setting, when the server refuses the credentials, or there is no
 * bucket and none can be made; `STORE_UNAVAILABLE` when it is away.
 */
export async function openS3Files(options: S3FilesOptions): Promise<FileStore> {
  const s3 = await import("@aws-sdk/client-s3");
  const { Upload } = await import("@aws-sdk/lib-storage");
  const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
  const files = new S3Files(options, { s3, Upload, getSignedUrl });
  try {
    await files.openBucket();
    await files.abortLeftUploads(Date.now() - (options.leftBehindMs ?? LEFT_BEHIND_MS));
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
  readonly #idleMs: number;
  /** Of every request but those of uploads. */
  readonly #timely: { readonly requestTimeout: number };

  constructor(options: S3FilesOptions, sdk: S3Sdk) {
    this.#sdk = sdk;
    this.#bucket = options.bucket;
    this.#publicBaseUrl = options.publicBaseUrl;
    const waits = options.waits ?? WAITS;
    this.#idleMs = waits.idle;
    this.#timely = { requestTimeout: waits.answer };
    this.#client = new sdk.s3.S3Client({
      region: options.region,
      forcePathStyle: options.pathStyle,
      maxAttempts: ATTEMPTS,
      // Checksums that S3-compatible services of a few years ago do not know are sent where required only.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: waits.answer,
        requestTimeout: waits.part,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: CONNECTIONS },
        httpsAgent: { maxSockets: CONNECTIONS },
      },
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    });
  }

  /** Makes the bucket where there is none. @throws DomainError as {@link openS3Files}. */
  async openBucket(): Promise<void> {
    try {
      await this.#headBucket();
    } catch (error) {
      if (statusOf(error) === 404) await this.#makeBucket();
      else if (statusOf(error) === undefined && !isMisconfigured(error)) throw s3Failure(error);
      else await this.#explainRefusal();
    }
  }

  /** Takes back uploads in parts that began before `beforeMs` and were not ended. What fails stays for the next start. */
  async abortLeftUploads(beforeMs: number): Promise<void> {
    const Bucket = this.#bucket;
    const { ListMultipartUploadsCommand, AbortMultipartUploadCommand } = this.#sdk.s3;
    // Not every server knows this, and not every credential may.
    await this.#client
      .send(new ListMultipartUploadsCommand({ Bucket }), this.#timely)
      .then(async ({ Uploads = [] }) => {
        for (const { Key, UploadId, Initiated } of Uploads) {
          const isLeft = Initiated !== undefined && Initiated.getTime() < beforeMs;
          if (!isLeft || Key === undefined || !isFileKey(Key)) continue;
          const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
          await this.#client.send(abort, this.#timely);
        }
      })
      .catch(() => undefined);
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
      throw failure ?? s3Failure(error);
    }
    const stored = await this.stat(key);
    if (stored === undefined) throw s3Failure(new Error(`${key} is gone after its upload`));
    return stored;
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    if (!isFileKey(key)) return undefined;
    const request = new this.#sdk.s3.HeadObjectCommand({ Bucket: this.#bucket, Key: key });
    const head = await guarded(() =>
      absentAsUndefined(this.#client.send(request, this.#timely), async () => {
        // The answer to HEAD has no words: without a bucket every file would seem to be gone.
        await this.#headBucket().catch((error: unknown) => {
          throw statusOf(error) === 404 ? this.#bucketIsGone(error) : error;
        });
      }),
    );
    return head && storedFile(key, head.ContentLength, head.ETag, head.LastModified);
  }

  async get(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    if (!isFileKey(key)) return undefined;
    const Range = range && `bytes=${range.first}-${range.last}`;
    const request = new this.#sdk.s3.GetObjectCommand({ Bucket: this.#bucket, Key: key, Range });
    const found = await guarded(() =>
      absentAsUndefined(this.#client.send(request, this.#timely), async (error) => {
        if (isMisconfigured(error)) throw this.#bucketIsGone(error);
      }),
    );
    if (found === undefined) return undefined;
    if (!(found.Body instanceof Readable)) throw s3Failure(new Error(`${key} has no body`));
    const total = found.ContentRange?.split("/").at(-1);
    const bytes = total === undefined ? found.ContentLength : Number(total);
    return {
      file: storedFile(key, bytes, found.ETag, found.LastModified),
      body: s3Body(found.Body, this.#idleMs),
    };
  }

  async delete(key: string): Promise<void> {
    if (!isFileKey(key)) return;
    const request = new this.#sdk.s3.DeleteObjectCommand({ Bucket: this.#bucket, Key: key });
    await guarded(() => this.#client.send(request, this.#timely));
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    let token: string | undefined;
    do {
      const request = new this.#sdk.s3.ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: token,
      });
      const page = await guarded(() => this.#client.send(request, this.#timely));
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

  async #headBucket(): Promise<void> {
    const request = new this.#sdk.s3.HeadBucketCommand({ Bucket: this.#bucket });
    await this.#client.send(request, this.#timely);
  }

  #bucketIsGone(cause: unknown): DomainError {
    const message = `the file store (S3): there is no bucket "${this.#bucket}" (S3_BUCKET) any more`;
    return new DomainError("STORE_UNAVAILABLE", message, { cause });
  }

  /** Asks again in a way whose answer has words, unlike that to HEAD. @throws DomainError as {@link openS3Files}. */
  async #explainRefusal(): Promise<void> {
    const { ListObjectsV2Command } = this.#sdk.s3;
    try {
      const request = new ListObjectsV2Command({ Bucket: this.#bucket, MaxKeys: 1 });
      await this.#client.send(request, this.#timely);
    } catch (error) {
      if (!isMisconfigured(error)) throw s3Failure(error);
      const message = `bucket "${this.#bucket}" cannot be used: ${s3Reason(error)}`;
      throw new DomainError("SETTINGS_INVALID", message, { cause: error });
    }
  }

  /** Several processes may start at once. */
  async #makeBucket(): Promise<void> {
    try {
      const request = new this.#sdk.s3.CreateBucketCommand({ Bucket: this.#bucket });
      await this.#client.send(request, this.#timely);
    } catch (error) {
      const status = statusOf(error);
      if (status === 409) return;
      if (status === undefined || status >= 500) throw s3Failure(error);
      throw new DomainError(
        "SETTINGS_INVALID",
        `S3_BUCKET: there is no bucket "${this.#bucket}", and it cannot be made (create it, or set credentials that may): ${s3Reason(error)}`,
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

/** `undefined` for an answer 404, after `check` has seen it: the bucket, and not the file, may be what is gone. */
async function absentAsUndefined<T>(
  work: Promise<T>,
  check: (error: unknown) => Promise<void>,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    await check(error);
    return undefined;
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw s3Failure(error);
  }
}
