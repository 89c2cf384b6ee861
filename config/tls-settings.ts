import { choice, optionalText, port } from "./setting.ts";

/** Listeners with TLS, what they prove themselves by, and what they ask of clients. */
export const TLS_SETTINGS = {
  mqttsPort: port(
    "MQTTS_PORT",
    "Port of MQTT over TLS; used when TLS_CERT_FILE and TLS_KEY_FILE are set; off: no listener.",
    8883,
  ),
  mqttWssPort: port(
    "MQTT_WSS_PORT",
    "Port of MQTT over WebSocket over TLS (path /mqtt); unset or off: no listener.",
  ),
  httpsPort: port(
    "HTTPS_PORT",
    "Port of the HTTP API over TLS, on HTTP_HOST; unset or off: no listener.",
  ),
  tlsCertFile: optionalText(
    "TLS_CERT_FILE",
    "PEM certificate chain of every TLS listener; read again on SIGHUP and when the file changes.",
  ),
  tlsKeyFile: optionalText("TLS_KEY_FILE", "PEM private key that belongs to TLS_CERT_FILE."),
  tlsCaFile: optionalText(
    "TLS_CA_FILE",
    "PEM authorities of client certificates; when set, every device on MQTTS_PORT and MQTT_WSS_PORT must present one.",
  ),
  tlsCrlFile: optionalText(
    "TLS_CRL_FILE",
    "PEM revocation lists, one of each authority in TLS_CA_FILE; unset: no certificate is revoked.",
  ),
  tlsClientIdentity: choice(
    "TLS_CLIENT_IDENTITY",
    "Part of a client certificate that is the asset's id, so that no password is needed: cn (common name) or san (DNS name, or URI urn:plumbline:asset:ID); none: the password decides.",
    ["none", "cn", "san"],
    "none",
  ),
  httpsClientCertificates: choice(
    "HTTPS_CLIENT_CERTIFICATES",
    "Whether clients of HTTPS_PORT must present a certificate of TLS_CA_FILE as well.",
    ["none", "required"],
    "none",
  ),
  allowPlainListeners: choice(
    "ALLOW_PLAIN_LISTENERS",
    "Whether listeners that ask for no certificate may be open beside TLS_CA_FILE, on other addresses than loopback.",
    ["true", "false"],
    "false",
  ),
};
