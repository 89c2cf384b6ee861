import { describe, expect, it } from "vitest";
import { type LivenessRun, openLivenessRun } from "../../../support/liveness-run.ts";

const open = (timeoutS?: number): LivenessRun =>
  openLivenessRun([{ id: "van", ...(timeoutS === undefined ? {} : { timeoutS }) }]);

/** A message every 10 s from one second to another, both included, with a position or without. */
function messages(run: LivenessRun, fromS: number, toS: number, fixAt?: (atS: number) => number) {
  for (let atS = fromS; atS <= toS; atS += 10) {
    run.message("van", atS, fixAt?.(atS));
    run.passTo(atS);
  }
}

describe("offline", () => {
  it("a link that went down at one process before it came up at another is up, in whichever order they are journalled", () => {
    const run = open();
    run.up("van", 100);
    run.up("van", 107);
    run.down("van", 105, "cut");
    run.passTo(300);
    expect(run.status("van")).toBe("connected ok");
    run.down("van", 310, "disconnect");
    run.passTo(320);
    expect(run.status("van")).toBe("disconnected ok");
  });

  it("an asset is offline when its link is down for 60 s and no other follows for 60 s more, dated at the link's end", () => {
    const run = open();
    run.up("van", 0);
    run.passTo(100);
    run.down("van", 100, "keep_alive");
    run.passTo(210);
    expect(run.reported).toEqual([]);
    expect(run.status("van")).toBe("disconnected offline");
    run.passTo(220);
    expect(run.reported).toEqual(["100 asset.offline van"]);
    expect(run.events[0]?.data).toEqual({
      asset_name: "van",
      link_since: "2026-06-01T08:01:40.000Z",
      link_end: "keep_alive",
    });
    expect(run.alerts()).toMatchObject([
      {
        type: "equipment.asset.offline",
        severity: "warning",
        assetId: "van",
        projectId: "site",
        resolvedAtMs: undefined,
        message: "van is offline: it has no MQTT session",
      },
    ]);
  });

  it("offline ends with the next session, which resolves the alert", () => {
    const run = open();
    run.up("van", 0);
    run.down("van", 100);
    run.passTo(220);
    run.up("van", 225);
    expect(run.reported).toEqual(["100 asset.offline van", "225 asset.online van"]);
    expect(run.events[1]?.data).toMatchObject({ duration_s: 125 });
    expect(run.alerts()).toMatchObject([{ resolution: "online" }]);
    expect(run.status("van")).toBe("connected ok");
  });

  it("a device is offline from its gateway's report of its death until the gateway reports its birth", () => {
    const run = open();
    run.up("van", 0);
    run.down("van", 100, "death");
    run.passTo(220);
    run.up("van", 225);
    expect(run.reported).toEqual(["100 asset.offline van", "225 asset.online van"]);
    expect(run.events[0]?.data).toMatchObject({ link_end: "death" });
  });

  it("each fall offline is an event of its own", () => {
    const run = open();
    for (const atS of [100, 400]) {
      run.up("van", atS - 100);
      run.down("van", atS);
      run.passTo(atS + 200);
    }
    expect(new Set(run.events.map(({ id }) => id)).size).toBe(3);
    expect(run.alerts()).toHaveLength(2);
  });

  it.each([
    ["back within the minute", 159],
    ["back while the event is held", 215],
  ])("neither the fall nor the return is reported of an asset that is %s", (_name, backS) => {
    const run = open();
    run.up("van", 0);
    run.down("van", 100);
    run.passTo(backS);
    run.up("van", backS);
    run.passTo(800);
    expect(run.reported).toEqual([]);
  });

  it("an asset that never connected is never offline", () => {
    const run = open();
    run.message("van", 0);
    run.passTo(800);
    expect(run.reported).toEqual([]);
    expect(run.status("van")).toBe("unknown ok");
  });
});

