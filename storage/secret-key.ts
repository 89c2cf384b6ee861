import { randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../domain/errors.ts";

/**
 * The pepper of every stored hash: `SECRET_KEY`, else the one kept in `DATA_DIR/secret.key` (mode
 * 0600), made at the first start.
 * @throws DomainError `STORE_UNAVAILABLE` when the file cannot be read or made.
 */
export async function loadPepper(
  dataDir: string,
  secretKey: string | undefined,
): Promise<Uint8Array> {
  if (secretKey !== undefined) return Buffer.from(secretKey, "utf8");
  const path = join(dataDir, "secret.key");
  try {
    await mkdir(dataDir, { recursive: true });
    return (await readExisting(path)) ?? (await makeNew(path));
  } catch (cause) {
    throw new DomainError("STORE_UNAVAILABLE", `secret key file ${path} cannot be used`, { cause });
  }
}

async function readExisting(path: string): Promise<Uint8Array | undefined> {
  try {
    const key = Buffer.from((await readFile(path, "utf8")).trim(), "base64url");
    if (key.length < 32) throw new Error("shorter than 32 bytes");
    return key;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Losing this key locks every device and API key out, so it is synced before it is used. */
async function makeNew(path: string): Promise<Uint8Array> {
  const key = randomBytes(32);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(`${key.toString("base64url")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return key;
}
