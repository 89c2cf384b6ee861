import type { EN_ALERTS } from "../en/alerts.ts";

/** Texts of filters, bulk acknowledgement, mutes and notifications, in German. */
export const DE_ALERTS: Readonly<Record<keyof typeof EN_ALERTS, string>> = {
  "alerts.severity": "Schwere",
  "alerts.rule": "Regel",
  "alerts.no_match": "Kein offener Alarm passt",
  "alerts.acknowledge_all": "Alle quittieren …",
  "alerts.acknowledge_matching": "Alle passenden quittieren …",
  "alerts.all_title": "Offene Alarme quittieren",
  "alerts.matching_one": "{n} offener Alarm,",
  "alerts.matching_other": "{n} offene Alarme,",
  "alerts.no_filter": "jeder Art.",
  "alerts.filtered": "passend zu den Filtern.",
  "alerts.all_until": "Was nach {time} aufgeht, bleibt offen.",
  "alerts.done_one": "{n} Alarm wurde quittiert",
  "alerts.done_other": "{n} Alarme wurden quittiert",
  "alerts.acknowledged_of": "{n} von {all} sind gezeigt, die neuesten zuerst.",
  "alerts.new_and_one": "Neuer Alarm: {message} Und {n} weiterer.",
  "alerts.new_and_other": "Neuer Alarm: {message} Und {n} weitere.",

  "mutes.mute": "Stummschalten",
  "mutes.mute_of": "Stummschalten: {message}",
  "mutes.title": "„{rule}“ für {machine} stummschalten",
  "mutes.hint":
    "Alarme dieser Regel, die bis dahin aufgehen, werden für Sie quittiert. Ereignisse werden trotzdem aufgezeichnet und versandt. Dieser Alarm bleibt offen.",
  "mutes.until": "Wie lange",
  "mutes.hours.1": "1 Stunde",
  "mutes.hours.4": "4 Stunden",
  "mutes.hours.12": "12 Stunden",
  "mutes.hours.24": "1 Tag",
  "mutes.hours.168": "7 Tage",
  "mutes.at": "bis zu einer Uhrzeit",
  "mutes.time": "Bis",
  "mutes.time_hint": "Innerhalb von 30 Tagen",
  "mutes.until_wrong": "Das Ende muss in der Zukunft liegen, innerhalb von 30 Tagen.",
  "mutes.this_fence": "Nur dieser Zaun",
  "mutes.critical": "Auch kritische",
  "mutes.done": "Die Regel ist stummgeschaltet.",
  "mutes.list": "Stummgeschaltete Regeln",
  "mutes.none": "Keine Regel ist stummgeschaltet",
  "mutes.until_time": "noch {left}",
  "mutes.by": "von {name}",
  "mutes.covers_critical": "auch kritische",
  "mutes.end": "Aufheben",
  "mutes.end_of": "Stummschaltung aufheben: {what}",

  "notify.off": "Benachrichtigen",
  "notify.on": "Benachrichtigungen sind an",
  "sound.off": "Ton bei kritischen Alarmen",
  "sound.on": "Ton ist an",
  "sound.hint":
    "Zwei Töne, wenn ein kritischer Alarm kommt, während diese Seite offen ist, in einem Tab dieses Browsers.",
  "notify.hint":
    "Ist diese Seite nicht zu sehen, zeigt der Browser neue Warnungen und kritische Alarme. Hinweise werden nicht gezeigt.",
  "notify.denied":
    "Dieser Browser lehnt Benachrichtigungen dieser Seite ab; seine Einstellungen können sie erlauben.",
};
