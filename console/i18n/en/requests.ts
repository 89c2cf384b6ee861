/** Texts of what becomes of a request: two who changed the same thing, waiting, failing; in English. */
export const EN_REQUESTS = {
  "conflict.hint": "The stored version is of {time}. Nothing of yours was saved yet.",
  "conflict.hint_undated": "Nothing of yours was saved yet.",
  "conflict.field": "Field",
  "conflict.mine": "Yours",
  "conflict.theirs": "Stored",
  "conflict.save_mine": "Save yours over it",
  "conflict.take_theirs": "Go on with the stored one",

  "fail.many":
    "The service asks to wait: {message}. This was not done yet; press again after {time}.",
  "fail.many_over": "There were too many requests. This was not done yet; press again now.",
  "fail.disk":
    "The disk of the service has no room for this: {needed} are needed, {left} are left. An administrator has to make room.",
  "fail.no_room":
    "The disk of the service has no room for this. An administrator has to make room.",
  "fail.quota":
    "The quota of the project has no room for this: {needed} are needed, {used} of {limit} are stored.",
  "fail.to_storage": "What to do about it",
  "fail.request_id": "Request id, for the administrator",
  "wait.reads": "Too many requests in this minute. This page reads on by itself at {time}.",
} as const;
