import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { MAX_TYPE_LENGTH } from "../../../domain/equipment/asset.ts";
import { mappingProblems, PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import { DomainError } from "../../../domain/errors.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { StoredMapping } from "../../../storage/ports/equipment/payload-mappings.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import {
  isTypeName,
  mappingError,
  visibleMapping,
  visibleTypes,
} from "../../access/mapping-access.ts";
import { needsEveryProject } from "../../auth/needs-every-project.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { type CsvColumns, sendList } from "../../representations/send-list.ts";
import { listOf, sortedBy } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { letFollow } from "../../writes/follow.ts";
import { noteState, requireMatch } from "../../writes/resource-tag.ts";

/** The order of the list. */
const ORDER = sortedBy("asset_type");

export interface MappingsOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly now: () => number;
}

const MappingPath = Type.Object({ asset_type: Type.String({ description: "Type of the assets" }) });

/** The mapping of a type as it is kept. */
const TypeMapping = Type.Object(
  {
    asset_type: Type.String(),
    mapping: PayloadMapping,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "TypeMapping" },
);
type TypeMapping = Static<typeof TypeMapping>;

const TypeMappingList = listOf("TypeMappingList", TypeMapping);

const COLUMNS: CsvColumns<TypeMapping> = {
  asset_type: (row) => row.asset_type,
  fields: (row) => Object.keys(row.mapping.fields).join(" "),
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
};

/** What payloads of a type of asset mean, for the decoder "mapping"; mounted at `/api/v1/equipment`. */
const mappings: FastifyPluginAsyncTypebox<MappingsOptions> = async (app, options) => {
  const { records, directory, now } = options;
  const sources = { mappings: records.payloadMappings, directory };

  app.put(
    "/mappings/:asset_type",
    {
      config: { access: "equipment:write", tagged: true },
      onRequest: needsEveryProject,
      schema: {
        operationId: "putMapping",
        tags: ["equipment"],
        summary: "Set how payloads of a type of asset become readings, from their next message on",
        params: MappingPath,
        body: PayloadMapping,
        response: { 200: TypeMapping, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { asset_type } = request.params;
      if (!isTypeName(asset_type)) {
        throw invalidParameter("asset_type", `must have 1 to ${MAX_TYPE_LENGTH} characters`);
      }
      const problems = mappingProblems(request.body);
      if (problems.length > 0) throw mappingError(problems, "");
      const text = JSON.stringify(request.body);
      const check = (before: StoredMapping | undefined) => requireMatch(request, before);
      const stored = await records.payloadMappings.put(asset_type, text, now(), check);
      noteState(request, stored);
      await letFollow(directory);
      return view(stored);
    },
  );

  app.get(
    "/mappings",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listMappings",
        tags: ["equipment"],
        summary: "Mappings by type; a key of some projects sees those of its assets' types",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Mappings", TypeMappingList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const types = visibleTypes(directory, request);
      const all = await records.payloadMappings.list();
      const seen = all.filter(({ assetType }) => types?.has(assetType) ?? true);
      return sendList(request, reply, seen.map(view), ORDER.pageOf(request.query), COLUMNS);
    },
  );

  app.get(
    "/mappings/:asset_type",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getMapping",
        tags: ["equipment"],
        summary: "The mapping of a type of asset",
        params: MappingPath,
        response: { 200: TypeMapping, ...FAILURES },
      },
    },
    async (request) => {
      const stored = await visibleMapping(sources, request, request.params.asset_type);
      noteState(request, stored);
      return view(stored);
    },
  );

  app.delete(
    "/mappings/:asset_type",
    {
      config: { access: "equipment:write", tagged: true },
      onRequest: needsEveryProject,
      schema: {
        operationId: "deleteMapping",
        tags: ["equipment"],
        summary: "Remove a mapping that no asset needs",
        params: MappingPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { asset_type } = request.params;
      if (!isTypeName(asset_type)) throw new DomainError("MAPPING_NOT_FOUND", "no such type");
      const check = (before: StoredMapping | undefined) => requireMatch(request, before);
      await records.payloadMappings.remove(asset_type, now(), check);
      await letFollow(directory);
      return reply.code(204).send(null);
    },
  );
};

const view = ({ assetType, mapping, createdAtMs, updatedAtMs }: StoredMapping): TypeMapping => ({
  asset_type: assetType,
  mapping: JSON.parse(mapping),
  created_at: isoTime(createdAtMs),
  updated_at: isoTime(updatedAtMs),
});

export default mappings;
