import { DE_ALERTS } from "./de/alerts.ts";
import { DE_CAMERAS } from "./de/cameras.ts";
import { DE_CHART } from "./de/chart.ts";
import { DE_DEVICE } from "./de/device.ts";
import { DE_EVENTS } from "./de/events.ts";
import { DE_FENCES } from "./de/fences.ts";
import { DE_MACHINE } from "./de/machine.ts";
import { DE_MAP } from "./de/map.ts";
import { DE_MEASURE } from "./de/measure.ts";
import { DE_MODEL } from "./de/model.ts";
import { DE_OBSERVE } from "./de/observe.ts";
import { DE_OVERVIEW } from "./de/overview.ts";
import { DE_PROGRESS } from "./de/progress.ts";
import { DE_PROGRESS_SETUP } from "./de/progress-setup.ts";
import { DE_REGISTER } from "./de/register.ts";
import { DE_REQUESTS } from "./de/requests.ts";
import { DE_SAID } from "./de/said.ts";
import { DE_SERVICE } from "./de/service.ts";
import { DE_SETTINGS } from "./de/settings.ts";
import { DE_STOCKPILES } from "./de/stockpiles.ts";
import { DE_SURVEYS } from "./de/surveys.ts";
import { DE_TIME } from "./de/time.ts";
import { DE_TRACK } from "./de/track.ts";
import { DE_UPLOADS } from "./de/uploads.ts";
import { DE_UTILISATION } from "./de/utilisation.ts";
import type { EN } from "./en.ts";

