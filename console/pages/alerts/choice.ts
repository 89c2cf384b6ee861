import type { Alert } from "../../api/live-messages.ts";

/** Which open alerts are looked at. Absent: all. */
export interface AlertChoice {
  readonly severity: Alert["severity"] | undefined;
  readonly type: string | undefined;
  readonly assetId: string | undefined;
}

const SEVERITIES: readonly Alert["severity"][] = ["critical", "warning", "info"];

/** The choice of an address, `?severity=critical`; a severity that there is none of is no condition. */
export function choiceOf(address: string): AlertChoice {
  const query = new URLSearchParams(address);
  return {
    severity: SEVERITIES.find((one) => one === query.get("severity")),
    type: query.get("type") || undefined,
    assetId: query.get("asset") || undefined,
  };
}

/** What an address says of a choice. */
export const parametersOf = ({ severity, type, assetId }: AlertChoice) => ({
  severity,
  type,
  asset: assetId,
});

export const isAll = ({ severity, type, assetId }: AlertChoice): boolean =>
  severity === undefined && type === undefined && assetId === undefined;

/** Whether the choice means an alert. */
export const isChosen = (
  { severity, type, assetId }: AlertChoice,
  { severity: bad, type: kind, asset_id }: Alert,
): boolean =>
  (severity === undefined || severity === bad) &&
  (type === undefined || type === kind) &&
  (assetId === undefined || assetId === asset_id);

/** The choice as the API's filters take it, in a query and in a body. */
export const filterOf = (
  { severity, type, assetId }: AlertChoice,
  projectId: string | undefined,
) => ({
  ...(severity === undefined ? {} : { severity: [severity] }),
  ...(type === undefined ? {} : { type: [type] }),
  ...(assetId === undefined ? {} : { asset_id: assetId }),
  ...(projectId === undefined ? {} : { project_id: projectId }),
});
