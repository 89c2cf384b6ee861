import type { ImageKind } from "./image-kind.ts";

const KEY = /^images\/([0-9a-f]{64})\.(jpg|png|tif|webp)$/;

/** What the keys of uploaded images start with. */
export const IMAGE_KEYS = "images/";

/** Key of an uploaded image in the file store: one for each content. */
export const imageKey = ({ sha256, kind }: ImageKeyParts): string =>
  `${IMAGE_KEYS}${sha256}.${kind}`;

/** Uploads, the pictures of views, the reference pictures of cameras, and photographs of observations. */
const NAMED_BY_CONTENT =
  /^(?:images|captures\/[\w-]+\/views|cameras\/[\w-]+|zones\/[\w-]+\/observations)\/([0-9a-f]{64})\.(?:jpg|png|tif|webp)$/;

/** The hash, hex, in the key of an image that is never replaced by another content; `undefined` for other keys. */
export const contentOfImageKey = (key: string): string | undefined =>
  NAMED_BY_CONTENT.exec(key)?.[1];

export interface ImageKeyParts {
  readonly sha256: string;
  readonly kind: ImageKind;
}

/** What such a key says of its file; `undefined` for keys of other files. */
export function imageKeyParts(key: string): ImageKeyParts | undefined {
  const [, sha256, kind] = KEY.exec(key) ?? [];
  return sha256 === undefined ? undefined : { sha256, kind: kind as ImageKind };
}
