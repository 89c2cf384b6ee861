import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Alert, AlertRecords } from "../../storage/ports/equipment/alerts.ts";
import { PAGE_SIZE } from "./page.ts";
import type { Part, Section } from "./section.ts";

/** Faults of one machine that began in a stretch of time. */
export interface FaultRange {
  readonly assetId: AssetId;
  /** Those of other projects, where the machine was before, are not listed; absent: all are. */
  readonly projectIds?: readonly ProjectId[];
  /** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
}

const RAISED = ["equipment.fault.raised"];

export async function countFaults(alerts: AlertRecords, range: FaultRange): Promise<number> {
  const { total } = await alerts.list({ ...range, types: RAISED, limit: 1, offset: 0 });
  return total;
}

/** The faults of one page, ascending; `total`: as `countFaults` found. */
export async function readFaults(
  alerts: AlertRecords,
  range: FaultRange,
  page: number,
  total: number,
): Promise<readonly Section[]> {
  // The records have the newest first, the standard the oldest.
  const end = total - (page - 1) * PAGE_SIZE;
  const offset = Math.max(0, end - PAGE_SIZE);
  if (end <= offset) return [];
  const found = await alerts.list({ ...range, types: RAISED, limit: end - offset, offset });
  return found.alerts.toReversed().map(sectionOf);
}

function sectionOf({ openedAtMs, severity, message, data }: Alert): Section {
  const { spn, fmi, code, source } = data;
  const parts: Part[] = [
    ["CodeIdentifier", code === undefined ? `SPN ${spn} FMI ${fmi}` : String(code)],
    ["CodeDescription", message],
    ["CodeSeverity", severity],
  ];
  if (source !== undefined) parts.push(["CodeSource", `J1939 address ${source}`]);
  return { name: "FaultCode", timeMs: openedAtMs, parts };
}
