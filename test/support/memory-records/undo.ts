/** Tables of the memory store: plain objects whose fields are maps, lists or values. */
type Tables = Record<string, unknown>;

/**
 * Remembers what tables hold and yields a function that puts it back. Rows are not copied: the memory
 * stores replace a row where they change it.
 */
export function rememberTables(tables: object): () => void {
  const fields = tables as Tables;
  const undo = Object.entries(fields).map(([name, value]) => {
    if (value instanceof Map) {
      const entries = [...value];
      return () => {
        value.clear();
        for (const [key, row] of entries) value.set(key, row);
      };
    }
    if (Array.isArray(value)) {
      const rows = [...value];
      return () => {
        value.splice(0, value.length, ...rows);
      };
    }
    return () => {
      fields[name] = value;
    };
  });
  return () => {
    for (const one of undo) one();
  };
}
