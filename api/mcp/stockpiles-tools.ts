import { Type } from "typebox";
import { ProjectId, StockpileId } from "../../domain/ids.ts";
import { defineTool } from "./tool.ts";
import { restText } from "./words.ts";

/** Stockpiles in one answer: more fills the assistant's memory and helps nobody. */
const MOST_LISTED = 50;
/** Newest measurements beside the volume: enough to see a trend. */
const MEASUREMENTS = 5;

interface Stockpile {
  readonly id: string;
  readonly material: string;
  readonly current_volume_m3: number;
  readonly max_capacity_m3: number;
  readonly last_measured: string;
  readonly status: string;
  readonly volume_basis: "declared" | "measured" | "none";
  readonly is_outdated: boolean;
  readonly tonnes?: number;
}

/** What is known of a volume: nothing, what a person wrote, or what a survey measured. */
function volumeText(pile: Stockpile): string {
  const { current_volume_m3, volume_basis, is_outdated, last_measured, tonnes } = pile;
  if (volume_basis === "none") return "its volume was never measured and is not known";
  const how =
    volume_basis === "declared" ? "as a person declared, without an interval" : "measured";
  const mass = tonnes === undefined ? "" : ` (${tonnes} t by its density)`;
  const outline = is_outdated ? ", with a footprint or base that was changed since" : "";
  return `${current_volume_m3} m3${mass}, ${how}, at ${last_measured}${outline}`;
}

const pileLine = (pile: Stockpile): string =>
  `${pile.material} (${pile.id}): ${volumeText(pile)}; ${pile.status}, capacity ${pile.max_capacity_m3} m3.`;

export const listStockpiles = defineTool({
  name: "list_stockpiles",
  title: "Stockpiles of a project",
  description:
    "Stockpiles of a project with their volumes. For the interval of a volume ask stockpile_volume.",
  scope: "materials:read",
  input: Type.Object({ project_id: ProjectId }),
  async run({ project_id }, api) {
    const path = "/materials/stockpiles";
    const { data, total } = await api.list<Stockpile>(path, { project_id }, MOST_LISTED);
    return {
      lines: [
        total === 0 ? "The project has no stockpiles." : `Stockpiles: ${total}.`,
        ...data.map(pileLine),
        ...restText(data.length, total),
      ],
      data: { stockpiles: data, total },
      pages: [],
    };
  },
});

interface Measurement {
  readonly measurement_id: string;
  readonly measured_at: string;
  readonly current_volume_m3: number;
  readonly uncertainty_95_m3: number;
  readonly change_m3: number;
  readonly change_basis: "declared" | "measured" | "none";
  readonly change_uncertainty_95_m3?: number;
  readonly significant?: boolean;
  readonly is_current: boolean;
  readonly accuracy_note: string;
  readonly warnings: readonly string[];
}

function changeText(measured: Measurement): string {
  const { change_m3, change_basis, change_uncertainty_95_m3: range, significant } = measured;
  if (change_basis === "none") return "";
  if (range === undefined) {
    return ` Change since the volume before: ${change_m3} m3, without an interval (that one was declared, or is of another footprint or base).`;
  }
  const verdict = significant === true ? "beyond" : "not beyond";
  return ` Change since the volume before: ${change_m3} m3 +- ${range} m3 (95 %), ${verdict} its uncertainty.`;
}

function measurementLine(measured: Measurement): string {
  const { measured_at, current_volume_m3, uncertainty_95_m3, warnings } = measured;
  const late = measured.is_current ? "" : " (an older survey that arrived late)";
  const warned = warnings.length === 0 ? "" : ` Warnings: ${warnings.join(" ")}`;
  return `${measured_at}${late}: ${current_volume_m3} m3 +- ${uncertainty_95_m3} m3 (95 %).${changeText(measured)} ${measured.accuracy_note}${warned}`;
}

export const stockpileVolume = defineTool({
  name: "stockpile_volume",
  title: "Volume of a stockpile",
  description:
    "Volume of a stockpile with its 95 % interval, the newest measurements, and whether it changed by more than the uncertainty. Report the interval with every volume.",
  scope: "materials:read",
  input: Type.Object({ stockpile_id: StockpileId }),
  async run({ stockpile_id }, api) {
    const path = `/materials/stockpiles/${encodeURIComponent(stockpile_id)}`;
    const pile = await api.get<Stockpile>(path);
    const { data, total } = await api.list<Measurement>(`${path}/measurements`, {}, MEASUREMENTS);
    return {
      lines: [
        pileLine(pile),
        data.length === 0 ? "No survey measured it." : `Measurements: ${total}. The newest first:`,
        ...data.map(measurementLine),
      ],
      data: { stockpile: pile, measurements: data },
      pages: [],
    };
  },
});
