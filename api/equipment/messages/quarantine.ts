import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { QuarantineEntry } from "../../../storage/ports/equipment/quarantine.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { visibleQuarantined } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { Pagination, paginationOf, sortedBy } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { once } from "../../writes/once.ts";

/** The order of the list. */
const ORDER = sortedBy("-received_at");

export interface QuarantineOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly replay: ApiDependencies["replay"];
  readonly now: () => number;
}

/**
 * How much of a payload a list shows, bytes: enough to recognise a device's format; more makes pages of a
 * list large.
 */
const SHOWN_BYTES = 4_096;

const QuarantinedMessage = Type.Object(
  {
    id: Type.String(),
    asset_id: AssetId,
    project_id: ProjectId,
    received_at: Timestamp,
    topic: Type.String(),
    format: Type.String(),
    reason: Type.String(),
    payload_bytes: Type.Integer(),
    payload_base64: Type.String({ description: `The first ${SHOWN_BYTES} bytes` }),
    replayed_at: Type.Optional(Timestamp),
  },
  { title: "QuarantinedMessage" },
);
type QuarantinedMessage = Static<typeof QuarantinedMessage>;

const QuarantineList = Type.Object(
  {
    data: Type.Array(QuarantinedMessage),
    pagination: Pagination,
    dropped: Type.Integer({ description: "Counted but not kept: over 1,000 per asset and day" }),
  },
  { title: "QuarantineList" },
);

const Replay = Type.Object(
  { id: Type.String(), accepted: Type.Boolean(), reason: Type.Optional(Type.String()) },
  { title: "QuarantineReplay" },
);

const COLUMNS: CsvColumns<QuarantinedMessage> = {
  id: (row) => row.id,
  asset_id: (row) => row.asset_id,
  project_id: (row) => row.project_id,
  received_at: (row) => row.received_at,
  topic: (row) => row.topic,
  format: (row) => row.format,
  reason: (row) => row.reason,
  payload_bytes: (row) => row.payload_bytes,
  replayed_at: (row) => row.replayed_at,
};

/** Messages that no decoder could read; mounted at `/api/v1/equipment`. */
const quarantine: FastifyPluginAsyncTypebox<QuarantineOptions> = async (app, options) => {
  const { records, directory, replay, now } = options;

  app.get(
    "/quarantine",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listQuarantine",
        tags: ["equipment"],
        summary: "Messages that could not be decoded, newest first",
        querystring: Type.Object({ asset_id: Type.Optional(AssetId), ...ORDER.parameters }),
        response: { 200: jsonOrCsv("Quarantined messages", QuarantineList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { asset_id } = request.query;
      const order = ORDER.pageOf(request.query);
      if (asset_id !== undefined) visibleAsset(directory, request, asset_id);
      const { projectIds } = principal(request);
      const page = await records.quarantine.list({
        ...(asset_id === undefined ? {} : { assetId: asset_id }),
        ...(projectIds === undefined ? {} : { projectIds: [...projectIds] }),
        ...order,
      });
      const data = page.entries.map(view);
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, COLUMNS);
      }
      const pagination = paginationOf(order, data.length, page.total);
      return reply.send({ data, pagination, dropped: page.dropped });
    },
  );

  app.post(
    "/quarantine/:message_id/replay",
    {
      config: { access: "equipment:write", once: "transaction" },
      schema: {
        operationId: "replayQuarantined",
        tags: ["equipment"],
        summary: "Decode a message again, for example after its asset's decoder was corrected",
        params: Type.Object({ message_id: Type.String() }),
        response: { 200: Replay, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { message_id } = request.params;
      const entry = await visibleQuarantined(records.quarantine, request, message_id);
      // Before the transaction: replaying again after a crash stores nothing twice.
      const { accepted, isLeftToIngest, reason } = await replay(entry);
      return await once(request, reply, records, async (transaction) => {
        if (accepted && isLeftToIngest !== true) {
          await transaction.quarantine.markReplayed(entry.id, now());
        }
        return { id: entry.id, accepted, ...(reason === undefined ? {} : { reason }) };
      });
    },
  );
};

function view(entry: QuarantineEntry): QuarantinedMessage {
  const shown = entry.payload.subarray(0, SHOWN_BYTES);
  return {
    id: entry.id,
    asset_id: entry.assetId,
    project_id: entry.projectId,
    received_at: new Date(entry.receivedAtMs).toISOString(),
    topic: entry.topic,
    format: entry.format,
    reason: entry.reason,
    payload_bytes: entry.payload.byteLength,
    payload_base64: Buffer.from(shown).toString("base64"),
    ...(entry.replayedAtMs === undefined
      ? {}
      : { replayed_at: new Date(entry.replayedAtMs).toISOString() }),
  };
}

export default quarantine;
