import { quoted } from "../../../../uploads/file-words.ts";
import { MOST_PATH_CHARS, readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import type { XerRow } from "./xer-rows.ts";

/** The work breakdown structure of a XER. */
export interface XerWbs {
  take(row: XerRow): void;
  /** Short names from the project down, joined by dots; "" for an id that is not there. */
  pathOf(wbsId: string): string;
  /** Name of the node that represents a project. */
  projectName(projectId: string): string | undefined;
}

export function createXerWbs(problems: Problems): XerWbs {
  const nodes = new Map<string, { line: number; parentId: string; shortName: string }>();
  const projectNames = new Map<string, string>();
  const paths = new Map<string, string>();

  function pathOf(wbsId: string): string {
    const ids: string[] = [];
    let path = "";
    // Upwards to a node whose path is known, or to one that has no parent here.
    for (let id = wbsId; ; ) {
      const known = paths.get(id);
      if (known !== undefined) {
        path = known;
        break;
      }
      const node = nodes.get(id);
      if (node === undefined) break;
      ids.push(id);
      // Marked, so that a circle of parents ends here: it is cut, at whatever node it was entered.
      paths.set(id, "");
      id = node.parentId;
    }
    for (const id of ids.reverse()) {
      const node = nodes.get(id);
      path = path === "" ? (node?.shortName ?? "") : `${path}.${node?.shortName ?? ""}`;
      if (path.length > MOST_PATH_CHARS) {
        problems.add(
          `line ${node?.line ?? 0}, wbs_short_name`,
          `has a path of more than ${MOST_PATH_CHARS} characters: ${quoted(path)}`,
        );
        path = "";
      }
      paths.set(id, path);
    }
    return path;
  }

  return {
    pathOf,
    take(row) {
      const shortName = readName(
        row.get("wbs_short_name"),
        `line ${row.line}, wbs_short_name`,
        problems,
      );
      nodes.set(row.get("wbs_id"), {
        line: row.line,
        parentId: row.get("parent_wbs_id"),
        shortName,
      });
      if (row.get("proj_node_flag").toUpperCase() === "Y") {
        const name = readName(row.get("wbs_name"), `line ${row.line}, wbs_name`, problems);
        projectNames.set(row.get("proj_id"), name);
      }
    },
    projectName: (projectId) => projectNames.get(projectId),
  };
}
