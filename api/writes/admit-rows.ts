import type { FastifyInstance } from "fastify";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Writes no row, whatever its method. */
    storesNothing?: boolean;
  }
}

/** Least space that a write takes, bytes: a page of its table, one of an index, and both in the log. */
const LEAST_BYTES = 32 * 1024;
/** A row is written to its table and to the log, and may be stored with its answer for repetitions. */
const COPIES = 3;
/** Deletions give space back. */
const METHODS = new Set(["POST", "PUT", "PATCH"]);

/**
 * Refuses requests that write rows to the embedded database while its disk has no room but for intake.
 * Bodies that a route reads as a stream are admitted as they are written.
 */
export function admitRows(app: FastifyInstance, disk: DiskSpace): void {
  app.addHook("preHandler", async (request) => {
    const { longBody, storesNothing } = request.routeOptions.config ?? {};
    if (!METHODS.has(request.method) || storesNothing === true || longBody === true) return;
    const bytes = Number(request.headers["content-length"] ?? 0);
    const grant = await disk.reserve("record", Math.max(LEAST_BYTES, COPIES * bytes));
    // A row is written at once: what the file system does not count yet is less than the margin.
    grant.release();
  });
}
