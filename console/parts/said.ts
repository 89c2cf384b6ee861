import type { Alert, PlumblineEvent } from "../api/live-messages.ts";
import type { show } from "../format/show.ts";
import type { MessageKey } from "../i18n/en.ts";
import type { MessageValues, Translator } from "../i18n/translate.ts";

/** What an alert or event is about. */
export interface Subject extends Pick<Alert | PlumblineEvent, "type" | "data"> {
  readonly machine: string;
  readonly fence: string;
  readonly project: string;
}

/** Texts and formatters of the person's language. */
export interface Words {
  readonly t: (key: MessageKey, values?: MessageValues) => string;
  readonly tn: Translator["count"];
  readonly show: Pick<typeof show, "dateTime" | "field" | "span" | "number">;
}

/** Of an unknown type, or without a field that its sentence is made of. */
type Sentence = string | undefined;
type Data = Readonly<Record<string, unknown>>;

/**
 * What an alert or event says, as one sentence made of its type and fields in the person's language; `undefined`: this
 * console has none, and the service's own text holds.
 */
export function sentenceOf(subject: Subject, words: Words): Sentence {
  return SENTENCES[subject.type]?.(subject, words);
}

const SENTENCES: Readonly<Record<string, (subject: Subject, words: Words) => Sentence>> = {
  "equipment.geofence.entered": ({ machine, fence }, { t }) =>
    t("said.entered", { machine, fence }),
  "equipment.geofence.exited": ({ machine, fence, data }, { t, show }) => {
    const stayS = numberOf(data, "duration_s");
    if (stayS === undefined) return t("said.exited", { machine, fence });
    return t("said.exited_after", { machine, fence, time: show.span(stayS * 1_000) });
  },
  "equipment.limit.exceeded": limitSentence,
  "equipment.limit.cleared": ({ machine, data }, { t }) => {
    const limit = textOf(data, "limit_name");
    return limit === undefined ? undefined : t("said.limit_cleared", { machine, limit });
  },
  "equipment.fault.raised": (subject, words) => faultSentence("said.fault_raised", subject, words),
  "equipment.fault.cleared": (subject, words) =>
    faultSentence("said.fault_cleared", subject, words),
  "equipment.maintenance.warning": (subject, words) =>
    serviceSentence("said.service_warning", subject, words),
  "equipment.maintenance.due": (subject, words) =>
    serviceSentence("said.service_due", subject, words),
  "equipment.maintenance.serviced": ({ machine, data }, { t }) => {
    const service = textOf(data, "name") ?? textOf(data, "item");
    return service === undefined ? undefined : t("said.serviced", { machine, service });
  },
  "equipment.asset.offline": (subject, words) => sinceSentence("said.offline", subject, words),
  "equipment.asset.silent": (subject, words) => sinceSentence("said.silent", subject, words),
  "equipment.asset.gps_stuck": (subject, words) => sinceSentence("said.gps_stuck", subject, words),
  "equipment.asset.online": (subject, words) => afterSentence("said.online", subject, words),
  "equipment.asset.reporting": (subject, words) => afterSentence("said.reporting", subject, words),
  "equipment.asset.gps_recovered": (subject, words) =>
    afterSentence("said.gps_recovered", subject, words),
  "equipment.project.outage": ({ project, data }, { t, show }) => {
    const [count, all] = [numberOf(data, "assets_count"), numberOf(data, "reporting_count")];
    const lastMs = timeOf(data, "last_message_at");
    if (count === undefined || all === undefined || lastMs === undefined) return undefined;
    return t("said.outage", {
      project,
      n: show.number(count),
      all: show.number(all),
      time: show.dateTime(lastMs),
    });
  },
  "equipment.project.recovered": ({ project, data }, { t, show }) => {
    const [lastedS, away] = [numberOf(data, "duration_s"), numberOf(data, "assets_away_count")];
    if (lastedS === undefined || away === undefined) return undefined;
    const time = show.span(lastedS * 1_000);
    return t("said.recovered", { project, time, n: show.number(away) });
  },
};

function limitSentence({ machine, data }: Subject, { t, show }: Words): Sentence {
  const [limit, field] = [textOf(data, "limit_name"), textOf(data, "field")];
  const [above, below] = [numberOf(data, "above"), numberOf(data, "below")];
  const level = above ?? below;
  if (limit === undefined || field === undefined || level === undefined) return undefined;
  const value = numberOf(data, "value");
  const bound = t(above === undefined ? "limits.below" : "limits.above", {
    value: show.field(field, level),
  });
  if (value === undefined) return t("said.limit", { machine, limit, bound });
  return t("said.limit_value", { machine, limit, bound, value: show.field(field, value) });
}

function faultSentence(
  key: "said.fault_raised" | "said.fault_cleared",
  { machine, data }: Subject,
  { t }: Words,
): Sentence {
  const [spn, fmi] = [numberOf(data, "spn"), numberOf(data, "fmi")];
  const code = textOf(data, "code");
  // What a thing is called by J1939 and by its maker is in their language.
  const name = textOf(data, "spn_name");
  const mode = textOf(data, "fmi_name") ?? textOf(data, "description");
  if (spn === undefined && code === undefined) return undefined;
  const part =
    spn === undefined
      ? t("faults.code", { code: code ?? "" })
      : name === undefined
        ? t("faults.spn_unnamed", { spn })
        : t("faults.spn", { spn, name });
  const how =
    fmi === undefined
      ? mode
      : mode === undefined
        ? t("faults.fmi_unnamed", { fmi })
        : t("faults.fmi", { fmi, name: mode });
  return t(key, { machine, fault: how === undefined ? part : `${part}; ${how}` });
}

const METERS: Readonly<Record<string, string>> = { hours: "engine_hours", km: "odometer_km" };

function serviceSentence(
  key: "said.service_warning" | "said.service_due",
  { machine, data }: Subject,
  { t, tn, show }: Words,
): Sentence {
  const [service, unit] = [textOf(data, "name"), textOf(data, "unit") ?? ""];
  const [used, every] = [numberOf(data, "used"), numberOf(data, "every")];
  if (service === undefined || every === undefined) return undefined;
  const field = METERS[unit];
  if (field === undefined && unit !== "days") return undefined;
  const written = (value: number) =>
    field === undefined ? tn("service.unit_days", Math.round(value)) : show.field(field, value);
  return t(key, {
    machine,
    service,
    used: used === undefined ? t("value.unknown") : written(used),
    every: written(every),
  });
}

function sinceSentence(
  key: "said.offline" | "said.silent" | "said.gps_stuck",
  { machine, data }: Subject,
  { t, show }: Words,
): Sentence {
  const sinceMs =
    timeOf(data, "since") ??
    timeOf(data, "link_since") ??
    timeOf(data, "last_message_at") ??
    timeOf(data, "last_fix_at");
  return sinceMs === undefined ? undefined : t(key, { machine, time: show.dateTime(sinceMs) });
}

function afterSentence(
  key: "said.online" | "said.reporting" | "said.gps_recovered",
  { machine, data }: Subject,
  { t, show }: Words,
): Sentence {
  const lastedS = numberOf(data, "duration_s");
  return lastedS === undefined ? undefined : t(key, { machine, time: show.span(lastedS * 1_000) });
}

function numberOf(data: Data, key: string): number | undefined {
  const value = data[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function textOf(data: Data, key: string): string | undefined {
  const value = data[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeOf(data: Data, key: string): number | undefined {
  const ms = Date.parse(textOf(data, key) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