/** All words of the console, in German. */
export const DE: Readonly<Record<keyof typeof EN, string>> = {
  ...DE_CHART,
  ...DE_DEVICE,
  ...DE_MACHINE,
  ...DE_MAP,
  ...DE_CAMERAS,
  ...DE_MODEL,
  ...DE_PROGRESS,
  ...DE_PROGRESS_SETUP,
  ...DE_REGISTER,
  ...DE_UPLOADS,
  ...DE_UTILISATION,
  ...DE_SERVICE,
  ...DE_TIME,
  ...DE_TRACK,
  "logo.of": "Logo von {name}",
  "app.name": "Plumbline",
  "app.skip": "Zum Inhalt springen",
  "app.loading": "Wird geladen",
  "app.not_found": "Diese Seite gibt es nicht",
  "app.not_found_hint": "Die Adresse ist falsch geschrieben, oder die Seite gibt es nicht mehr.",
  "app.to_start": "Zur Übersicht",
  "app.part_failed": "Diese Seite konnte nicht angezeigt werden",
  "app.reload": "Neu laden",

  "nav.label": "Seiten",
  "nav.overview": "Übersicht",
  "nav.map": "Karte",
  "nav.machines": "Maschinen",
  "nav.alerts": "Alarme",
  "nav.docs": "API",
  "nav.settings": "Verwaltung",
  "nav.service": "Dienst",
  "nav.help": "Hilfe",
  "nav.project": "Projekt",
  "nav.all_projects": "Alle Projekte",
  "nav.more": "Optionen",
  "nav.theme": "Darstellung",
  "nav.theme.auto": "Wie das System",
  "nav.theme.light": "Hell",
  "nav.theme.dark": "Dunkel",
  "nav.times": "Zeiten",
  "nav.times.short": "Kurz",
  "nav.times.full": "Mit Alter, Datum und UTC",
  "nav.language": "Sprache",
  "nav.units": "Einheiten",
  "nav.units.metric": "Metrisch",
  "nav.units.imperial": "Imperial",
  "nav.log_out": "Abmelden",
  "nav.key": "Schlüssel: {name}",

  "login.title": "Anmelden",
  "login.key": "API-Schlüssel",
  "login.hint":
    "Schlüssel vergibt die Verwaltung. Den ersten hat der Dienst bei seinem Start ausgegeben.",
  "login.submit": "Anmelden",
  "login.checking": "Der Schlüssel wird geprüft",
  "login.wrong":
    "Der Dienst nimmt diesen Schlüssel nicht an. Er ist falsch geschrieben, abgelaufen oder widerrufen.",
  "login.many":
    "Zu viele Anmeldungen mit diesem Schlüssel oder von dieser Adresse. Versuchen Sie es in einer Minute wieder.",
  "login.ended": "Die Sitzung ist beendet. Nach der Anmeldung geht es an derselben Stelle weiter.",

  "fail.none": "Der Dienst antwortet nicht.",
  "fail.forbidden": "Dieser Schlüssel darf das nicht: {message}",
  "fail.server": "Der Dienst hat einen Fehler.",
  "fail.other": "{message}",
  "fail.retry": "Noch einmal",

  "live.connecting": "Verbindung zum Live-Strom wird aufgebaut",
  "live.since": "Nicht live seit {time}",
  "live.clock_ahead":
    "Die Uhr dieses Geräts geht {age} vor. Alter und Zeiten hier folgen der Uhr des Dienstes.",
  "live.clock_behind":
    "Die Uhr dieses Geräts geht {age} nach. Alter und Zeiten hier folgen der Uhr des Dienstes.",
  "live.scope": "Diesem Schlüssel fehlt {scope}, darum ist hier nichts zu sehen.",

  "status.active": "aktiv",
  "status.idle": "Leerlauf",
  "status.maintenance": "Wartung",
  "connection.ok": "verbunden",
  "connection.silent": "stumm",
  "connection.offline": "offline",
  "connection.gps_stuck": "GPS hängt",
  "connection.unknown": "nie gemeldet",

  "place.registered": "eingetragener Ort, noch keine Position",
  "place.mocked": "vom Gerät erfunden",
  "place.accuracy": "± {distance}, gemeldet",
  "place.accuracy_assumed": "± {distance}, angenommen",
  "place.received": "Zeit des Empfangs, das Gerät sendet keine",
  "speed.reported": "{speed}, gemeldet",
  "speed.derived": "{speed}, aus Positionen berechnet",
  "heading.reported": "{heading}, gemeldet",
  "heading.derived": "{heading}, aus Positionen berechnet",
  "value.unknown": "nicht bekannt",

  "map.title": "Karte",
  "map.label": "Karte der Maschinen",
  "map.search": "Name oder Kennung suchen",
  "map.zoom_in": "Vergrößern",
  "map.zoom_out": "Verkleinern",
  "map.show_all": "Alle zeigen",
  "map.follow": "Folgen",
  "map.following": "Wird verfolgt",
  "map.close": "Schließen",
  "map.list": "Maschinen auf der Karte",
  "map.listed": "{n} von {all} sind aufgeführt.",
  "map.more": "{n} weitere aufführen",
  "map.no_webgl":
    "Dieser Browser kann die Karte nicht zeichnen (kein WebGL 2). Die Liste hat dieselben Maschinen.",
  "map.status": "Status",
  "map.connection": "Verbindung",
  "map.position": "Position",
  "map.seen": "Position von",
  "map.speed": "Geschwindigkeit",
  "map.heading": "Richtung",
  "map.zone": "Zone",
  "map.no_zone": "außerhalb aller Zonen",
  "map.work": "Schicht genutzt",
  "map.open_alerts": "Offene Alarme",
  "map.none": "keine",

  "machines.title": "Maschinen",
  "machines.name": "Name",
  "machines.type": "Art",
  "machines.status": "Status",
  "machines.connection": "Verbindung",
  "machines.seen": "Position von",
  "machines.speed": "Geschwindigkeit",
  "machines.work": "Schicht genutzt",
  "machines.zone": "Zone",
  "machines.all": "Alle",
  "machines.filter": "Nach Name, Kennung oder Art filtern",
  "machines.count_one": "{n} Maschine",
  "machines.count_other": "{n} Maschinen",
  "machines.empty": "Noch keine Maschinen",
  "machines.empty_hint": "Die erste anmelden; ihr Gerät kann nach einer Minute senden.",
  "machines.no_match": "Keine Maschine passt",
  "machines.no_match_hint": "Ändern Sie Suche oder Filter.",
  "machines.more": "{n} weitere zeigen",
  "machines.on_map": "Auf der Karte",
  "machines.since": "seit {time}",

  "work.figure": "{value} ({lower} bis {upper})",
  "work.observed": "beobachtet",
  "work.meter": "nach dem Stundenzähler",
  "work.bridged": "über Lücken teils erschlossen",
  "work.none": "nichts gesehen",
  "work.seen": "{percent} des Tages bisher gesehen",

  "alerts.title": "Alarme",
  "alerts.open": "Offen",
  "alerts.acknowledged": "Quittiert",
  "alerts.info_one": "{n} Hinweis",
  "alerts.info_other": "{n} Hinweise",
  "alerts.none": "Keine offenen Alarme",
  "alerts.none_hint": "Neue erscheinen hier von selbst.",
  "alerts.none_acknowledged": "Noch nichts quittiert",
  "alerts.note": "Bemerkung (freiwillig)",
  "alerts.acknowledge_one": "{n} Alarm quittieren",
  "alerts.acknowledge_other": "{n} Alarme quittieren",
  "alerts.choose": "Auswählen: {message}",
  "alerts.choose_all": "Alle gezeigten auswählen",
  "alerts.read_only":
    "Diesem Schlüssel fehlt equipment:write, darum kann er keine Alarme quittieren.",
  "alerts.by": "quittiert von {name}, {time}",
  "alerts.by_mute": "durch eine Stummschaltung quittiert, {time}",
  "alerts.times_one": "einmal",
  "alerts.times_other": "{n}-mal",
  "alerts.device_time": "nach der Uhr des Geräts {time}, die vorgeht",
  "alerts.more": "{n} ältere sind nicht gezeigt",
  "alerts.new": "Neuer Alarm: {message}",
  "severity.critical": "kritisch",
  "severity.warning": "Warnung",
  "severity.info": "Hinweis",

  "overview.title": "Übersicht",
  "overview.machines": "Maschinen",
  "overview.alerts": "Offene Alarme",
  "overview.newest": "Neueste",
  "overview.piles": "Halden",
  "overview.progress": "Baufortschritt",
  "overview.as_of": "Stand {time}",
  "overview.no_scope": "Diesem Schlüssel fehlt {scope}.",
  "overview.no_volume": "ohne Volumen",
  "overview.processing_one": "{n} Aufnahme wird verarbeitet",
  "overview.processing_other": "{n} Aufnahmen werden verarbeitet",
  "overview.no_reports": "Noch kein Bericht",
  "overview.report": "{actual} fertig, {planned} geplant; {seen} gesehen",
  "overview.by_status": "Nach Status",
  "overview.by_connection": "Nach Verbindung",
  "overview.basis.schedule": "Plan: Terminplan",
  "overview.basis.project_dates": "Plan: gerade Linie zwischen den Daten des Projekts",
  "pile.empty": "leer",
  "pile.low": "niedrig",
  "pile.adequate": "ausreichend",
  "pile.full": "voll",

  "time.now": "jetzt",
  "time.show_all": "Alter, Datum und UTC zeigen",
  "time.ago": "vor {age}",
  "time.ahead": "{age} in der Zukunft: die Uhr des Geräts geht falsch",

  ...DE_ALERTS,
  ...DE_EVENTS,
  ...DE_FENCES,
  ...DE_OBSERVE,
  ...DE_OVERVIEW,
  ...DE_REQUESTS,
  ...DE_SAID,
  ...DE_SETTINGS,
  ...DE_STOCKPILES,
  ...DE_SURVEYS,
  ...DE_MEASURE,
};
