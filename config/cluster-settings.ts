import { choice, optionalText, optionalUrl, secret } from "./setting.ts";

/** Several processes and machines, and the broker between them. */
export const CLUSTER_SETTINGS = {
  role: choice(
    "ROLE",
    "What this process does; any but all needs DATABASE_URL, INFLUX_URL, S3_BUCKET and SECRET_KEY.",
    ["all", "ingest", "api", "processing"],
    "all",
  ),
  mqttUrl: optionalUrl(
    "MQTT_URL",
    "External MQTT broker or cluster that devices publish to, as mqtts://broker:8883; several ingest processes need KAFKA_BROKERS as well; unset: the embedded broker.",
    ["mqtt:", "mqtts:"],
  ),
  mqttUsername: optionalText("MQTT_USERNAME", "User name of the service at MQTT_URL."),
  mqttPassword: secret("MQTT_PASSWORD", "Password of the service at MQTT_URL.", 1),
  mqttCaFile: optionalText(
    "MQTT_CA_FILE",
    "PEM authorities that the broker at MQTT_URL is checked by; unset: those of the system.",
  ),
};
