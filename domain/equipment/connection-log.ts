/** What a device or reader connects to. `broker`: an external broker that asks the API about log-ins. */
export const LISTENERS = [
  "mqtt",
  "mqtts",
  "ws",
  "wss",
  "http",
  "https",
  "teltonika",
  "osmand",
  "broker",
] as const;
export type ListenerName = (typeof LISTENERS)[number];

/** Attempts and ends that are kept for each asset. */
export const CONNECTIONS_PER_ASSET = 50;
/**
 * Attempts that are kept under names that no asset has. More would not help: one scanner fills any
 * number, and an installer who searches for a tracker does so within minutes.
 */
export const UNKNOWN_CONNECTIONS = 500;
/** Longest client id or user name that is kept, characters; MQTT allows 65,535 bytes. */
export const MAX_LOGGED_NAME = 128;
/** Longest detail of an outcome that is kept, characters. */
export const MAX_LOGGED_DETAIL = 200;

/** What became of a message of a device. */
export const MESSAGE_OUTCOMES = [
  "stored",
  "late",
  "duplicate",
  "quarantined",
  "foreign_topic",
  "ignored",
] as const;
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number];

/** Messages that are kept for each asset at most; see `MessageLog` for what many assets get. */
export const MESSAGES_PER_ASSET = 50;
