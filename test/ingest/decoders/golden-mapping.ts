import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DecoderOptions } from "../../../domain/equipment/decoder-options.ts";
import type { CompiledMapping } from "../../../ingest/decoders/fields/decoder.ts";
import { compileMapping } from "../../../ingest/decoders/mapping/compile.ts";

const CASES = join(import.meta.dirname, "../cases");

/** The mapping that a golden case is decoded by; `undefined` for formats that need none. */
export function goldenMapping(decoderName: string, caseName: string): CompiledMapping | undefined {
  const file = join(CASES, decoderName, caseName, "mapping.json");
  return existsSync(file) ? compileMapping(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}

/** The options of the asset that a golden case is decoded with; `undefined`: the usual ones. */
export function goldenOptions(decoderName: string, caseName: string): DecoderOptions | undefined {
  const file = join(CASES, decoderName, caseName, "options.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
