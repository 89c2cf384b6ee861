import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { isSigned } from "./sigv4.ts";

interface StoredObject {
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string;
  readonly modified: Date;
}

/** A server of our own that answers as S3's public API describes. It is not S3, nor MinIO. */
export interface S3Server {
  readonly url: string;
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** Uploads in parts that were neither completed nor aborted. */
  readonly openUploads: number;
  /** Requests by what they did, as `PUT part`. */
  readonly seen: readonly string[];
  /** Answers the next requests with that status, as a service in trouble does. */
  failNext(count: number, status: number): void;
  close(): Promise<void>;
}

const KEYS_PER_PAGE = 2;
const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Path-style addresses only: `/bucket/key`. Every request must be signed. */
export async function startS3Server(
  bucket: string,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string },
  { hasBucket = true, mayCreate = true } = {},
): Promise<S3Server> {
  let exists = hasBucket;
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const seen: string[] = [];
  let failing = { count: 0, status: 500 };

  function put(key: string, body: Buffer, contentType: string, suffix = ""): string {
    const etag = `"${createHash("md5").update(body).digest("hex")}${suffix}"`;
    objects.set(key, { body, contentType, etag, modified: new Date() });
    return etag;
  }

  function list(query: URLSearchParams): string {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const found = [...objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const page = found.slice(0, KEYS_PER_PAGE);
    const more = found.length > page.length;
    const contents = page.map(
      ([key, { body, etag, modified }]) =>
        `<Contents><Key>${escapeXml(key)}</Key><LastModified>${modified.toISOString()}</LastModified><ETag>${escapeXml(etag)}</ETag><Size>${body.length}</Size></Contents>`,
    );
    const token = more ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : "";
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${token}${contents.join("")}</ListBucketResult>`;
  }

  function answer(request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer) {
    const { method } = request;
    const [, name, ...rest] = decodeURIComponent(url.pathname).split("/");
    const key = rest.join("/");
    const query = url.searchParams;
    const uploadId = query.get("uploadId") ?? "";
    const parts = uploads.get(uploadId);
    const error = (status: number, code: string) => {
      response.writeHead(status, { "content-type": "application/xml" });
      const text = `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
      response.end(method === "HEAD" ? undefined : text);
    };
    const xml = (text: string) => {
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
    };
    if (key === "" && method === "PUT") {
      if (!mayCreate) return error(403, "AccessDenied");
      if (exists) return error(409, "BucketAlreadyOwnedByYou");
      exists = true;
      return response.end();
    }
    if (name !== bucket || !exists) return error(404, "NoSuchBucket");
    if (key === "") return method === "HEAD" ? response.end() : xml(list(query));
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, new Map());
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (uploadId !== "" && parts === undefined) return error(404, "NoSuchUpload");
    if (parts !== undefined && method === "PUT") {
      parts.set(Number(query.get("partNumber")), body);
      response.setHeader("etag", `"${createHash("md5").update(body).digest("hex")}"`);
      return response.end();
    }
    if (parts !== undefined && method === "DELETE") {
      uploads.delete(uploadId);
      response.writeHead(204);
      return response.end();
    }
    if (parts !== undefined && method === "POST") {
      const ordered = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      if (ordered.slice(0, -1).some((part) => part.length < 5 * 1024 ** 2)) {
        return error(400, "EntityTooSmall");
      }
      const etag = put(key, Buffer.concat(ordered), "", `-${ordered.length}`);
      uploads.delete(uploadId);
      return xml(
        `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`,
      );
    }
    if (method === "PUT") {
      response.setHeader("etag", put(key, body, String(request.headers["content-type"] ?? "")));
      return response.end();
    }
    if (method === "DELETE") {
      objects.delete(key);
      response.writeHead(204);
      return response.end();
    }
    const object = objects.get(key);
    if (object === undefined) return error(404, "NoSuchKey");
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const first = Number(from ?? 0);
    const last = Math.min(Number(to ?? object.body.length - 1), object.body.length - 1);
    response.writeHead(from === undefined ? 200 : 206, {
      etag: object.etag,
      "last-modified": object.modified.toUTCString(),
      "content-length": last - first + 1,
      "content-type": object.contentType,
      ...(from === undefined
        ? {}
        : { "content-range": `bytes ${first}-${last}/${object.body.length}` }),
    });
    return response.end(method === "HEAD" ? undefined : object.body.subarray(first, last + 1));
  }

  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const url = new URL(request.url ?? "/", "http://s3.test");
        const part = url.searchParams.has("partNumber") ? " part" : "";
        seen.push(`${request.method}${part}`);
        if (failing.count > 0) {
          failing.count -= 1;
          response.writeHead(failing.status);
          response.end();
        } else if (!isSigned(request, url, body, keys)) {
          response.writeHead(403, { "content-type": "application/xml" });
          response.end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
        } else {
          answer(request, response, url, body);
        }
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    get openUploads() {
      return uploads.size;
    },
    seen,
    failNext(count, status) {
      failing = { count, status };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
