import type { EN_REGISTER } from "../en/register.ts";

/** Words of the registration of machines and of why their devices do not connect, in German. */
export const DE_REGISTER: Readonly<Record<keyof typeof EN_REGISTER, string>> = {
  "form.problem": "Nicht angenommen: {message}",
  "copy.copy": "Kopieren",
  "copy.label": "Kopieren: {name}",
  "copy.copied": "kopiert",
  "copy.selected": "ausgewählt; mit der Tastatur kopieren",

  "register.title": "Maschine anmelden",
  "register.link": "Maschine anmelden",
  "register.no_scope": "Diesem Schlüssel fehlt {scope}, darum kann er keine Maschinen anmelden.",
  "register.name": "Name",
  "register.id": "Kennung",
  "register.id_hint":
    "Auch der Benutzername des Geräts. Buchstaben, Ziffern, - und _. Sie bleibt für immer.",
  "register.type": "Art",
  "register.type_hint":
    "Zum Beispiel excavator, truck, crane. Pläne und Zuordnungen gelten je Art.",
  "register.project": "Projekt",
  "register.choose": "Auswählen",
  "register.no_projects":
    "Dieser Schlüssel sieht kein Projekt. Die Verwaltung legt eines an: POST /api/v1/projects.",
  "register.latitude": "Geografische Breite des Orts, Grad",
  "register.longitude": "Geografische Länge des Orts, Grad",
  "register.place_hint": "Gilt bis zur ersten Position. Leer: der Ort des Projekts.",
  "place.of_device": "Ort dieses Geräts nehmen",
  "place.waiting": "Wartet auf eine Position",
  "place.taken": "Genommen, ± {distance} laut diesem Gerät.",
  "place.denied": "Dieser Browser darf nicht sagen, wo er ist.",
  "place.failed": "Dieses Gerät weiß nicht, wo es ist.",
  "register.decoder": "Format des Geräts",
  "register.decoder_hint":
    "plumbline ist unser eigenes JSON. Die Seite des Geräts zeigt, was aus einer Nachricht würde.",
  "register.hardware": "Gerätekennung",
  "register.hardware_hint":
    "IMEI oder eine andere Kennung, die das Gerät statt seines Namens sendet. Freiwillig.",
  "register.submit": "Anmelden",
  "register.sending": "Wird angemeldet",
  "register.half_place": "Breite und Länge gehören zusammen: beide oder keine.",
  "register.not_degrees": "Das ist keine Zahl in Grad.",
  "register.another": "Noch eine Maschine anmelden",
  "register.done": "{name} ist angemeldet",
  "register.to_machine": "Zur Seite der Maschine",

  "creds.title": "Zugangsdaten des Geräts",
  "creds.once":
    "Das Passwort ist nur jetzt zu sehen und danach nie wieder. Es gehört in das Gerät; später hilft nur ein neues.",
  "creds.lost":
    "Die Antwort kam ohne Passwort: Es stand in einer früheren Antwort. Neue Zugangsdaten helfen weiter.",
  "creds.user": "Benutzername",
  "creds.password": "Passwort",
  "creds.topic": "Topic",
  "creds.address": "Adresse",
  "creds.tls_address": "Adresse mit TLS",
  "creds.no_tls":
    "Dieser Dienst hat kein MQTT mit TLS: Passwörter gehen unverschlüsselt über das Netz.",
  "creds.certificate": "Das Gerät braucht dort ein Client-Zertifikat.",
  "creds.elsewhere":
    "Dieser Prozess weiß nicht, wo Geräte sich verbinden. Die Verwaltung kennt die Adresse des Brokers; unten steht {host}:1883 dafür.",
  "creds.host_note":
    "{host} ist der Rechner dieser Seite. Geräte in einem anderen Netz brauchen vielleicht einen anderen Namen dafür.",
  "creds.try": "Ausprobieren",
  "creds.try_hint": "Dieser Befehl sendet eine Nachricht, wie das Gerät es täte:",
  "creds.try_tls": "Dasselbe mit TLS; ca.crt ist das Zertifikat der Zertifizierungsstelle:",
  "creds.try_format":
    "Vorher kommt eine Nachricht des Geräts in die Datei „message“: Die Konsole hat kein Beispiel für das Format {format}.",
  "creds.other_protocol":
    "Ein Gerät mit dem Format {format} spricht kein MQTT. Es verbindet sich mit seiner Gerätekennung am Anschluss seines Protokolls; docs/devices beschreibt, wie.",
  "creds.rotate": "Neue Zugangsdaten",
  "creds.rotate_hint":
    "Macht ein neues Passwort. Das alte gilt sofort nicht mehr, und die Verbindung des Geräts endet.",
  "creds.rotate_sure": "Jetzt ein neues Passwort machen",
  "creds.cancel": "Abbrechen",

  "watch.title": "Was der Dienst vom Gerät sieht",
  "watch.waiting": "Wartet auf das Gerät. Seit {time} kam nichts.",
  "watch.refused": "Das Gerät wurde abgewiesen: {reason}",
  "watch.connected": "Das Gerät ist verbunden. Noch kam keine Nachricht.",
  "watch.ended": "Das Gerät war verbunden, die Verbindung ist beendet: {reason}",
  "watch.stored": "Eine Nachricht kam und ist gespeichert.",
  "watch.stored_partly":
    "Eine Nachricht kam und ist gespeichert, aber nicht alles darin wurde übernommen.",
  "watch.quarantined": "Eine Nachricht kam, die nicht lesbar war: {reason}",
  "watch.foreign_topic":
    "Eine Nachricht kam auf einem Topic, das dem Gerät nicht gehört, und wurde verworfen: {topic}",
  "watch.duplicate": "Eine Nachricht kam zum zweiten Mal. Beim ersten Mal wurde sie gespeichert.",
  "watch.ignored": "Eine Nachricht kam, von der nichts aufgehoben wird.",
  "watch.polled":
    "Nachgesehen wird alle {seconds} s; Anmeldungen erscheinen nach einigen Sekunden.",
  "watch.list": "Neueste zuerst",
  "watch.unknown_note":
    "Auch Anmeldungen unter Namen, die keine Maschine hat, stehen hier: Vielleicht nennt das Gerät einen anderen.",
  "watch.no_unknown":
    "Anmeldungen unter anderen Namen sehen nur Verwaltungsschlüssel für alle Projekte.",
  "watch.name": "als „{name}“",
  "watch.no_name": "ohne Namen",
  "watch.from": "von {address}",
  "watch.by": "über {listener}",
  "watch.topic": "Topic {topic}",
  "watch.bytes": "{bytes} Byte",
  "watch.readings_one": "{n} Messung",
  "watch.readings_other": "{n} Messungen",
  "watch.before_one": "und {n} solche davor",
  "watch.before_other": "und {n} solche davor",
  "watch.none": "Noch nichts.",
  "watch.since_start": "Nachrichten stehen hier seit dem Start des Dienstes, {time}.",

  "link.accepted": "Anmeldung angenommen",
  "link.unknown_user": "Anmeldung abgewiesen: keine Maschine heißt so",
  "link.wrong_password": "Anmeldung abgewiesen: falsches Passwort",
  "link.barred": "Anmeldung abgewiesen: zu viele falsche Passwörter von dieser Adresse",
  "link.version_refused": "abgewiesen: MQTT-Version, die hier nicht gesprochen wird",
  "link.client_id": "abgewiesen: keine Client-Kennung",
  "link.takeover": "beendet: ein anderes Gerät mit derselben Client-Kennung hat sich verbunden",
  "link.takeover_banned": "abgewiesen: zwei Geräte benutzen dieselbe Client-Kennung",
  "link.too_soon": "abgewiesen: kurz zuvor begann eine andere Verbindung mit derselben IMEI",
  "link.command_unanswered": "beendet: der Tracker hat einen Befehl nicht beantwortet",
  "link.tls_alert": "abgewiesen: TLS-Handshake gescheitert",
  "link.unavailable": "abgewiesen: der Dienst hat da nichts gespeichert",
  "link.connect_timeout": "beendet: es kam keine Anmeldung",
  "link.malformed": "beendet: kein gültiges Paket dieses Protokolls",
  "link.oversized": "beendet: Paket zu groß",
  "link.quota": "verbunden, sendet aber mehr, als auf einmal gelesen wird",
  "link.keep_alive": "beendet: 1,5 Keep-Alives lang kam nichts",
  "link.cut": "beendet: Netz oder Gerät haben die Verbindung getrennt",
  "link.disconnect": "beendet: durch das Gerät",
  "link.credential_changed": "beendet: das Passwort wurde geändert",
  "link.asset_gone": "beendet: die Maschine wurde gelöscht",
  "link.shutdown": "beendet: der Dienst hat angehalten",
  "link.other": "anderes: {outcome}",
  "todo.unknown_user": "Den Benutzernamen im Gerät mit der Kennung der Maschine vergleichen.",
  "todo.wrong_password": "Das Passwort noch einmal eingeben oder neue Zugangsdaten machen.",
  "todo.barred": "Das richtige Passwort kommt jederzeit durch: im Gerät berichtigen.",
  "todo.version_refused": "Das Gerät auf MQTT 3.1.1 stellen.",
  "todo.client_id": "Eine Client-Kennung oder Clean Session einstellen.",
  "todo.takeover": "Jedem Gerät eine eigene Client-Kennung geben.",
  "todo.too_soon":
    "Zwei Geräte oder ein Proxy benutzen eine IMEI, oder der Tracker verbindet sich doppelt.",
  "todo.tls_alert":
    "Vielleicht traut das Gerät dem Zertifikat des Servers nicht, oder ihm fehlt sein eigenes.",
  "todo.unavailable": "Vielleicht ist die Platte voll; das Gerät versucht es wieder.",
  "todo.malformed": "Port und TLS prüfen: vielleicht TLS am offenen Port, oder kein MQTT.",
  "todo.quarantined":
    "Die Nachricht liegt in der Quarantäne auf der Seite des Geräts. Eine berichtigte lässt sich dort erst probieren.",
  "todo.foreign_topic": "Im Gerät das eigene Topic der Maschine einstellen.",

  "message.stored": "Nachricht gespeichert",
  "message.late":
    "Nachricht gespeichert; älter als das Bisherige, sie ändert nur die Vergangenheit",
  "message.duplicate": "Nachricht kam noch einmal; gespeichert ist die erste",
  "message.quarantined": "Nachricht nicht lesbar, in Quarantäne",
  "message.foreign_topic": "Nachricht verworfen: Topic gehört dem Gerät nicht",
  "message.ignored": "Nachricht ohne etwas zum Aufheben",
};