describe("silent", () => {
  it("an asset is silent 60 s after the time-out, dated at the time-out", () => {
    const run = open();
    run.message("van", 5);
    run.passTo(960);
    expect(run.reported).toEqual([]);
    run.passTo(970);
    expect(run.reported).toEqual(["905 asset.silent van"]);
    expect(run.events[0]?.data).toMatchObject({ last_message_at: "2026-06-01T08:00:05.000Z" });
  });

  it("silence has the asset's own time-out, and ends with the next message", () => {
    const run = open(120);
    run.message("van", 0);
    run.passTo(180);
    run.message("van", 200);
    expect(run.reported).toEqual(["120 asset.silent van", "200 asset.reporting van"]);
    expect(run.alerts()).toMatchObject([{ resolution: "reporting" }]);
  });

  it("silence is ended by a message of a backlog, but not by one that we replay from quarantine", () => {
    const run = open(120);
    run.message("van", 7_200);
    run.skipTo(7_200);
    run.passTo(7_400);
    run.replay("van", 7_100);
    expect(run.reported).toEqual(["7320 asset.silent van"]);
    run.message("van", 7_401, 10);
    expect(run.reported.at(-1)).toBe("7401 asset.reporting van");
  });

  it("historical readings of a device end its silence", () => {
    const run = open(120);
    run.message("van", 0, 0);
    run.passTo(200);
    run.history("van", 210, 100);
    expect(run.reported).toEqual(["120 asset.silent van", "210 asset.reporting van"]);
  });

  it("silence is a fact of its own: an asset that lost its link falls silent too", () => {
    const run = open(300);
    run.up("van", 0);
    run.message("van", 100);
    run.down("van", 110);
    run.passTo(500);
    expect(run.reported).toEqual(["110 asset.offline van", "400 asset.silent van"]);
    expect(run.status("van")).toBe("disconnected offline");
  });
});

describe("gps_stuck", () => {
  it("gps_stuck is reported when the fix time does not change for the time-out, and ends with a newer one", () => {
    const run = open();
    messages(run, 0, 890, () => 0);
    expect(run.reported).toEqual([]);
    messages(run, 900, 950, () => 0);
    expect(run.reported).toEqual(["900 asset.gps_stuck van"]);
    expect(run.status("van")).toBe("unknown gps_stuck");
    run.message("van", 960, 955);
    expect(run.reported.at(-1)).toBe("960 asset.gps_recovered van");
    expect(run.alerts()).toMatchObject([{ resolution: "gps_recovered" }]);
  });

  it("gps_stuck is reported when messages come without any position", () => {
    const run = open(120);
    run.message("van", 0, 0);
    messages(run, 10, 200);
    expect(run.reported).toEqual(["120 asset.gps_stuck van"]);
  });

  it("gps_stuck is not put off by the old positions of a backlog", () => {
    const run = open(120);
    run.message("van", 0, 0);
    messages(run, 10, 200, (atS) => atS - 3_600);
    expect(run.reported).toEqual(["120 asset.gps_stuck van"]);
  });

  it("gps_stuck is neither delayed nor ended by positions that the device marks as historical", () => {
    const run = open(120);
    run.message("van", 0, 0);
    for (let atS = 10; atS <= 300; atS += 10) {
      run.history("van", atS, atS);
      run.passTo(atS);
    }
    expect(run.reported).toEqual(["120 asset.gps_stuck van"]);
    run.message("van", 310, 305);
    expect(run.reported.at(-1)).toBe("310 asset.gps_recovered van");
  });

  it("gps_stuck sees through a device clock that runs four minutes ahead", () => {
    const run = open(120);
    messages(run, 0, 100, (atS) => atS + 240);
    messages(run, 110, 600, () => 340);
    // Up to 340 s of the server's clock the position may have been new.
    expect(run.reported).toEqual(["460 asset.gps_stuck van"]);
  });

  it("gps_stuck is not reported of an asset whose clock is put right", () => {
    const run = open(120);
    messages(run, 0, 300, (atS) => atS + 240);
    messages(run, 310, 900, (atS) => atS);
    expect(run.reported).toEqual([]);
  });

  it("gps_stuck is never reported of an asset that never had a position", () => {
    const run = open(120);
    messages(run, 0, 900);
    expect(run.reported).toEqual([]);
  });

  it("gps_stuck gives the receiver its whole time after a silence", () => {
    const run = open(120);
    messages(run, 0, 60, (atS) => atS);
    run.passTo(5_000);
    messages(run, 5_010, 5_120);
    expect(run.reported).toEqual(["180 asset.silent van", "5010 asset.reporting van"]);
    messages(run, 5_130, 5_130);
    expect(run.reported.at(-1)).toBe("5130 asset.gps_stuck van");
  });
});

