import { isIPv4 } from "node:net";

/** The settings that decide which listeners open and which of them ask for a certificate. */
export interface ListenerSettings {
  readonly role: string;
  /** Set: there is no embedded broker. */
  readonly mqttUrl: string | undefined;
  readonly httpHost: string;
  readonly httpPort: number | undefined;
  readonly httpsPort: number | undefined;
  readonly mqttHost: string;
  readonly mqttPort: number | undefined;
  readonly mqttWsPort: number | undefined;
  readonly mqttWssPort: number | undefined;
  readonly teltonikaHost: string;
  readonly teltonikaPort: number | undefined;
  readonly osmandHost: string;
  readonly osmandPort: number | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
  readonly tlsCaFile: string | undefined;
  readonly tlsCrlFile: string | undefined;
  readonly tlsClientIdentity: string;
  readonly httpsClientCertificates: string;
  readonly allowPlainListeners: string;
}

/** What is wrong with the TLS settings together, one sentence each; empty when nothing is. */
export function tlsContradictions(settings: ListenerSettings): readonly string[] {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = settings;
  const problems: string[] = [];
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined)) {
    problems.push("TLS_CERT_FILE and TLS_KEY_FILE go together: set both or neither");
  }
  if (tlsCertFile === undefined) {
    const needing = { TLS_CA_FILE: tlsCaFile, ...securePorts(settings) };
    for (const [name, value] of Object.entries(needing)) {
      if (value !== undefined) problems.push(`${name} needs TLS_CERT_FILE and TLS_KEY_FILE`);
    }
  }
  if (tlsCaFile === undefined) {
    const needing = {
      TLS_CRL_FILE: settings.tlsCrlFile !== undefined,
      TLS_CLIENT_IDENTITY: settings.tlsClientIdentity !== "none",
      HTTPS_CLIENT_CERTIFICATES: settings.httpsClientCertificates !== "none",
    };
    for (const [name, isSet] of Object.entries(needing)) {
      if (isSet) problems.push(`${name} needs TLS_CA_FILE`);
    }
  } else if (settings.allowPlainListeners === "false") {
    const open = plainListeners(settings);
    if (open.length > 0) {
      problems.push(
        `TLS_CA_FILE demands client certificates, but ${open.join(", ")} takes clients without one: set the port to off or its host to 127.0.0.1, or allow it with ALLOW_PLAIN_LISTENERS=true`,
      );
    }
  }
  return problems;
}

const securePorts = ({ mqttWssPort, httpsPort }: ListenerSettings) => ({
  MQTT_WSS_PORT: mqttWssPort,
  HTTPS_PORT: httpsPort,
});

/** Listeners beyond loopback where a client needs no certificate although others of its kind do. */
function plainListeners(settings: ListenerSettings): readonly string[] {
  const { role, mqttUrl, mqttHost, httpHost } = settings;
  const takesDevices = (role === "all" || role === "ingest") && mqttUrl === undefined;
  const ofDevices = [
    ["MQTT_PORT", settings.mqttPort, mqttHost],
    ["MQTT_WS_PORT", settings.mqttWsPort, mqttHost],
    ["TELTONIKA_PORT", settings.teltonikaPort, settings.teltonikaHost],
    ["OSMAND_PORT", settings.osmandPort, settings.osmandHost],
  ] as const;
  const ofApi = [["HTTP_PORT", settings.httpPort, httpHost]] as const;
  return [
    ...(takesDevices ? ofDevices : []),
    ...(settings.httpsClientCertificates === "required" ? ofApi : []),
  ].flatMap(([name, port, host]) =>
    port === undefined || isLoopback(host) ? [] : [`${name}=${port} on ${host}`],
  );
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
