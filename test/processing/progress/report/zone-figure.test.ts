import { describe, expect, it } from "vitest";
import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { ZoneObservation } from "../../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../../domain/sites/work-zone.ts";
import { type ZoneFigure, zoneFigure } from "../../../../processing/progress/report/zone-figure.ts";
import type { ZoneEvidence } from "../../../../processing/progress/report/zone-history.ts";
import type { PastEstimate } from "../../../../storage/ports/sites/captures.ts";
import {
  captureId,
  estimate,
  observation,
  workZone,
} from "../../../contracts/records/progress-rows.ts";

const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}T12:00:00.000Z`;

/** Report of the capture "now" on a day of November. */
function figureOn(
  date: number,
  evidence: Partial<ZoneEvidence>,
  zone: Partial<WorkZone> = {},
): ZoneFigure {
  return zoneFigure(
    workZone("z1", { declared_at: day(1), ...zone }),
    { estimates: [], current: undefined, observations: [], ...evidence },
    { captureId: captureId("now"), captureDateMs: Date.parse(day(date)) },
  );
}

const past = (date: number, change: Partial<ZoneEstimate>): PastEstimate => ({
  captureId: captureId(`c${date}`),
  captureDateMs: Date.parse(day(date)),
  estimate: estimate("z1", change),
});
const said = (date: number, progress: number, change: Partial<ZoneObservation> = {}) =>
  observation(`o${date}`, { observed_at: day(date), progress, ...change });

/** An estimate by a fixed camera with a 95 % interval of so many points on either side. */
const byImage = (raw: number, half: number): Partial<ZoneEstimate> => ({
  method: "calibrated_image",
  raw_progress: raw,
  interval_95: [raw - half, raw + half],
  notes: [],
  figures: { labels: 20 },
});
const byFlight = (raw: number, half: number, is_at_design = false): Partial<ZoneEstimate> => ({
  raw_progress: raw,
  interval_95: [raw - half, raw + half],
  is_at_design,
  notes: [],
});

describe("what is known of a zone at a time", () => {
  it("is what was declared until there is evidence", () => {
    const untouched = figureOn(10, {});
    expect(untouched).toMatchObject({
      progress: 0,
      status: "not_started",
      method: "declared",
      interval_95: null,
      raw_progress: null,
      as_of: day(1),
    });
    expect(figureOn(10, {}, { declared_progress: 30 })).toMatchObject({
      progress: 30,
      status: "in_progress",
      method: "declared",
    });
  });

  it("what is known of a zone at a time is the newest evidence on or before the date, carried forward with its age", () => {
    const estimates = [past(3, byFlight(20, 2)), past(8, byFlight(45, 2))];
    const figure = figureOn(15, { estimates });
    expect(figure).toMatchObject({
      progress: 45,
      method: "carried_forward",
      as_of: day(8),
      observed_fraction: 0,
      raw_progress: null,
      // Work can have gone on for seven days: a lower bound only.
      interval_95: [43, 100],
      evidence: { method: "dsm_volume", captures: ["c8"] },
    });
    expect(figure.notes.join()).toContain("carried forward from 2026-11-08, 7 days before");
    // The same project seen by a capture of an earlier date that came in late.
    expect(figureOn(5, { estimates })).toMatchObject({ progress: 20, as_of: day(3) });
  });

  it("a zone figure says why the capture gives no estimate, beside the figure that is carried forward", () => {
    const current = estimate("z1", {
      raw_progress: undefined,
      interval_95: undefined,
      no_estimate: "dsm_not_suitable",
      observed_fraction: 0.9,
    });
    expect(figureOn(10, { current, estimates: [past(3, byImage(50, 10))] })).toMatchObject({
      progress: 50,
      method: "carried_forward",
      no_estimate: "dsm_not_suitable",
      observed_fraction: 0,
    });
    expect(figureOn(10, { current })).toMatchObject({
      progress: 0,
      method: "declared",
      no_estimate: "dsm_not_suitable",
    });
  });

  it("what is known of a zone at a time takes a declared progress of a zone that was drawn later for no evidence against a flight", () => {
    const zone = { declared_at: day(12) };
    expect(figureOn(15, { estimates: [past(8, byFlight(45, 2))] }, zone).progress).toBe(45);
    // One above zero is a person's word of its day.
    const declared = { ...zone, declared_progress: 60 };
    expect(figureOn(15, { estimates: [past(8, byFlight(45, 2))] }, declared)).toMatchObject({
      progress: 60,
      method: "declared",
    });
    expect(figureOn(10, { estimates: [past(8, byFlight(45, 2))] }, declared).progress).toBe(45);
  });
});

describe("a person's word", () => {
  it("a person's word counts from its time on, against older estimates and not against newer ones", () => {
    const observations = [said(8, 60, { interval_95: [55, 65] })];
    const estimates = [past(3, byFlight(80, 2))];
    expect(figureOn(10, { observations, estimates })).toMatchObject({
      progress: 60,
      method: "manual",
      interval_95: [55, 100],
      as_of: day(8),
    });
    const current = estimate("z1", byFlight(70, 2));
    expect(figureOn(10, { observations, estimates, current })).toMatchObject({
      progress: 70,
      method: "dsm_volume",
      regression_suspected: false,
    });
  });

  it("a person's word counts after the capture of the same time", () => {
    const current = estimate("z1", byFlight(70, 2));
    expect(figureOn(10, { current, observations: [said(10, 66)] })).toMatchObject({
      progress: 66,
      method: "manual",
    });
  });

  it("a person's word confirms completion: estimates after it that agree do not take it back", () => {
    const observations = [said(8, 100)];
    expect(figureOn(9, { observations })).toMatchObject({ progress: 100, status: "complete" });
    const agrees = estimate("z1", byImage(94, 8));
    expect(figureOn(10, { observations, current: agrees })).toMatchObject({
      progress: 100,
      status: "complete",
      method: "calibrated_image",
      raw_progress: 94,
    });
    const measured = estimate("z1", byFlight(98.5, 2));
    expect(figureOn(10, { observations, current: measured })).toMatchObject({
      progress: 100,
      status: "complete",
    });
    const contradicts = estimate("z1", byFlight(80, 2));
    expect(figureOn(10, { observations, current: contradicts })).toMatchObject({
      progress: 80,
      status: "in_progress",
      regression_suspected: true,
    });
  });
});

describe("estimates by images", () => {
  it("estimates by images are smoothed by precision and keep their raw figure", () => {
    // 60 +- 5 weighs 4 times 50 +- 10: (4 x 60 + 50) / 5 = 58.
    const figure = figureOn(10, {
      estimates: [past(3, byImage(40, 5)), past(5, byImage(60, 5))],
      current: estimate("z1", byImage(50, 10)),
    });
    expect(figure).toMatchObject({
      progress: 58,
      raw_progress: 50,
      interval_95: [40, 60],
      regression_suspected: false,
      evidence: { captures: ["c5", "now"] },
    });
    expect(figure.notes.join()).toContain("smoothed over 2 captures; this one alone says 50 %");
  });

  it("estimates by images report a fall beyond their half-width and do not hide it", () => {
    const figure = figureOn(10, {
      estimates: [past(5, byImage(60, 5))],
      current: estimate("z1", byImage(40, 5)),
    });
    expect(figure).toMatchObject({ progress: 50, raw_progress: 40, regression_suspected: true });
    // The interval is the estimate's own, as wide as it must be to hold the figure.
    expect(figure.interval_95).toEqual([35, 50]);
    expect(figure.notes.join()).toContain("regression suspected: 40 % after 60 %");
  });

  it("estimates by images stay at 95, however narrow their interval: completion is for a person to say", () => {
    const sure = estimate("z1", { ...byImage(100, 5), interval_95: [97, 100] });
    const figure = figureOn(10, { current: sure });
    expect(figure).toMatchObject({
      progress: 95,
      status: "in_progress",
      interval_95: [95, 100],
    });
    expect(figure.notes.join()).toContain("held at 95 %");
    const boundless = estimate("z1", { ...byImage(100, 0), interval_95: undefined });
    expect(figureOn(10, { current: boundless })).toMatchObject({ progress: 95, interval_95: null });
    // What a person said before is not an estimate.
    const observations = [said(5, 97)];
    expect(figureOn(10, { current: sure, observations }).progress).toBe(97);
    expect(figureOn(10, { current: sure, observations: [said(5, 100)] }).status).toBe("complete");
  });

  it("estimates by images never fall below what a person said before them", () => {
    expect(
      figureOn(10, { observations: [said(5, 60)], current: estimate("z1", byImage(52, 10)) }),
    ).toMatchObject({ progress: 60, raw_progress: 52, regression_suspected: false });
  });
});

describe("estimates by geometry", () => {
  it("estimates by geometry are published as measured, also when they fall", () => {
    expect(
      figureOn(10, {
        estimates: [past(5, byFlight(60, 3))],
        current: estimate("z1", byFlight(50, 4)),
      }),
    ).toMatchObject({ progress: 50, raw_progress: 50, regression_suspected: true });
    // 3 points of fall lie within 5 = hypot(3, 4).
    expect(
      figureOn(10, {
        estimates: [past(5, byFlight(60, 3))],
        current: estimate("z1", byFlight(57, 4)),
      }),
    ).toMatchObject({ progress: 57, regression_suspected: false });
  });

  it("estimates by geometry are complete at the design alone", () => {
    const nearly = estimate("z1", byFlight(99.8, 0.4));
    expect(figureOn(10, { current: nearly })).toMatchObject({
      progress: 99,
      status: "in_progress",
    });
    const done = estimate("z1", byFlight(98.6, 2, true));
    expect(figureOn(10, { current: done })).toMatchObject({
      progress: 100,
      status: "complete",
      raw_progress: 98.6,
      interval_95: [96.6, 100],
    });
    expect(figureOn(20, { estimates: [past(10, byFlight(98.6, 2, true))] })).toMatchObject({
      progress: 100,
      status: "complete",
      method: "carried_forward",
    });
  });
});

describe("the status of a zone", () => {
  it("the status of a zone is not_started below half a percent, unless work was seen before", () => {
    const nothing = estimate("z1", byFlight(0.4, 1));
    expect(figureOn(10, { current: nothing })).toMatchObject({
      progress: 0.4,
      status: "not_started",
    });
    expect(figureOn(10, { current: nothing, estimates: [past(5, byFlight(6, 8))] }).status).toBe(
      "in_progress",
    );
  });

  it("the status of a zone does not round what a person left open up to complete", () => {
    expect(figureOn(10, { observations: [said(8, 99.97)] })).toMatchObject({
      progress: 99.9,
      status: "in_progress",
    });
  });
});

describe("a zone whose design was changed", () => {
  const before = { ...past(5, byFlight(100, 1, true)), isOfOtherTask: true };

  it("a zone whose design was changed is not complete by what the earlier design was measured at, and has no interval", () => {
    expect(figureOn(10, { estimates: [before] })).toMatchObject({
      progress: 99,
      status: "in_progress",
      method: "carried_forward",
      interval_95: null,
      notes: expect.arrayContaining([expect.stringMatching(/surfaces were changed since/)]),
    });
  });

  it("a zone whose design was changed takes its percent from the first capture of the new one, and that is not a fall", () => {
    expect(
      figureOn(10, { estimates: [before], current: estimate("z1", byFlight(40, 2)) }),
    ).toMatchObject({
      progress: 40,
      method: "dsm_volume",
      interval_95: [38, 42],
      regression_suspected: false,
    });
  });
});
