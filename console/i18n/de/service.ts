import type { EN_SERVICE } from "../en/service.ts";

/** Texts of the pages about the service and the meaning of figures, in German. */
export const DE_SERVICE: Readonly<Record<keyof typeof EN_SERVICE, string>> = {
  "service.no_scope": "Diese Seite braucht einen Schlüssel mit admin",
  "service.ready": "Der Dienst ist bereit: Er nimmt Meldungen an, speichert sie und antwortet.",
  "service.backlog": "Was wartet",
  "service.unprocessed": "Auf Zustand und Ereignisse",
  "service.unstored": "Auf die Zeitreihen",
  "service.running": "In Arbeit",
  "service.queued": "In der Warteschlange",
  "service.records_one": "{n} Meldung",
  "service.records_other": "{n} Meldungen",
  "service.jobs_one": "{n} Auftrag",
  "service.jobs_other": "{n} Aufträge",
  "service.backlog_basis":
    "Wartende Meldungen liegen auf der Platte und sind bestätigt. Aufträge sind Messungen und Aufnahmen aller Prozesse; die Meldungen sind die dieses Prozesses.",
  "service.room": "Platz",
  "service.disk_free": "Freie Platte",
  "service.disk_kept": "Für Meldungen frei gehalten",
  "service.journal": "Journal",
  "service.memory": "Belegter Arbeitsspeicher",
  "service.room_basis":
    "Ist weniger frei, als für Meldungen frei gehalten wird, werden Uploads, Ergebnisse und Sicherungen abgelehnt.",
  "service.program": "Programm",
  "service.version": "Version",
  "service.started": "Läuft seit",
  "service.backup": "Sicherung",
  "service.backup_last": "Zuletzt heruntergeladen",
  "service.backup_none": "seit dem Start dieses Prozesses nicht; andere sind nicht bekannt",
  "service.backup_secret":
    "Das Archiv enthält alle Geheimnisse der Installation. Es gehört dorthin, wo auch Passwörter liegen.",
  "service.backup_download": "Sicherung herunterladen",
  "service.backup_elsewhere":
    "Dieser Prozess hat keine eigenen Speicher; gesichert wird die Datenbank.",
  "service.sign_ins": "Angemeldet",
  "service.sign_ins_basis":
    "Browser mit gültiger Anmeldung, die neueste zuerst. Beendete Anmeldungen werden nicht aufbewahrt.",
  "service.sign_in_own": "dieser Browser",
  "service.signed_in": "Angemeldet",
  "service.last_seen": "zuletzt gesehen",
  "service.sign_out": "Abmelden",
  "service.sign_out_of": "{name}, {address} abmelden",
  "service.sign_out_title": "{name}, {address} abmelden?",
  "service.sign_out_hint":
    "Seine Seiten enden binnen 5 s. Der Schlüssel kann sich wieder anmelden: Wer das nicht soll, dem wird er widerrufen.",

  "help.title": "Was die Zahlen bedeuten",
  "help.hint":
    "Bei jeder Zahl steht, worauf sie beruht. Was nicht bekannt ist, heißt auch so und ist nicht 0.",
  "help.machines": "Maschinen",
  "help.position.name": "Position",
  "help.position":
    "Wo das Gerät war, nach seiner eigenen Uhr, mit Genauigkeit. Ein eingetragener Ort ist von Hand: Die Maschine hat nie eine Position gesendet.",
  "help.status.name": "Status",
  "help.status":
    "Aktiv, untätig oder in Wartung, nach den neuesten Meldungen und dem, was eingetragen wurde.",
  "help.connection.name": "Verbindung",
  "help.connection":
    "Ok, still (länger als üblich kam nichts), offline (die Verbindung endete) oder GPS hängt (Meldungen kommen, die Position bewegt sich nicht).",
  "help.worked.name": "Gearbeitet",
  "help.worked":
    "Arbeitszeit in der Schicht, mit unterer und oberer Grenze: Was nicht zu sehen war, kann Arbeit gewesen sein.",
  "help.idle.name": "Leerlauf, Motor an",
  "help.idle": "Motorzeit ohne Arbeitszeit und Überstunden.",
  "help.visit.name": "Besuch",
  "help.visit":
    "Vom Einfahren in einen Zaun bis zum Ausfahren. Erschlossen: Keine Position lag darin, aber der Weg führte hindurch.",
  "help.materials": "Material",
  "help.volume.name": "Volumen",
  "help.volume":
    "Was innerhalb des Umrisses über der Basis liegt. Gemessen: aus Fotos oder einer Oberfläche. Angegeben: jemandes Wort, ohne Intervall.",
  "help.interval.name": "±",
  "help.interval": "Die Hälfte des Intervalls, das den wahren Wert in 95 von 100 Fällen enthält.",
  "help.base.name": "Basis",
  "help.base":
    "Der Boden unter einer Halde: eine Ebene oder Dreiecke um ihren Fuß, eine Höhe oder eine Vermessung.",
  "help.change.name": "Deutliche Änderung",
  "help.change": "Eine Änderung, die größer ist als das Intervall beider Messungen.",
  "help.progress": "Fortschritt",
  "help.percent.name": "Prozent",
  "help.percent":
    "Wie viel der geplanten Arbeit da ist, gewichtet über die Bereiche, die je zu sehen waren.",
  "help.plan.name": "Geplant",
  "help.plan": "Was der Terminplan zur Zeit der Zahl verlangt, mit der er verglichen wird.",
  "help.seen.name": "Gesehen",
  "help.seen":
    "Der Anteil am Gewicht des Projekts, den je eine Aufnahme gesehen hat. Ein Bereich, der nicht zu sehen war, behält seine letzte Zahl mit ihrem Datum.",
  "help.forecast.name": "Voraussichtliches Ende",
  "help.forecast": "Wann die Arbeit im bisherigen Tempo endet, mit Intervall.",
  "help.words": "Wörter neben Zahlen",
  "help.assumed.name": "angenommen",
  "help.assumed": "Das Gerät hat es nicht gesagt; ein üblicher Wert steht dafür.",
  "help.declared.name": "angegeben",
  "help.declared": "Ein Mensch hat es gesagt, und nichts hat es gemessen.",
  "help.inferred.name": "erschlossen",
  "help.inferred": "Aus dem gefolgert, was davor und danach kam.",
  "help.late.name": "verspätet",
  "help.late": "Mehr als eine Minute nach der Aufnahme empfangen.",
  "help.unknown.name": "unbekannt",
  "help.unknown": "Nichts ist bekannt. Es zählt nie als 0.",
  "help.keys": "Tasten",
  "help.key.tab": "nächster Link, Knopf oder Feld; der erste springt zum Inhalt",
  "help.key.escape": "schließt einen Dialog",
  "help.key.arrows": "auf der Zeit einer Spur: ein Schritt. Auf einer Karte: verschiebt sie",
  "help.key.shift": "auf der Zeit einer Spur: eine Sekunde",
  "help.key.pages": "auf der Zeit einer Spur: zehn Schritte",
  "help.key.zoom": "auf einer Karte: näher, weiter weg",
  "help.licences": "Lizenzen",
  "help.licences_hint": "Was in diesen Seiten steckt.",
  "help.licences_all": "Alle Texte",
};
