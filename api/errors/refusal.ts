import type { WireCode } from "./error.ts";

/** A request that is refused before any route runs, with its status and wire code. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly statusCode: number;
  readonly code: WireCode;

  constructor(statusCode: number, code: WireCode, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}
