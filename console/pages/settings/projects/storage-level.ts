/** What a project has stored of what it may. */
export interface Fill {
  /** Whole percent, rounded down: 100 says that there is no room. Above it where the quota was made smaller. */
  readonly percent: number;
  readonly level: "free" | "near" | "full";
}

/**
 * From which percent on a person is told what to do. A flight is some 5 GB: higher, and the next one of a quota of
 * 50 GiB is refused before anybody was told; lower, and people learn to look past it.
 */
export const NEARLY_FULL = 90;

interface Stored {
  readonly used_bytes: number;
  readonly limit_bytes: number | null;
}

/** `undefined`: without a quota there is nothing to be full. */
export function fillOf({ used_bytes, limit_bytes }: Stored): Fill | undefined {
  if (limit_bytes === null) return undefined;
  if (used_bytes >= limit_bytes) {
    const percent = limit_bytes === 0 ? 100 : Math.floor((100 * used_bytes) / limit_bytes);
    return { percent, level: "full" };
  }
  const percent = Math.floor((100 * used_bytes) / limit_bytes);
  return { percent, level: percent >= NEARLY_FULL ? "near" : "free" };
}

/** A quota that somebody typed, MiB; `null`: that of the installation; `undefined`: no whole number. */
export function typedQuota(text: string): number | null | undefined {
  const written = text.trim();
  if (written === "") return null;
  return /^\d+$/.test(written) ? Number(written) : undefined;
}
