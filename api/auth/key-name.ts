import type { RecordStore } from "../../storage/ports/record-store.ts";

/** What people call a key; its id, where it has no record (the key of the environment). */
export async function nameOfKey(
  apiKeys: Pick<RecordStore["apiKeys"], "list">,
  id: string,
): Promise<string> {
  const keys = await apiKeys.list();
  return keys.find((key) => key.id === id)?.name ?? id;
}
