/** A name as it is sent; `undefined`: nothing but spaces was typed. */
export function typedName(text: string): string | undefined {
  const name = text.trim();
  return name === "" ? undefined : name;
}
