import { baseErrors, METHODS } from "./base-methods/table.ts";

/**
 * What the base makes of a volume: a cone of 523.6 m3 on eight grounds, by our four methods and by levels
 * from single vertices (docs/stockpiles.md). A table in Markdown. Run: `npx tsx bench/base-methods.ts [cell, m]`
 */
const CELL_M = Number(process.argv[2] ?? 0.05);

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`Error of a cone of 523.6 m3, cells of ${CELL_M} m:\n`);
print(`| ground | ${METHODS.join(" | ")} |`);
print(`|---|${METHODS.map(() => "---").join("|")}|`);
for (const { site, errors } of baseErrors(CELL_M)) {
  const cells = METHODS.map((method) => {
    const percent = 100 * errors[method];
    return `${percent < 0 ? "" : "+"}${percent.toFixed(2)} %`;
  });
  print(`| ${site} | ${cells.join(" | ")} |`);
}
