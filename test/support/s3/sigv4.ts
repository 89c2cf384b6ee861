import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, data: string) =>
  createHmac("sha256", key).update(data).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** What a request says about its signature, in its headers or (a presigned address) in its query. */
function claimOf(request: IncomingMessage, query: URLSearchParams) {
  if (query.has("X-Amz-Signature")) {
    return {
      credential: query.get("X-Amz-Credential") ?? "",
      signedHeaders: query.get("X-Amz-SignedHeaders") ?? "",
      signature: query.get("X-Amz-Signature") ?? "",
      date: query.get("X-Amz-Date") ?? "",
      payload: "UNSIGNED-PAYLOAD",
    };
  }
  const header = request.headers.authorization ?? "";
  const part = (name: string) => new RegExp(`${name}=([^, ]+)`).exec(header)?.[1] ?? "";
  return {
    credential: part("Credential"),
    signedHeaders: part("SignedHeaders"),
    signature: part("Signature"),
    date: String(request.headers["x-amz-date"] ?? ""),
    payload: String(request.headers["x-amz-content-sha256"] ?? ""),
  };
}

/**
 * Whether a request carries a true AWS Signature Version 4, reckoned here from its public
 * description, and a body of the hash that was signed. Expiry is the caller's business.
 */
export function isSigned(
  request: IncomingMessage,
  url: URL,
  body: Uint8Array,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string },
): boolean {
  const claim = claimOf(request, url.searchParams);
  const [accessKeyId, day = "", region = "", service = "", end] = claim.credential.split("/");
  if (accessKeyId !== keys.accessKeyId || service !== "s3" || end !== "aws4_request") return false;
  if (claim.payload !== "UNSIGNED-PAYLOAD" && claim.payload !== sha256(body)) return false;
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const names = claim.signedHeaders.split(";");
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`);
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(""),
    claim.signedHeaders,
    claim.payload,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", claim.date, scope, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Uint8Array>(
    hmac,
    `AWS4${keys.secretAccessKey}`,
  );
  return names.includes("host") && hmac(key, text).toString("hex") === claim.signature;
}
