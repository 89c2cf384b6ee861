import type { Alert, PlumblineEvent } from "../api/live-messages.ts";
import { show } from "../format/show.ts";
import { t, tn } from "../i18n/t.ts";
import { fences } from "../state/fences.ts";
import { machineName } from "../state/machines.ts";
import { projects } from "../state/project.ts";
import { sentenceOf } from "./said.ts";

/** What an alert says in the person's language; the service's own text where this console has none. */
export function alertText(alert: Alert): string {
  return sentence(alert, fenceNamedIn(alert)) ?? alert.message;
}

/** What an event says in the person's language; `undefined`: this console has no sentence for its type. */
export const eventText = (event: PlumblineEvent): string | undefined => sentence(event, undefined);

function sentence(one: Alert | PlumblineEvent, fence: string | undefined): string | undefined {
  const { type, data, asset_id = "", geofence_id = "", project_id = "" } = one;
  const named = (key: string) => {
    const name = data[key];
    return typeof name === "string" && name !== "" ? name : undefined;
  };
  return sentenceOf(
    {
      type: type.replace(/\.revised$/, ""),
      data,
      machine: named("asset_name") ?? machineName(asset_id),
      fence:
        fence ??
        named("geofence_name") ??
        fences.value.find(({ id }) => id === geofence_id)?.name ??
        geofence_id,
      project:
        named("project_name") ??
        projects.value.find(({ id }) => id === project_id)?.name ??
        project_id,
    },
    { t, tn, show },
  );
}

/** The name of a fence as the service's text ends with it: an alert has the id alone, and not every page the fences. */
function fenceNamedIn({ message, asset_id = "" }: Alert): string | undefined {
  const machine = machineName(asset_id);
  const before = [`${machine} entered `, `${machine} left `].find((one) => message.startsWith(one));
  return before === undefined ? undefined : message.slice(before.length);
}
