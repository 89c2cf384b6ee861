import { signal } from "@preact/signals";
import { COLUMNS, type Column } from "./sort.ts";

const STORED_AS = "plumbline.machine-columns";

/** Columns that the person left out. The name is always there: it says which machine it is. */
export const hiddenColumns = signal<ReadonlySet<Column>>(readHidden());

/** Columns that can be left out. */
export const OPTIONAL_COLUMNS: readonly Column[] = COLUMNS.filter((column) => column !== "name");

/** Shows a column or leaves it out; it is kept where the browser lets us. */
export function showColumn(column: Column, isShown: boolean): void {
  const hidden = new Set(hiddenColumns.peek());
  if (isShown) hidden.delete(column);
  else hidden.add(column);
  hiddenColumns.value = hidden;
  try {
    localStorage.setItem(STORED_AS, JSON.stringify([...hidden]));
  } catch {
    // Storage is off or full: it holds until the page is closed.
  }
}

function readHidden(): ReadonlySet<Column> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? "[]");
    const named = Array.isArray(stored) ? stored : [];
    return new Set(COLUMNS.filter((column) => column !== "name" && named.includes(column)));
  } catch {
    return new Set();
  }
}
