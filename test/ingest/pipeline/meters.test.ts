import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { offsetLocation } from "../../../domain/geodesy.ts";
import { readingAt } from "../../support/usage-day.ts";
import { figuresAfter } from "../../support/usage-grid.ts";

const HOUR_S = 3_600;
/** The day that counts, from its first second on. */
const DAY_S = 6 * HOUR_S;

describe("an hour meter that counts whole minutes, as Teltonika's ids 102 and 14 do", () => {
  it("an hour meter that counts whole minutes, as Teltonika's ids 102 and 14 do bounds the hours of a day by its step of a minute", () => {
    // It ran 59 s short of one more minute, on the day, in a silence.
    const ranS = 2 * HOUR_S + 59;
    const readings = [0, 5.5, 6.5, 15, 29, 30].map((hour) => {
      const ran = hour < 15 ? 0 : ranS;
      return readingAt(hour * HOUR_S, { engine_hours: (6_001 + Math.floor(ran / 60)) / 60 });
    });
    const { engine_on } = figuresAfter(readings);
    expect(engine_on.value).toBe(2 * HOUR_S);
    expect(engine_on.upper).toBeGreaterThanOrEqual(ranS);
  });
});

describe("an hour meter that is read after a silence over midnight", () => {
  it("an hour meter that is read after a silence over midnight gives the silence all hours that were not seen before it", () => {
    // An evening in which the engine ran every other two minutes, which bounds it coarsely.
    const evening = Array.from({ length: 151 }, (_, i) => DAY_S - (150 - i) * 120);
    const readings = [
      ...evening.map((s, i) =>
        readingAt(s, { engine_on: i % 2, ...(i === 0 ? { engine_hours: 5_000.05 } : {}) }),
      ),
      // Seven hours later the meter has gone on by the 2.5 h of the evening, and six more.
      readingAt(DAY_S + 7 * HOUR_S, { engine_on: 0, engine_hours: 5_008.55 }),
    ];
    const { engine_on } = figuresAfter(readings);
    expect(engine_on.value).toBe(6 * HOUR_S);
  });
});

describe("a machine that says its speed only at times, beside an hour meter", () => {
  it("a machine that says its speed only at times, beside an hour meter has working time that is a number, when its meter goes on while speed is reported", () => {
    const readings: Reading[] = [];
    for (let s = 0; s <= 4_800; s += 120) {
      const place = offsetLocation({ latitude: 52.5, longitude: 13.4 }, (s / 120) * 200, 0);
      // For ten minutes only its place shows that it works, which the meter has not counted yet.
      const said = s < 600 ? place : { ...place, speed_kmh: 6 };
      const isRead = s === 0 || s === 600 || s === 4_800;
      const meter = isRead ? { engine_hours: s < 4_800 ? 5_000 : 5_001 } : {};
      readings.push(readingAt(DAY_S + 12 * HOUR_S + s, { ...said, ...meter }));
    }
    const { working } = figuresAfter(readings);
    expect(working.value).toBe(4_200 + 600);
  });
});
