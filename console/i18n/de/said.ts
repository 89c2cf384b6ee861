import type { EN_SAID } from "../en/said.ts";

/** Sentences of alerts and events, in German. */
export const DE_SAID: Readonly<Record<keyof typeof EN_SAID, string>> = {
  "said.entered": "{machine} ist in {fence} eingefahren",
  "said.exited": "{machine} hat {fence} verlassen",
  "said.exited_after": "{machine} hat {fence} nach {time} verlassen",
  "said.limit": "{machine}: {limit} {bound}",
  "said.limit_value": "{machine}: {limit} {bound}, es waren {value}",
  "said.limit_cleared": "{machine}: {limit} wieder im Grenzwert",
  "said.fault_raised": "{machine} meldet {fault}",
  "said.fault_cleared": "{machine} meldet nicht mehr {fault}",
  "said.service_warning": "{machine}: {service} wird bald fällig ({used} von {every})",
  "said.service_due": "{machine}: {service} ist fällig ({used} von {every})",
  "said.serviced": "{machine}: {service} wurde erledigt",
  "said.offline": "{machine} ist offline: keine MQTT-Sitzung seit {time}",
  "said.silent": "{machine} ist stumm: keine Nachricht seit {time}",
  "said.gps_stuck": "{machine} hat seit {time} keine neue Position, obwohl Nachrichten kommen",
  "said.online": "{machine} ist nach {time} wieder online",
  "said.reporting": "{machine} meldet sich nach {time} wieder",
  "said.gps_recovered": "{machine} hat nach {time} wieder Positionen",
  "said.outage":
    "{n} von {all} Maschinen von {project} sind gemeinsam verstummt; letzte Nachricht {time}",
  "said.recovered": "{project} meldet sich nach {time} wieder; noch abwesende Maschinen: {n}",
};
