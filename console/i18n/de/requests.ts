import type { EN_REQUESTS } from "../en/requests.ts";

/** Texts of what becomes of a request: two who changed the same thing, waiting, failing; in German. */
export const DE_REQUESTS: Readonly<Record<keyof typeof EN_REQUESTS, string>> = {
  "conflict.hint":
    "Die gespeicherte Fassung ist von {time}. Von Ihrer ist noch nichts gespeichert.",
  "conflict.field": "Feld",
  "conflict.mine": "Ihre",
  "conflict.theirs": "Gespeichert",
  "conflict.save_mine": "Mit Ihrer überschreiben",
  "conflict.take_theirs": "Mit der gespeicherten weitermachen",
};
