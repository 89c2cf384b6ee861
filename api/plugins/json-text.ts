import { invalidParameter } from "./validation.ts";

/**
 * A value that came in a body, as JSON again: `JSON.parse` takes any depth, `JSON.stringify` only what the
 * stack holds.
 * @throws ParameterError naming `parameter`.
 */
export function jsonText(value: unknown, parameter: string): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw invalidParameter(parameter, "is nested too deeply");
    throw error;
  }
}
