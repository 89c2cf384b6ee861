import { Type } from "typebox";
import { AlertId, AssetId, ProjectId } from "../../domain/ids.ts";
import { defineTool } from "./tool.ts";
import { restText } from "./words.ts";

/** Alerts in one answer: more fills the assistant's memory and helps nobody. */
const MOST_LISTED = 50;

interface Alert {
  readonly id: string;
  readonly severity: string;
  readonly message: string;
  readonly opened_at: string;
  readonly occurrences: number;
}

export const openAlerts = defineTool({
  name: "open_alerts",
  title: "Open alerts",
  description: "Alerts that nobody has acknowledged and that are not over, newest first.",
  scope: "equipment:read",
  input: Type.Object({
    project_id: Type.Optional(ProjectId),
    asset_id: Type.Optional(AssetId),
    severity: Type.Optional(Type.Enum(["info", "warning", "critical"])),
  }),
  async run(filter, api) {
    const query = { ...filter, status: "open" };
    const { data, total } = await api.list<Alert>("/equipment/alerts", query, MOST_LISTED);
    return {
      lines: [
        total === 0 ? "No alert is open." : `Open alerts: ${total}.`,
        ...data.map(({ id, severity, message, opened_at, occurrences }) => {
          const often = occurrences > 1 ? `, ${occurrences} times` : "";
          return `${severity}: ${message}, since ${opened_at}${often} (${id}).`;
        }),
        ...restText(data.length, total),
      ],
      data: { alerts: data, total },
      pages: ["/alerts"],
    };
  },
});

export const acknowledgeAlerts = defineTool({
  name: "acknowledge_alerts",
  title: "Acknowledge alerts",
  description:
    "Marks open alerts as seen, with a note, in the name of the API key. Ask the person before you call it. It cannot be undone.",
  scope: "equipment:write",
  writes: true,
  input: Type.Object({
    alert_ids: Type.Array(AlertId, { minItems: 1, maxItems: 50, uniqueItems: true }),
    note: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Why, in the person's words",
    }),
  }),
  async run(body, api) {
    const done = await api.post<{ acknowledged: string[]; unchanged: number }>(
      "/equipment/alerts/acknowledge",
      body,
    );
    return {
      lines: [
        `Acknowledged now: ${done.acknowledged.length}. Acknowledged before: ${done.unchanged}.`,
      ],
      data: done,
      pages: ["/alerts"],
    };
  },
});
