import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { mappingProblems } from "../../../domain/equipment/payload-mapping.ts";
import { MAX_PAYLOAD_BYTES, type Reading } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { CompiledMapping } from "../../../ingest/decoders/fields/decoder.ts";
import { compileMapping, compileStoredMapping } from "../../../ingest/decoders/mapping/compile.ts";
import { readJson } from "../../../ingest/decoders/payload/json-payload.ts";
import { decoderNamed } from "../../../ingest/decoders/registry.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { readApart } from "../../../ingest/intake/readings/read-apart.ts";
import type { JournalledNotice } from "../../../ingest/journal-record/notice-list.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { mappingError, visibleMapping } from "../../access/mapping-access.ts";
import { REPEATABLE_FAILURES } from "../../errors/error.ts";
import { readInstant } from "../../schemas/instant.ts";
import { invalidParameter, ParameterError } from "../../validation/validation.ts";
import { DryRun, DryRunRequest } from "./dry-run-schemas.ts";

export interface DryRunOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  /** Days that telemetry is kept; `undefined`: this process does not know. */
  readonly retentionDays: number | undefined;
  readonly now: () => number;
}

/** Decoders may name the asset; there is none. */
const NO_ASSET = "dry-run" as AssetId;
const PAYLOADS = ["payload", "payload_text", "payload_base64"] as const;

/** What a payload would become, for every format; mounted at `/api/v1/equipment`. Stores nothing. */
const dryRun: FastifyPluginAsyncTypebox<DryRunOptions> = async (app, options) => {
  const { records, directory, retentionDays, now } = options;
  const sources = { mappings: records.payloadMappings, directory };

  /** The mapping that a body names; `undefined` for the decoders that use none. */
  async function mappingOf(
    request: FastifyRequest,
    { decoder, asset_type, mapping }: DryRunRequest,
  ): Promise<CompiledMapping | undefined> {
    const isNamed = asset_type !== undefined;
    const isGiven = mapping !== undefined;
    if (decoder !== "mapping") {
      if (!isNamed && !isGiven) return undefined;
      const parameter = isNamed ? "asset_type" : "mapping";
      throw invalidParameter(parameter, 'is only for the decoder "mapping"');
    }
    if (isNamed === isGiven) {
      throw invalidParameter("mapping", "or asset_type is required, and only one of them");
    }
    if (mapping !== undefined) {
      const problems = mappingProblems(mapping);
      if (problems.length > 0) throw mappingError(problems, "mapping");
      return compileMapping(mapping);
    }
    const stored = await visibleMapping(sources, request, asset_type ?? "");
    return compileStoredMapping(stored.mapping);
  }

  app.post(
    "/dry-run",
    {
      config: { access: "equipment:read", once: "repeatable", storesNothing: true },
      schema: {
        operationId: "dryRunPayload",
        tags: ["equipment"],
        summary: "Show what a sample payload would become; nothing is stored",
        body: DryRunRequest,
        response: { 200: DryRun, ...REPEATABLE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      const payload = payloadOf(body);
      const mapping = await mappingOf(request, body);
      const { received_at } = body;
      const receivedAtMs =
        received_at === undefined ? now() : readInstant("received_at", received_at);
      // Without a retention: every time since 1970 is possible.
      const retentionMs = retentionDays === undefined ? receivedAtMs : retentionDays * DAY_MS;
      const decoder = decoderNamed(body.decoder);
      if (decoder === undefined) throw new DomainError("DECODE_FAILED", "no such decoder");
      const decoded = decoder.decode(payload, {
        assetId: NO_ASSET,
        receivedAtMs,
        mapping,
        options: body.decoder_options,
      });
      const { readings, notices } = readApart(
        decoded,
        { receivedAtMs, payloadHash: 0 },
        retentionMs,
      );
      return {
        readings: readings.map(readingView),
        notices: notices.map(noticeView),
        ...(decoded.refused === undefined ? {} : { refused: decoded.refused.reason }),
        ignored: decoded.ignored,
        ...(mapping === undefined ? {} : { unused: [...mapping.unused(readJson(payload))] }),
      };
    },
  );
};

/** The bytes that a device would send. @throws ParameterError unless there is one payload of a size that intake takes. */
function payloadOf(body: DryRunRequest): Buffer {
  const given = PAYLOADS.filter((name) => body[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1) {
    const message = `is required, one of ${PAYLOADS.join(", ")}`;
    throw new ParameterError([{ parameter: "payload", message }]);
  }
  const { payload, payload_text, payload_base64 } = body;
  const bytes =
    payload_base64 === undefined
      ? Buffer.from(payload_text ?? JSON.stringify(payload))
      : Buffer.from(payload_base64, "base64");
  if (bytes.length <= MAX_PAYLOAD_BYTES) return bytes;
  throw invalidParameter(name, `has ${bytes.length} bytes; ${MAX_PAYLOAD_BYTES} are allowed`);
}

function readingView(reading: Reading): DryRun["readings"][number] {
  const { fixTimeMs, timeSource, seq, fields, faults, isHistorical } = reading;
  return {
    timestamp: isoTime(fixTimeMs),
    time_source: timeSource,
    ...(isHistorical === true ? { is_historical: true } : {}),
    ...(seq < 0 ? {} : { seq }),
    fields: { ...fields },
    ...(faults === undefined ? {} : { fault_codes: [...faults] }),
  };
}

const noticeView = ({ kind, occurredAtMs, timeSource, data }: JournalledNotice) => ({
  kind,
  timestamp: isoTime(occurredAtMs),
  time_source: timeSource,
  data,
});

export default dryRun;
