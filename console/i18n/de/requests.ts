import type { EN_REQUESTS } from "../en/requests.ts";

/** Texts of what becomes of a request: two who changed the same thing, waiting, failing; in German. */
export const DE_REQUESTS: Readonly<Record<keyof typeof EN_REQUESTS, string>> = {
  "conflict.hint":
    "Die gespeicherte Fassung ist von {time}. Von Ihrer ist noch nichts gespeichert.",
  "conflict.hint_undated": "Von Ihrer Fassung ist noch nichts gespeichert.",
  "conflict.field": "Feld",
  "conflict.mine": "Ihre",
  "conflict.theirs": "Gespeichert",
  "conflict.save_mine": "Mit Ihrer überschreiben",
  "conflict.take_theirs": "Mit der gespeicherten weitermachen",

  "fail.many":
    "Der Dienst bittet zu warten: {message}. Dies ist noch nicht geschehen; nach {time} noch einmal drücken.",
  "fail.many_over":
    "Es waren zu viele Anfragen. Dies ist noch nicht geschehen; jetzt noch einmal drücken.",
  "fail.disk":
    "Auf dem Datenträger des Dienstes ist dafür kein Platz: {needed} werden gebraucht, {left} sind frei. Die Verwaltung muss Platz schaffen.",
  "fail.no_room":
    "Auf dem Datenträger des Dienstes ist dafür kein Platz. Die Verwaltung muss Platz schaffen.",
  "fail.quota":
    "Im Kontingent des Projekts ist dafür kein Platz: {needed} werden gebraucht, {used} von {limit} sind belegt.",
  "fail.to_storage": "Was zu tun ist",
  "fail.request_id": "Kennung der Anfrage, für die Verwaltung",
  "wait.reads":
    "Zu viele Anfragen in dieser Minute. Diese Seite liest um {time} von selbst weiter.",
};
