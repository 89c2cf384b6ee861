import { declareTask } from "../../pool/task.ts";
import { READ_BYTES, READ_MS } from "../files/image-limits.ts";

export interface LogoInput {
  /** The file as it was sent. */
  readonly content: Uint8Array;
}

/** A logo as pages show it. */
export interface MadeLogo {
  /** PNG without tags. */
  readonly png: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Makes a logo of an image file. */
export const MAKE_LOGO = declareTask<LogoInput, MadeLogo>(import.meta.url, "make-logo", {
  timeMs: READ_MS,
  memoryBytes: () => READ_BYTES,
});
