/** Texts of what becomes of a request: two who changed the same thing, waiting, failing; in English. */
export const EN_REQUESTS = {
  "conflict.hint": "The stored version is of {time}. Nothing of yours was saved yet.",
  "conflict.field": "Field",
  "conflict.mine": "Yours",
  "conflict.theirs": "Stored",
  "conflict.save_mine": "Save yours over it",
  "conflict.take_theirs": "Go on with the stored one",
} as const;
