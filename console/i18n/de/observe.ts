import type { EN_OBSERVE } from "../en/observe.ts";

/** Texts of observations by hand, in German. */
export const DE_OBSERVE: Record<keyof typeof EN_OBSERVE, string> = {
  "observe.title": "Beobachtungen von Hand",
  "observe.no_zones": "Dieses Projekt hat noch keine Zonen.",
  "observe.by_hand_alone": "{zone} (nur durch Beobachtungen bekannt)",
  "observe.form": "Neue Beobachtung: {zone}",
  "observe.hint":
    "Berichte späterer Erfassungen berücksichtigen sie. 100 % bestätigt, dass die Zone fertig ist.",
  "observe.percent": "Beobachteter Stand in Prozent",
  "observe.no_stage": "keine: stattdessen ein Prozentwert",
  "observe.at": "Beobachtet am",
  "observe.at_hint": "Leer: jetzt",
  "observe.note": "Notiz (freiwillig)",
  "observe.photo": "Foto (freiwillig)",
  "observe.photo_hint": "JPEG, PNG oder WebP, höchstens 50 MiB. Es bleibt bei der Beobachtung.",
  "observe.photo_of": "Foto von {zone}, {time}",
  "observe.send": "Beobachtung speichern",
  "observe.done": "Die Beobachtung ist gespeichert. Der nächste Bericht berücksichtigt sie.",
  "observe.read_only":
    "Dieser Schlüssel hat kein progress:write und kann keine Beobachtungen speichern.",
  "observe.none": "Niemand hat diese Zone von Hand beobachtet.",
  "observe.declared": "{percent}, angegeben",
  "observe.no_interval": "ohne Intervall",
  "observe.interval": "({low} bis {high})",
  "observe.by": "von {by}",
  "observe.by_correction": "von {by}, als Korrektur eines Berichts",
  "observe.more": "{n} ältere sind nicht gezeigt.",
};
