import { seesEveryProject } from "../../../api/session-state.ts";
import { EVENT_TYPES, eventWords } from "../../../parts/event-words.ts";
import type { ChosenProjects } from "../form/project-choice.tsx";
import type { NewWebhook, Webhook } from "./requests.ts";

/** What a person says of a webhook. */
export interface WebhookForm {
  readonly url: string;
  /** Empty: the host of the URL. */
  readonly name: string;
  /** Whether only some types of events are posted. */
  readonly isSome: boolean;
  readonly types: readonly string[];
  /** Types that the console has no word for, and patterns such as `equipment.*`, with commas or blanks between. */
  readonly patterns: string;
  readonly projects: ChosenProjects;
}

export const emptyForm = (): WebhookForm => ({
  url: "",
  name: "",
  isSome: false,
  types: [],
  patterns: "",
  projects: seesEveryProject() ? undefined : [],
});

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

export const formOf = ({ url, name, types, project_ids }: Webhook): WebhookForm => ({
  url,
  name,
  isSome: types.length > 0,
  types: types.filter((type) => KNOWN.has(type)),
  patterns: types.filter((type) => !KNOWN.has(type)).join(", "),
  projects: project_ids,
});

/** Types and patterns that the form names; empty: every type. */
export function typesOf({ isSome, types, patterns }: WebhookForm): readonly string[] {
  if (!isSome) return [];
  const typed = patterns.split(/[\s,]+/).filter((pattern) => pattern !== "");
  return [...new Set([...types, ...typed])];
}

/** What both a new webhook and a change of one say. */
export const bodyOf = (form: WebhookForm): NewWebhook => ({
  url: form.url.trim(),
  ...(form.name.trim() === "" ? {} : { name: form.name.trim() }),
  types: [...typesOf(form)],
});

/** Types in words; `none` for every type. */
export const typesText = (types: readonly string[], none: string): string =>
  types.length === 0 ? none : types.map(eventWords).join(", ");
