import { DomainError } from "../../../domain/errors.ts";
import type { ScaleBar } from "./engine.ts";

const COLUMNS = ["bar", "length_m", "sigma_m", "end", "image", "u", "v"] as const;
type Column = (typeof COLUMNS)[number];

interface OpenBar {
  readonly lengthM: number;
  readonly sigmaM: number;
  readonly ends: readonly [OpenEnd, OpenEnd];
}
interface OpenEnd {
  readonly marks: { readonly image: string; readonly u: number; readonly v: number }[];
}

/**
 * Reads scale bars as CSV: a row with the columns' names (bar, length_m, sigma_m, end, image, u, v) in any order, then
 * one row for each mark; `end` is 1 or 2, `u` and `v` are pixels of the full-size image. Between commas, or
 * between semicolons where the first row has them; `#` begins a comment.
 * @throws DomainError `PARAMETER_INVALID` naming the line
 */
export function readScaleBarFile(text: string): readonly ScaleBar[] {
  const written = text.split(/\r?\n/).map((line, i) => ({
    number: i + 1,
    line: line.replace(/#.*/, ""),
  }));
  const separator = written.find(({ line }) => line.trim() !== "")?.line.includes(";") ? ";" : ",";
  const lines = written
    .map(({ number, line }) => ({
      number,
      cells: line.split(separator).map((cell) => cell.trim()),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [head, ...rows] = lines;
  const places = COLUMNS.map((name) => (head?.cells ?? []).indexOf(name));
  if (head === undefined || places.includes(-1)) {
    throw invalid(`has no first row with the columns ${COLUMNS.join(", ")}`);
  }
  const bars = new Map<string, OpenBar>();
  for (const { number, cells } of rows) {
    const cell = (name: Column) => cells[places[COLUMNS.indexOf(name)] ?? -1] ?? "";
    const value = (name: Column) => (cell(name) === "" ? Number.NaN : Number(cell(name)));
    const [lengthM, sigmaM, u, v] = [value("length_m"), value("sigma_m"), value("u"), value("v")];
    const isMeasured = lengthM > 0 && sigmaM > 0 && Number.isFinite(u) && Number.isFinite(v);
    if (!isMeasured || cell("image") === "" || cell("bar") === "") {
      throw invalid(`has no mark of a bar in line ${number}`);
    }
    const bar = bars.get(cell("bar")) ?? { lengthM, sigmaM, ends: [{ marks: [] }, { marks: [] }] };
    if (bar.lengthM !== lengthM || bar.sigmaM !== sigmaM) {
      throw invalid(`has another length of bar "${cell("bar")}" in line ${number}`);
    }
    const end = bar.ends[value("end") - 1];
    if (end === undefined) throw invalid(`has an end that is not 1 or 2 in line ${number}`);
    end.marks.push({ image: cell("image"), u, v });
    bars.set(cell("bar"), bar);
  }
  return [...bars.values()];
}

const invalid = (problem: string): DomainError =>
  new DomainError("PARAMETER_INVALID", `the file of scale bars ${problem}`);
