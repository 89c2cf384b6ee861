import { appendFileSync, createReadStream, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Location } from "../../../domain/geodesy.ts";

/** One machine's true track as it is written to the disk: rows `[second, latitude, longitude]` as JSON text. */
export interface TrackFile {
  /** Notes the position at a whole second since the start; seconds go up one by one. */
  note(second: number, location: Location): void;
  /** Writes what is in memory; after it `read` yields the whole track. */
  end(): void;
  read(): AsyncIterable<Buffer>;
  remove(): void;
}

/**
 * Opens the track of one machine in `folder`. Rows are written on change only, with the last row
 * before every departure, so that linear interpolation between rows is the track at 1 Hz.
 * At most `bufferChars` characters wait in memory.
 */
export function openTrackFile(folder: string, id: string, bufferChars: number): TrackFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.part`);
  rmSync(path, { force: true });
  let buffer = "";
  let isFirst = true;
  let lastText = "";
  /** The last second noted, and the second of the last row. */
  let lastSecond = -1;
  let rowSecond = -1;

  function row(second: number, text: string): void {
    buffer += `${isFirst ? "" : ","}[${second},${text}]`;
    isFirst = false;
    rowSecond = second;
    if (buffer.length >= bufferChars) flush();
  }

  function flush(): void {
    appendFileSync(path, buffer);
    buffer = "";
  }

  return {
    note(second, { latitude, longitude }) {
      // 1e-7 degrees is 1.1 cm.
      const text = `${latitude.toFixed(7)},${longitude.toFixed(7)}`;
      if (text !== lastText) {
        if (lastSecond > rowSecond) row(lastSecond, lastText);
        row(second, text);
        lastText = text;
      }
      lastSecond = second;
    },
    end() {
      if (lastSecond > rowSecond) row(lastSecond, lastText);
      flush();
    },
    read: () => createReadStream(path),
    remove: () => rmSync(path, { force: true }),
  };
}
