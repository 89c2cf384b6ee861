const ON: ReadonlySet<unknown> = new Set([true, 1, "true", "1", "on"]);
const OFF: ReadonlySet<unknown> = new Set([false, 0, "false", "0", "off"]);

/** Yes or no in the forms that devices send, text in any case; `undefined` for everything else. */
export function looseBoolean(value: unknown): boolean | undefined {
  const said = typeof value === "string" && value.length <= 5 ? value.toLowerCase() : value;
  if (ON.has(said)) return true;
  return OFF.has(said) ? false : undefined;
}
