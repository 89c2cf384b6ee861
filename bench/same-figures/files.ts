import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Plainer } from "./by-nature.ts";
import type { Entry } from "./lists.ts";
import type { Side } from "./side.ts";

/** What the upload of images answers is the body that names them in other requests. */
export async function uploaded(
  side: Side,
  images: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[],
): Promise<{ readonly images: readonly { readonly name: string; readonly url: string }[] }> {
  const form = new FormData();
  for (const { name, bytes } of images) {
    form.append("images", new Blob([bytes], { type: "image/jpeg" }), name);
  }
  return (await side.expect("POST", "/progress/images", form)) as {
    readonly images: readonly { readonly name: string; readonly url: string }[];
  };
}

/** Files of this machine, to be uploaded. */
export async function filesAt(paths: readonly string[]) {
  return await Promise.all(
    paths.map(async (path) => ({
      name: basename(path),
      bytes: new Uint8Array(await readFile(path)),
    })),
  );
}

/** Every file that an answer names by a field `..._url`: text line by line, anything else as a hash of its bytes. */
export async function namedFiles(side: Side, answer: Entry): Promise<ReadonlyMap<string, unknown>> {
  const files = new Map<string, unknown>();
  for (const [name, url] of Object.entries(answer)) {
    if (!name.endsWith("_url") || typeof url !== "string") continue;
    // 501 where there is no Chromium that prints the page.
    const { status, type, bytes } = await side.open(url);
    files.set(name, { status, content: isText(type) ? textLines(bytes) : hashOf(bytes) });
  }
  return files;
}

const isText = (type: string): boolean => /^text\/|json|xml/.test(type);

/** A line for each tag of a page that is one long line, so that a difference can be named. */
const textLines = (bytes: Buffer): readonly string[] =>
  new Plainer().text(bytes.toString()).split(/\n|(?<=>)(?=<)/);

const hashOf = (bytes: Buffer): string =>
  `${bytes.length} bytes, SHA-256 ${createHash("sha256").update(bytes).digest("hex")}`;
