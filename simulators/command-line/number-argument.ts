import { SimulatorError } from "./simulator-error.ts";

/** A numeric argument: its inclusive range, which the error names. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/**
 * Reads a number of the command line; `name` as it is written there, such as "--seed".
 * @throws SimulatorError naming the argument and its allowed range.
 */
export function readNumber(name: string, text: string, { min, max, whole }: NumberRange): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (!(number >= min && number <= max) || (whole && !Number.isInteger(number))) {
    const kind = whole ? "a whole number" : "a number";
    throw new SimulatorError(`${name} "${text}" is not ${kind} from ${min} to ${max}`);
  }
  return number;
}
