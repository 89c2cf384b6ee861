import type { FastifyPluginAsync } from "fastify";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { FileLinks } from "../../representations/file-links.ts";
import { surfaceUrls } from "../../representations/surface-urls.ts";
import observations from "./observations.ts";
import zoneReads from "./zone-reads.ts";
import zoneSurfaces from "./zone-surfaces.ts";
import zoneWrites from "./zone-writes.ts";

export interface ZonesOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  /** Absent: no files are kept. */
  readonly files: Files | undefined;
  readonly links: FileLinks | undefined;
  readonly now: () => number;
}

/** Work zones, their surfaces and what people say of them; mounted at `/api/v1/progress`. */
const zones: FastifyPluginAsync<ZonesOptions> = async (app, options) => {
  const { records, directory, files, links, now } = options;
  const parts = {
    records,
    zones: records.workZones,
    directory,
    files,
    surfaceUrl: surfaceUrls(files, now),
    now,
  };
  await app.register(zoneReads, parts);
  await app.register(zoneWrites, parts);
  await app.register(zoneSurfaces, parts);
  await app.register(observations, { records, files, links, now });
};

export default zones;
