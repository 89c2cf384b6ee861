import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../fields/decoder.ts";
import { readJson } from "../payload/json-payload.ts";

/** JSON of any shape, by what the mapping of the asset's type says of it (domain/equipment/payload-mapping.ts). */
export const mapping: Decoder = {
  name: "mapping",
  topicFormat: "mapping",
  decode(payload, { mapping: compiled }) {
    if (compiled !== undefined) return compiled.read(readJson(payload));
    throw new DomainError("DECODE_FAILED", "there is no mapping for the type of the asset");
  },
};
