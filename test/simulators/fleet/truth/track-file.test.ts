import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTrackFile } from "../../../../simulators/fleet/truth/track-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "track-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Latitudes of second 0, 1, 2, ... through the file and back. */
async function rowsOf(latitudes: readonly number[], bufferChars: number): Promise<unknown> {
  const track = openTrackFile(folder, "truck", bufferChars);
  for (const [second, latitude] of latitudes.entries())
    track.note(second, { latitude, longitude: 9 });
  track.end();
  let text = "";
  for await (const chunk of track.read()) text += chunk;
  track.remove();
  return JSON.parse(`[${text}]`);
}

it("a track file keeps the first and last second of every stop, so that interpolation gives the track back", async () => {
  const latitudes = [50, 50, 50, 50.001, 50.002, 50.002, 50.002, 50.003, 50.003];
  const expected = [
    [0, 50, 9],
    [2, 50, 9],
    [3, 50.001, 9],
    [4, 50.002, 9],
    [6, 50.002, 9],
    [7, 50.003, 9],
    [8, 50.003, 9],
  ];
  expect(await rowsOf(latitudes, 10_000)).toEqual(expected);
  expect(await rowsOf(latitudes, 1)).toEqual(expected);
  expect(readdirSync(folder)).toEqual([]);
});

it("a track file rounds to 1e-7 degrees, 1 cm, and takes less than that for stationary", async () => {
  expect(await rowsOf([50.000_000_04, 50.000_000_02, 50.000_000_16], 100)).toEqual([
    [0, 50, 9],
    [1, 50, 9],
    [2, 50.000_000_2, 9],
  ]);
});
