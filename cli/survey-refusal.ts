import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GateRefusal } from "../processing/gates/gates.ts";

/** Images that the table lists at most; all of them are in the file. More would fill more than a screen. */
const MOST_LISTED = 20;

/** What became of the images of a refused survey, as lines for a person; none where no image was read. */
export function refusalText({ uses }: GateRefusal): readonly string[] {
  const counts = new Map<string, number>();
  for (const { use } of uses) counts.set(use, (counts.get(use) ?? 0) + 1);
  const listed = uses.slice(0, MOST_LISTED);
  const width = Math.max(0, ...listed.map(({ name }) => name.length));
  return [
    ...[...counts].map(([use, count]) => `${use}: ${count} of ${uses.length} images`),
    ...listed.map(({ name, use, reason }) => {
      const why = reason === undefined ? "" : `  ${reason}`;
      return `  ${name.padEnd(width)}  ${use.padEnd("not_oriented".length)}${why}`.trimEnd();
    }),
    ...(uses.length > MOST_LISTED ? [`  and ${uses.length - MOST_LISTED} more`] : []),
  ];
}

/**
 * Writes `report.json` of a refused survey, in the place of one that an earlier run left: the gate that refused it,
 * what else was found, and every image. Yields its path.
 */
export async function writeRefusal(
  { finding, others, uses, message }: GateRefusal,
  outDir: string,
): Promise<string> {
  const report = {
    format: "plumbline.refusal/1",
    message,
    refused_by: finding,
    findings: others,
    image_uses: uses,
  };
  await mkdir(outDir, { recursive: true });
  const path = join(outDir, "report.json");
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`);
  return path;
}
