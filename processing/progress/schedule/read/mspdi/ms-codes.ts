import { oneLine } from "../../../../uploads/file-words.ts";
import { MOST_CODES } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import type { RecordShape, XmlRecord } from "./xml-records.ts";

/** What is read of a definition of an own field, at the head of the file. */
export const FIELD_SHAPE: RecordShape = {
  texts: new Set(["FieldID", "FieldName", "Alias"]),
  records: {
    Values: {
      texts: new Set(),
      records: { Value: { texts: new Set(["ValueID", "Value"]), records: {} } },
    },
  },
};

/** Longest value that can mark a zone; a text field has 255 characters. */
const MOST_VALUE_CHARS = 255;

/** Own fields of MS Project (ExtendedAttribute, OutlineCode) as codes of activities. */
export interface MsCodes {
  takeField(field: XmlRecord): void;
  /** Of one task: each value as it is, and as `field=value` by what the user calls the field. */
  codesOf(task: XmlRecord): readonly string[];
}

export function createMsCodes(problems: Problems): MsCodes {
  const nameById = new Map<string, string>();
  /** By `FieldID ValueID`: values of outline codes are referred to. */
  const valueById = new Map<string, string>();
  /** Tasks with the same values share one list. */
  const lists = new Map<string, readonly string[]>();

  const keptOf = (text: string): string => {
    const value = oneLine(text);
    return value.length > MOST_VALUE_CHARS ? "" : value;
  };

  return {
    takeField(field) {
      const id = field.text("FieldID");
      const name = keptOf(field.text("Alias") || field.text("FieldName"));
      if (name !== "") nameById.set(id, name);
      for (const value of field.list("Values").flatMap((values) => values.list("Value"))) {
        valueById.set(`${id} ${value.text("ValueID")}`, keptOf(value.text("Value")));
      }
    },
    codesOf(task) {
      const codes: string[] = [];
      const add = (fieldId: string, value: string) => {
        if (value === "") return;
        const field = nameById.get(fieldId);
        codes.push(value, ...(field === undefined ? [] : [`${field}=${value}`]));
      };
      for (const field of task.list("ExtendedAttribute")) {
        add(field.text("FieldID"), keptOf(field.text("Value")));
      }
      for (const field of task.list("OutlineCode")) {
        const id = field.text("FieldID");
        add(id, valueById.get(`${id} ${field.text("ValueID")}`) ?? "");
      }
      if (codes.length === 0) return codes;
      if (codes.length > 2 * MOST_CODES) {
        problems.add(`line ${task.line}`, `has more than ${MOST_CODES} own fields`);
      }
      const key = codes.join("\n");
      const known = lists.get(key) ?? [...new Set(codes)];
      lists.set(key, known);
      return known;
    },
  };
}
