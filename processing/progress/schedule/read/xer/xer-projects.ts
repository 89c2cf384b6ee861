import { quoted } from "../../../../uploads/file-words.ts";
import { readName } from "../draft/schedule-draft.ts";
import { type Problems, unreadable } from "../draft/schedule-error.ts";
import { isoWallMinutes } from "../draft/wall-minutes.ts";
import type { XerRow } from "./xer-rows.ts";

/** A project of a XER. */
export interface XerProject {
  readonly id: string;
  readonly shortName: string;
  readonly isExported: boolean;
  readonly calendarId: string;
  readonly dataDateMin: number | undefined;
}

export function readProject(row: XerRow, problems: Problems): XerProject {
  return {
    id: row.get("proj_id"),
    shortName: readName(row.get("proj_short_name"), `line ${row.line}, proj_short_name`, problems),
    isExported: row.get("export_flag").toUpperCase() === "Y",
    calendarId: row.get("clndr_id"),
    dataDateMin: isoWallMinutes(row.get("last_recalc_date")),
  };
}

/** Most names that an error lists. */
const MOST_NAMES = 10;

/**
 * The project that was asked for by its short name or its name, without regard to case; without a name the
 * first that was exported on purpose (others are there because activities refer to theirs).
 * @throws ScheduleError when there is none.
 */
export function chooseProject(
  projects: readonly XerProject[],
  name: string | undefined,
  nameOf: (projectId: string) => string | undefined,
  warnings: string[],
): XerProject {
  const namesOf = ({ id, shortName }: XerProject) => [shortName, nameOf(id) ?? shortName];
  const listed = (list: readonly XerProject[]) =>
    list
      .slice(0, MOST_NAMES)
      .map(({ shortName }) => quoted(shortName))
      .join(", ") + (list.length > MOST_NAMES ? ", ..." : "");
  if (name !== undefined) {
    const wanted = name.toLowerCase();
    const found = projects.find((project) =>
      namesOf(project).some((known) => known.toLowerCase() === wanted),
    );
    if (found !== undefined) return found;
    throw unreadable("file", `has no project ${quoted(name)}, but ${listed(projects) || "none"}`);
  }
  const chosen = projects.find(({ isExported }) => isExported) ?? projects[0];
  if (chosen === undefined) throw unreadable("file", "has no project (table PROJECT)");
  const others = projects.filter((project) => project !== chosen);
  if (others.length > 0) {
    warnings.push(
      `of ${projects.length} projects in the file ${quoted(chosen.shortName)} was taken, and left out: ${listed(others)}`,
    );
  }
  return chosen;
}
