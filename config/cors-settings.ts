import { DomainError } from "../domain/errors.ts";
import type { Setting } from "./setting.ts";

const ENV = "CORS_ORIGINS";

/** Which pages of others may call the API from a browser. */
const corsOrigins: Setting<readonly string[]> = {
  env: ENV,
  doc: "Origins whose pages may call the API from a browser, as https://app.example.com,http://localhost:5173; * for all; unset: none.",
  fallback: "",
  parse(value) {
    const origins = value
      .split(",")
      .map((text) => text.trim())
      .filter((text) => text !== "");
    for (const origin of origins) {
      if (origin !== "*" && !isOrigin(origin)) {
        const allowed = "an origin such as https://app.example.com, without a path, or *";
        throw new DomainError("SETTINGS_INVALID", `${ENV}="${origin}" is not ${allowed}`);
      }
    }
    // Beside the origins that it has already, `*` would only hide what somebody meant.
    if (origins.length > 1 && origins.includes("*")) {
      throw new DomainError("SETTINGS_INVALID", `${ENV} has either * or origins`);
    }
    return [...new Set(origins)];
  },
};

/** Whether the text is an origin in the very form in which browsers send it. */
function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A host with a star would be one that nobody has.
  if (url === undefined || text.includes("*")) return false;
  return /^https?:$/.test(url.protocol) && url.origin === text;
}

export const CORS_SETTINGS = { corsOrigins };
