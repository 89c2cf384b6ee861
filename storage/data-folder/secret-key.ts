import { hkdfSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { makeFileOnce } from "./small-file.ts";

const KEY_BYTES = 32;

/** Where the key is kept when `SECRET_KEY` is not set. */
export const secretKeyPath = (dataDir: string): string => join(dataDir, "secret.key");

/**
 * The key of every stored hash and sealed secret: `SECRET_KEY`, else the one in `DATA_DIR/secret.key`.
 * `undefined`: neither is there. An empty file holds nothing: a kill in the middle of the first start left it.
 * @throws DomainError `STORE_UNAVAILABLE` when the file cannot be read or holds no key.
 */
export async function readSecretKey(
  dataDir: string,
  secretKey: string | undefined,
): Promise<Uint8Array | undefined> {
  if (secretKey !== undefined) return Buffer.from(secretKey, "utf8");
  const path = secretKeyPath(dataDir);
  try {
    const text = await readFile(path, "utf8");
    return text === "" ? undefined : decodeSecretKey(text);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    const message = `the secret key file ${path} cannot be used: put the file of a backup in its place`;
    throw new DomainError("STORE_UNAVAILABLE", message, { cause });
  }
}

/** The key in the text of a key file. @throws Error for a text that holds none. */
export function decodeSecretKey(text: string): Uint8Array {
  const key = Buffer.from(text.trim(), "base64url");
  if (key.length < KEY_BYTES) throw new Error(`it holds less than ${KEY_BYTES} bytes in base64url`);
  return key;
}

/**
 * Makes a new `DATA_DIR/secret.key` (mode 0600). Losing it locks out every device and API key, so it
 * is synced before it is used.
 * @throws DomainError `STORE_UNAVAILABLE` when the file exists or cannot be written.
 */
export async function makeSecretKey(dataDir: string): Promise<Uint8Array> {
  const path = secretKeyPath(dataDir);
  const key = randomBytes(KEY_BYTES);
  try {
    await makeFileOnce(path, `${key.toString("base64url")}\n`);
    return key;
  } catch (cause) {
    throw new DomainError("STORE_UNAVAILABLE", `secret key file ${path} cannot be made`, { cause });
  }
}

/** A value that distinguishes two keys and does not reveal the key (HKDF-SHA-256, RFC 5869), 32 bytes. */
export function secretCheckValue(key: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", "plumbline secret key check", 32));
}
