import { seesEveryProject } from "../../../api/session-state.ts";
import type { ChosenProjects } from "../form/project-choice.tsx";
import type { Credentials, Forwarder, ForwarderChange, NewForwarder } from "./requests.ts";

/** What is done with credentials: the stored ones are never shown. */
export type Access = "keep" | "none" | "password" | "header";

/** What a person says of a forwarder. */
export interface ForwarderForm {
  readonly kind: Forwarder["kind"];
  readonly url: string;
  /** Empty: the host of the URL. */
  readonly name: string;
  readonly format: Forwarder["format"];
  /** Of MQTT alone. */
  readonly topic: string;
  readonly projects: ChosenProjects;
  readonly access: Access;
  readonly username: string;
  readonly password: string;
  readonly header: string;
  readonly value: string;
}

const NO_SECRETS = { username: "", password: "", header: "", value: "" };

export const emptyForm = (): ForwarderForm => ({
  ...{ kind: "traccar_http", url: "", name: "", format: "traccar", topic: "", access: "none" },
  projects: seesEveryProject() ? undefined : [],
  ...NO_SECRETS,
});

export const formOf = (forwarder: Forwarder): ForwarderForm => ({
  kind: forwarder.kind,
  url: forwarder.url,
  name: forwarder.name,
  format: forwarder.format,
  topic: forwarder.topic ?? "",
  projects: forwarder.project_ids,
  access: forwarder.has_credentials ? "keep" : "none",
  ...NO_SECRETS,
});

function credentialsOf({ access, username, password, header, value }: ForwarderForm): Credentials {
  if (access === "header") return { header: header.trim(), value };
  return { username, ...(password === "" ? {} : { password }) };
}

const common = ({ url, name, kind, format, topic }: ForwarderForm) => ({
  url: url.trim(),
  ...(name.trim() === "" ? {} : { name: name.trim() }),
  ...(kind === "mqtt" ? { format, topic: topic.trim() } : {}),
});

export const newForwarderOf = (form: ForwarderForm): NewForwarder => ({
  kind: form.kind,
  ...common(form),
  ...(form.projects === undefined ? {} : { project_ids: [...form.projects] }),
  ...(form.access === "none" ? {} : { credentials: credentialsOf(form) }),
});

export const changeOf = (form: ForwarderForm): ForwarderChange => ({
  ...common(form),
  project_ids: form.projects === undefined ? null : [...form.projects],
  ...(form.access === "keep"
    ? {}
    : { credentials: form.access === "none" ? null : credentialsOf(form) }),
});
