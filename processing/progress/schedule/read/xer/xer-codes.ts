import { quoted } from "../../../../uploads/file-words.ts";
import { MOST_CODES, readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import type { XerRow } from "./xer-rows.ts";

/** Activity codes of a XER: what an activity is marked with, such as "A1" of the type "Area". */
export interface XerCodes {
  takeType(row: XerRow): void;
  takeValue(row: XerRow): void;
  takeAssignment(row: XerRow): void;
  /** Of one activity: each value as it is, as its description says it, and as `type=value`. */
  codesOf(taskId: string): readonly string[];
}

export function createXerCodes(problems: Problems): XerCodes {
  const types = new Map<string, string>();
  const values = new Map<string, { value: string; description: string; typeId: string }>();
  const valuesByTask = new Map<string, string[]>();
  /** Activities with the same codes share one list. */
  const lists = new Map<string, readonly string[]>();

  function namesOf(valueId: string): readonly string[] {
    const found = values.get(valueId);
    if (found === undefined) return [];
    const { value, description, typeId } = found;
    const type = types.get(typeId);
    return [value, description, type === undefined ? "" : `${type}=${value}`].filter(
      (name) => name !== "",
    );
  }

  return {
    takeType(row) {
      const where = `line ${row.line}, actv_code_type`;
      types.set(row.get("actv_code_type_id"), readName(row.get("actv_code_type"), where, problems));
    },
    takeValue(row) {
      const name = (field: string) =>
        readName(row.get(field), `line ${row.line}, ${field}`, problems);
      values.set(row.get("actv_code_id"), {
        value: name("short_name"),
        description: name("actv_code_name"),
        typeId: row.get("actv_code_type_id"),
      });
    },
    takeAssignment(row) {
      const taskId = row.get("task_id");
      const assigned = valuesByTask.get(taskId);
      if (assigned === undefined) valuesByTask.set(taskId, [row.get("actv_code_id")]);
      else assigned.push(row.get("actv_code_id"));
      if ((assigned?.length ?? 0) > MOST_CODES) {
        problems.add(
          `line ${row.line}`,
          `gives the activity ${quoted(taskId)} more than ${MOST_CODES} activity codes`,
        );
      }
    },
    codesOf(taskId) {
      const valueIds = valuesByTask.get(taskId);
      if (valueIds === undefined) return [];
      const key = valueIds.join("\t");
      const known = lists.get(key);
      if (known !== undefined) return known;
      const list = [...new Set(valueIds.flatMap(namesOf))];
      lists.set(key, list);
      return list;
    },
  };
}
