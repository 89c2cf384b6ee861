import { appendFile, readFile } from "node:fs/promises";

/**
 * What `measure` finds under this key: from the file of results where an earlier run wrote it, else measured
 * and appended to it. `undefined` as the file: nothing is kept.
 */
export async function keptResult<T extends object>(
  file: string | undefined,
  key: string,
  measure: () => Promise<T>,
): Promise<T> {
  if (file === undefined) return await measure();
  const text = await readFile(file, "utf8").catch(() => "");
  const known = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly key: string; readonly result: T })
    .findLast((kept) => kept.key === key);
  if (known !== undefined) return known.result;
  const result = await measure();
  await appendFile(file, `${JSON.stringify({ key, result })}\n`);
  return result;
}
