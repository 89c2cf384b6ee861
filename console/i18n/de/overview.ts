import type { EN_OVERVIEW } from "../en/overview.ts";

/** What the figures of the overview rest on, and trouble of the service, in German. */
export const DE_OVERVIEW: Readonly<Record<keyof typeof EN_OVERVIEW, string>> = {
  "overview.basis.assets":
    "Letzter bekannter Zustand aller {n} Maschinen um {time}. Nie gesendet: {silent}. Jetzt nicht zu hören, ihr Zustand ist älter: {old}.",
  "overview.basis.alerts": "Offen um {time}, wann auch immer gekommen, von allen {n} Maschinen.",
  "overview.basis.piles":
    "Neuestes Volumen jeder Halde um {time}, gemessen oder angegeben. Halden: {n}; ohne Volumen: {unknown}.",
  "overview.basis.reports":
    "Neuester Bericht jedes Projekts, gleich von wann. Ohne Bericht: {without} von {n} Projekten.",
  "overview.basis.reports_some":
    "Neuester Bericht jedes der ersten 100 von {n} Projekten; wählen Sie eines für seinen Bericht.",
  "service_state.not_ready": "Der Dienst ist nicht bereit",
  "service_state.warning": "Der Dienst braucht Aufmerksamkeit",
  "service_state.found": "gefunden {time}",
  "service_state.seen": "von dieser Seite gesehen seit {time}; es kann früher begonnen haben",
};
