import { type Static, Type } from "typebox";
import { DECODER_NAMES, MAX_TYPE_LENGTH } from "../../../domain/equipment/asset.ts";
import { DecoderOptions } from "../../../domain/equipment/decoder-options.ts";
import { PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import { FaultCode, MAX_PAYLOAD_BYTES } from "../../../domain/equipment/reading.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const TimeSource = Type.Enum(["device", "received"], {
  description: "received: the payload had no possible time",
});

/** Body of POST /equipment/dry-run. */
export const DryRunRequest = Type.Object(
  {
    decoder: Type.Enum([...DECODER_NAMES], { description: "Format the payload is in" }),
    decoder_options: Type.Optional(DecoderOptions),
    asset_type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TYPE_LENGTH,
        description: 'Only for "mapping": the type whose mapping is taken',
      }),
    ),
    mapping: Type.Optional(PayloadMapping),
    payload: Type.Optional(Type.Unknown({ description: "What the device sends, as JSON" })),
    payload_text: Type.Optional(
      Type.String({ maxLength: MAX_PAYLOAD_BYTES, description: "The same, as text" }),
    ),
    payload_base64: Type.Optional(
      Type.String({
        pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
        description: "The same, for formats that are not text",
      }),
    ),
    received_at: Type.Optional(
      Type.String({ format: "date-time", description: "Time of receipt; default: now" }),
    ),
  },
  { title: "DryRunRequest" },
);
export type DryRunRequest = Static<typeof DryRunRequest>;

const DryRunReading = Type.Object(
  {
    timestamp: Timestamp,
    time_source: TimeSource,
    is_historical: Type.Optional(
      Type.Boolean({ description: "The device marks it as historical; never the newest" }),
    ),
    seq: Type.Optional(Type.Integer()),
    fields: Type.Record(Type.String(), Type.Number()),
    fault_codes: Type.Optional(
      Type.Array(FaultCode, { description: "Absent: the payload says nothing of faults" }),
    ),
  },
  { title: "DryRunReading" },
);

/** What a payload would become. */
export const DryRun = Type.Object(
  {
    readings: Type.Array(DryRunReading),
    notices: Type.Array(
      Type.Object({
        kind: Type.String(),
        timestamp: Timestamp,
        time_source: TimeSource,
        data: Type.Object({}, { additionalProperties: true }),
      }),
      { description: "What the device reports beside readings; they become events" },
    ),
    refused: Type.Optional(
      Type.String({
        description: "Readings that would go to quarantine, and why; absent: none",
      }),
    ),
    ignored: Type.Integer({ description: "Parts that are understood and not kept" }),
    unused: Type.Optional(
      Type.Array(Type.Object({ parameter: Type.String(), pointer: Type.String() }), {
        description: 'Of "mapping": pointers that found nothing in the payload',
      }),
    ),
  },
  { title: "DryRun" },
);
export type DryRun = Static<typeof DryRun>;
