import { createHash } from "node:crypto";
import type { AlertId } from "../../domain/ids.ts";

/** A deterministic id: the same cause raises the same event on every replay. */
export const eventId = (...parts: readonly (string | number)[]): string => `evt_${digest(parts)}`;

/** A deterministic id: the same cause opens the same alert on every replay. */
export const alertId = (...parts: readonly (string | number)[]): AlertId =>
  `alt_${digest(parts)}` as AlertId;

const digest = (parts: readonly (string | number)[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 22);
