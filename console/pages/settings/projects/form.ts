import { neededNumber } from "../form/typed-number.ts";
import type { NewProject, Project, ProjectChange } from "./requests.ts";

/** What a person says of a project. */
export interface ProjectForm {
  /** Of a new one alone; empty: the service makes one. */
  readonly id: string;
  readonly name: string;
  readonly latitude: string;
  readonly longitude: string;
  /** IANA name; empty: that of the service. */
  readonly timeZone: string;
  /** Local times of day, HH:MM; both empty: that of the service. */
  readonly shiftStart: string;
  readonly shiftEnd: string;
  /** Calendar dates; empty: none. */
  readonly start: string;
  readonly finish: string;
}

export const EMPTY: ProjectForm = {
  id: "",
  name: "",
  latitude: "",
  longitude: "",
  timeZone: "",
  shiftStart: "",
  shiftEnd: "",
  start: "",
  finish: "",
};

export const formOf = (project: Project): ProjectForm => ({
  id: project.id,
  name: project.name,
  latitude: String(project.location.latitude),
  longitude: String(project.location.longitude),
  timeZone: project.time_zone,
  shiftStart: project.shift.start,
  shiftEnd: project.shift.end,
  start: project.planned_start ?? "",
  finish: project.planned_finish ?? "",
});

const common = ({ name, latitude, longitude, timeZone, shiftStart, shiftEnd }: ProjectForm) => ({
  name: name.trim(),
  location: { latitude: neededNumber(latitude), longitude: neededNumber(longitude) },
  ...(timeZone.trim() === "" ? {} : { time_zone: timeZone.trim() }),
  ...(shiftStart.trim() === "" && shiftEnd.trim() === ""
    ? {}
    : { shift: { start: shiftStart.trim(), end: shiftEnd.trim() } }),
});

export const newProjectOf = (form: ProjectForm): NewProject => ({
  ...common(form),
  ...(form.id.trim() === "" ? {} : { id: form.id.trim() }),
  ...(form.start === "" ? {} : { planned_start: form.start }),
  ...(form.finish === "" ? {} : { planned_finish: form.finish }),
});

export const changeOf = (form: ProjectForm): ProjectChange => ({
  ...common(form),
  planned_start: form.start === "" ? null : form.start,
  planned_finish: form.finish === "" ? null : form.finish,
});
