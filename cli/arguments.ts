import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/** The options of a command, all with a value. @throws UsageError for any other argument. */
export function readOptions<const Names extends readonly string[]>(
  args: readonly string[],
  names: Names,
): Readonly<Record<Names[number], string | undefined>> {
  const options: ParseArgsConfig["options"] = Object.fromEntries(
    names.map((name) => [name, { type: "string" as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
    // `type: "string"` without `multiple` makes every value a string or absent.
    return values as Record<Names[number], string | undefined>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError when the option is missing. */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === "") throw new UsageError(`--${name} is missing`);
  return value;
}
