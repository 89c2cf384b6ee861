import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Backups } from "../../storage/backup/backup.ts";
import { WRITE_FAILURES } from "../errors/error.ts";

export interface BackupOptions {
  readonly backups: Backups;
  readonly now: () => number;
  /** Called when an archive was read to its end. */
  readonly finished: () => void;
}

/** The embedded stores as one archive, mounted at `/api/v1`; for `admin` keys. */
const backup: FastifyPluginAsyncTypebox<BackupOptions> = async (app, options) => {
  const { backups, now, finished } = options;
  app.get(
    "/backup",
    {
      config: { access: "admin" },
      schema: {
        operationId: "getBackup",
        tags: ["operations"],
        summary: "A backup of the embedded stores, made while the service runs",
        description:
          "A tar archive of the data folder with checksums, for `plumbline restore`. It holds every secret of the installation. 409 while another one is made, and where the records are in PostgreSQL. An archive without `manifest.json` at its end was cut off.",
        response: {
          200: {
            description: "The archive",
            content: { "application/x-tar": { schema: Type.String({ format: "binary" }) } },
          },
          ...WRITE_FAILURES,
        },
      },
    },
    async (_request, reply) => {
      const archive = await backups.create();
      archive.once("end", finished);
      const day = new Date(now()).toISOString().slice(0, 10);
      return reply
        .type("application/x-tar")
        .header("content-disposition", `attachment; filename="plumbline-${day}.tar"`)
        .header("cache-control", "no-store")
        .send(archive);
    },
  );
};

export default backup;
