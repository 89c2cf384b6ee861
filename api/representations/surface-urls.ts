import { WEEK_MS } from "../../domain/time.ts";
import type { Files } from "../../storage/open.ts";

/** An address that opens a stored surface; `undefined` where no files are served. */
export type SurfaceUrl = (key: string) => string | undefined;

/** How long such an address leads to its surface, ms: as those of measurements. */
const SURFACE_URL_MS = WEEK_MS;

/** Addresses of our own, which a change may name again, whatever store the surfaces are in. */
export function surfaceUrls(files: Pick<Files, "sign"> | undefined, now: () => number): SurfaceUrl {
  return (key) => files?.sign(key, now() + SURFACE_URL_MS);
}