describe("our own downtime", () => {
  it("our own downtime is not an asset's silence: the time-out goes on where it was", () => {
    const run = open();
    run.message("van", 0);
    run.passTo(600);
    run.skipTo(4_200);
    run.passTo(4_550);
    expect(run.reported).toEqual([]);
    // 600 s before the hour, 300 s after it, 60 s held.
    run.passTo(4_560);
    expect(run.reported).toEqual(["4500 asset.silent van"]);
  });

  it("our own downtime ends every session, and no asset is offline that is back within a minute", () => {
    const run = openLivenessRun([{ id: "back" }, { id: "gone" }]);
    run.up("back", 0);
    run.up("gone", 0);
    run.passTo(100);
    run.start(4_000);
    run.skipTo(4_010);
    expect(run.status("gone")).toBe("disconnected ok");
    run.passTo(4_050);
    run.up("back", 4_055);
    run.passTo(4_110);
    expect(run.reported).toEqual([]);
    run.passTo(4_120);
    expect(run.reported).toEqual(["4000 asset.offline gone"]);
    expect(run.events[0]?.data).toMatchObject({ link_end: "restart" });
  });

  it("our own downtime does not matter to a server clock that is put back by two hours", () => {
    const run = open();
    run.message("van", 7_200);
    run.skipTo(7_200);
    run.passTo(7_500);
    run.skipTo(310);
    run.passTo(960);
    expect(run.reported).toEqual([]);
    // 300 s before the jump and 600 s after it, 60 s held.
    run.passTo(970);
    expect(run.reported).toEqual(["910 asset.silent van"]);
  });
});

describe("a server clock that was put back", () => {
  it("a restart after a server clock was put back by seconds ends the links all the same", () => {
    const run = open(120);
    run.up("van", 100);
    run.start(90);
    run.passTo(300);
    expect(run.reported).toEqual(["90 asset.offline van"]);
  });

  it("a server clock that was put back does not make messages older than those before", () => {
    const run = open(120);
    run.message("van", 7_200);
    run.skipTo(7_200);
    run.passTo(7_210);
    run.skipTo(10);
    messages(run, 10, 600);
    expect(run.reported).toEqual([]);
    expect(run.status("van")).toBe("unknown ok");
  });
});

describe("an asset that is deleted", () => {
  it("an asset that is deleted has its alerts resolved, without an event, and no new ones", () => {
    const run = open(120);
    run.up("van", 0);
    run.message("van", 0);
    run.down("van", 10);
    run.passTo(150);
    expect(run.reported).toEqual(["10 asset.offline van"]);
    run.directory.change("van", undefined);
    run.passTo(1_000);
    expect(run.reported).toEqual(["10 asset.offline van"]);
    expect(run.alerts()).toMatchObject([{ resolution: "asset_deleted" }]);
  });
});

describe("sessions that are not followed any more", () => {
  it("an asset whose sessions are not followed any more is offline no more, and its alert is resolved without an event", () => {
    const run = open();
    run.up("van", 0);
    run.message("van", 0);
    run.down("van", 10);
    run.passTo(150);
    run.unfollow(155);
    expect(run.status("van")).toBe("unknown ok");
    run.passTo(600);
    expect(run.reported).toEqual(["10 asset.offline van"]);
    expect(run.alerts()).toMatchObject([{ resolution: "not_followed" }]);
  });

  it("an asset that was connected until its sessions were not followed any more is not offline later", () => {
    const run = open();
    run.up("van", 0);
    run.message("van", 0);
    run.unfollow(5);
    run.start(6);
    run.passTo(150);
    expect(run.reported).toEqual([]);
    expect(run.status("van")).toBe("unknown ok");
    run.up("van", 155);
    expect(run.status("van")).toBe("connected ok");
  });
});
