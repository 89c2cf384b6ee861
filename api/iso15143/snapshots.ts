import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { visibleEquipment, visibleFleet } from "../access/asset-access.ts";
import { NOT_MODIFIED } from "../errors/error.ts";
import { namedTag, tagHash } from "../representations/entity-tag.ts";
import { equipmentDocument, fleetDocument } from "./documents.ts";
import { equipmentSnapshot } from "./equipment-snapshot.ts";
import { ISO_FAILURES } from "./failures.ts";
import { checkPage, linksOf, PAGE_SIZE, pagesOf, readPage } from "./page.ts";
import { CONTENT_TYPES, type Representation, representationOf } from "./representation.ts";
import { EquipmentBody, FleetBody, xmlOrJson } from "./schemas.ts";
import { isoSecond } from "./section.ts";

export interface SnapshotOptions {
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** Machines as they are now, from memory; mounted at the root of ISO 15143-3. */
const snapshots: FastifyPluginAsyncTypebox<SnapshotOptions> = async (app, options) => {
  const { directory, live, now } = options;

  app.get(
    "/Fleet/:page",
    {
      config: { access: "equipment:read", basic: true },
      schema: {
        operationId: "getIsoFleet",
        tags: ["equipment"],
        summary: "Every machine the key may see, by ISO 15143-3 (AEMP 2.0), 100 on a page",
        security: [{ bearer: [] }, { basic: [] }],
        params: Type.Object({ page: Type.String({ description: "From 1 on" }) }),
        response: {
          200: xmlOrJson("A page of machines", FleetBody),
          ...NOT_MODIFIED,
          ...ISO_FAILURES,
        },
      },
    },
    async (request, reply) => {
      const page = readPage(request.params.page);
      const fleet = visibleFleet(directory, request);
      const pages = pagesOf(fleet.length);
      checkPage(page, pages);
      const entries = fleet.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      const equipment = entries.map(({ asset }) => equipmentSnapshot(asset, live.state(asset.id)));
      const links = linksOf("/iso15143-3/Fleet", page, pages);
      return sendSnapshot(request, reply, (snapshotMs, form) =>
        fleetDocument({ equipment, links }, snapshotMs, form),
      );
    },
  );

  app.get(
    "/Fleet/Equipment/:equipment_id",
    {
      config: { access: "equipment:read", basic: true },
      schema: {
        operationId: "getIsoEquipment",
        tags: ["equipment"],
        summary: "One machine by ISO 15143-3 (AEMP 2.0)",
        security: [{ bearer: [] }, { basic: [] }],
        params: Type.Object({
          equipment_id: Type.String({
            description: "Asset id, hardware id such as a PIN, or serial number",
          }),
        }),
        response: {
          200: xmlOrJson("The machine", EquipmentBody),
          ...NOT_MODIFIED,
          ...ISO_FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { asset } = visibleEquipment(directory, request, request.params.equipment_id);
      const equipment = equipmentSnapshot(asset, live.state(asset.id));
      return sendSnapshot(request, reply, (snapshotMs, form) =>
        equipmentDocument(equipment, snapshotMs, form),
      );
    },
  );

  /** Answers with a document, or with 304 to a client that has it, the time of the snapshot aside. */
  function sendSnapshot(
    request: FastifyRequest,
    reply: FastifyReply,
    write: (snapshotMs: number, form: Representation) => string,
  ): FastifyReply {
    const form = representationOf(request.headers.accept);
    const snapshotMs = now();
    const document = write(snapshotMs, form);
    // Its first time is that of the snapshot: the same machines have the same tag at any time.
    const timeless = document.replace(isoSecond(snapshotMs), "");
    const tag = `"${tagHash(timeless)}"`;
    const known = namedTag(request.headers["if-none-match"], tag);
    reply.header("etag", `W/${known ?? tag}`);
    if (known !== undefined) return reply.code(304).send();
    return reply.type(CONTENT_TYPES[form]).send(document);
  }
};

export default snapshots;
