import { MAX_TOPIC_BYTES } from "../../domain/equipment/topics.ts";

const PLACEHOLDERS = ["project", "asset", "hardware_id"] as const;
/** What the places of a topic template are filled with. */
export type TopicNames = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const PLACE = /\{([^{}]*)\}/g;
const isPlaceholder = (name: string): name is keyof TopicNames =>
  (PLACEHOLDERS as readonly string[]).includes(name);

/** What is wrong with a topic template, in words that follow the name of a field; `undefined`: nothing. */
export function topicProblem(template: string): string | undefined {
  if (template === "" || Buffer.byteLength(template) > MAX_TOPIC_BYTES) {
    return `must have 1 to ${MAX_TOPIC_BYTES} bytes`;
  }
  if (template.startsWith("$")) return "must not begin with $, which is the broker's own";
  // Forbidden in a topic that is published to [MQTT-3.3.2-2]; control characters cost connections.
  if (/[+#\p{Cc}\uFFFD]/u.test(template)) return "must not contain +, # or control characters";
  for (const [whole, name = ""] of template.matchAll(PLACE)) {
    if (!isPlaceholder(name))
      return `contains ${whole}; only {project}, {asset} and {hardware_id} are known`;
  }
  if (/[{}]/.test(template.replaceAll(PLACE, ""))) return "has a brace that is not part of a place";
  return undefined;
}

/** The topic of one asset. */
export function fillTopic(template: string, names: TopicNames): string {
  return template.replaceAll(PLACE, (whole, name: string) =>
    isPlaceholder(name) ? names[name] : whole,
  );
}
