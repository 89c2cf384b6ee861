import type { Failure } from "./failure.ts";

/** What there was no room for. */
export interface Shortage {
  /** Absent: another program met the full disk, and does not say how much it lacked. */
  readonly room?: { readonly neededBytes: number; readonly leftBytes: number };
  /** Of the project, where its quota is what has no room; absent: it is the disk of the service. */
  readonly quota?: { readonly usedBytes: number; readonly limitBytes: number };
}

/**
 * The room that a request lacked; `undefined`: it failed for another reason. By the details and not by the status:
 * endpoints of the contract say the same with 429 and 500, because they know no 507.
 */
export function shortageOf({ details }: Failure): Shortage | undefined {
  for (const { parameter, bytes_needed, bytes_left, bytes_used, bytes_limit } of details ?? []) {
    if (bytes_needed === undefined || bytes_left === undefined) {
      if (parameter === "disk") return {};
      continue;
    }
    const room = { neededBytes: bytes_needed, leftBytes: bytes_left };
    if (bytes_used === undefined || bytes_limit === undefined) return { room };
    return { room, quota: { usedBytes: bytes_used, limitBytes: bytes_limit } };
  }
  return undefined;
}
