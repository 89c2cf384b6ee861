import { Transform } from "node:stream";
import type { DiskGrant, DiskSpace, DiskWriter } from "./disk-space.ts";

/**
 * Space that a stream asks for at a time, bytes. A larger step asks the file system less often and keeps
 * more from others meanwhile; asking costs about 5 us.
 */
const STEP_BYTES = 4 * 1024 ** 2;
/** What a file stream may hold back, bytes: far above its 64 KiB buffer. */
const TRAIL_BYTES = 1024 ** 2;

/**
 * Passes bytes on while the disk has room for them, and fails with `DISK_FULL` once it has not. Space is
 * asked for in steps and not by the declared length of a body: a client that announces much and sends it
 * slowly keeps nothing from others. A step counts as written when the next one begins, but for what may
 * still be on its way to the file.
 */
export function meteredStream(disk: DiskSpace, writer: DiskWriter): Transform {
  let grant: DiskGrant | undefined;
  let room = 0;
  /** Passed on and not yet counted as written. */
  let passed = 0;

  async function makeRoom(bytes: number): Promise<void> {
    const step = Math.max(STEP_BYTES, bytes - room);
    if (grant === undefined) grant = await disk.reserve(writer, step);
    else {
      const written = Math.max(0, passed - TRAIL_BYTES);
      grant.wrote(written);
      passed -= written;
      await grant.grow(step);
    }
    room += step;
  }

  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const pass = () => {
        room -= chunk.length;
        passed += chunk.length;
        done(null, chunk);
      };
      if (room >= chunk.length) pass();
      else makeRoom(chunk.length).then(pass, done);
    },
    destroy(error, done) {
      grant?.release();
      done(error);
    },
  });
}
