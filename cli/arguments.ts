import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/**
 * The options of a command, with a value each; one of `flags` has none and is "" when it is there.
 * @throws UsageError for any other argument.
 */
export function readOptions<
  const Names extends readonly string[],
  const Flags extends readonly string[] = readonly [],
>(
  args: readonly string[],
  names: Names,
  flags?: Flags,
): Readonly<Record<Names[number] | Flags[number], string | undefined>> {
  const options: ParseArgsConfig["options"] = {
    ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
    ...Object.fromEntries((flags ?? []).map((name) => [name, { type: "boolean" as const }])),
  };
  try {
    const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
    const texts = Object.entries(values).map(([name, value]) => [
      name,
      value === true ? "" : value,
    ]);
    // `type: "string"` without `multiple` makes every value a string or absent.
    return Object.fromEntries(texts) as Record<Names[number] | Flags[number], string | undefined>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError when the option is missing. */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === "") throw new UsageError(`--${name} is missing`);
  return value;
}
