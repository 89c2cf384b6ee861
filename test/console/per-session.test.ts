import { describe, expect, it } from "vitest";
import { type Session, session } from "../../console/api/session-state.ts";
import { perSession } from "../../console/state/per-session.ts";

const sessionOf = (id: string, keyName: string): Session => ({
  ...{ id, key_id: "key_1", key_name: keyName, plan: "standard", scopes: ["events:read"] },
  ...{ created_at: "2026-11-28T06:00:00Z", last_seen_at: "2026-11-28T06:00:00Z" },
  ...{ expires_at: "2026-12-28T06:00:00Z", requests_per_minute: 1_000 },
});

describe("what a session sees", () => {
  it("stays while the session does, also when it is read again", () => {
    session.value = sessionOf("ses_1", "Anna");
    const seen = perSession<readonly string[]>([]);
    seen.value = ["digger-1"];
    session.value = sessionOf("ses_1", "Anna B.");
    expect(seen.value).toEqual(["digger-1"]);
  });

  it.each([
    ["ends", "ended" as const],
    ["is logged out", "none" as const],
    ["is followed by another one", sessionOf("ses_2", "Bert")],
  ])("is gone when the session %s", (_, next) => {
    session.value = sessionOf("ses_1", "Anna");
    const seen = perSession<readonly string[]>([]);
    seen.value = ["digger-1"];
    session.value = next;
    expect(seen.value).toEqual([]);
  });
});
