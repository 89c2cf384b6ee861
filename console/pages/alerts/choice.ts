import type { Alert } from "../../api/live-messages.ts";

/** Which open alerts are looked at. Absent: all. */
export interface AlertChoice {
  readonly severity: Alert["severity"] | undefined;
  readonly type: string | undefined;
  readonly assetId: string | undefined;
}

export const ALL_ALERTS: AlertChoice = {
  severity: undefined,
  type: undefined,
  assetId: undefined,
};

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
