import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeJournal } from "../../contracts/journal.ts";
import { openSmall } from "../../support/journal.ts";

describeJournal("a folder", async () => {
  const dir = await mkdtemp(join(tmpdir(), "journal-contract-"));
  return {
    async open() {
      const journal = await openSmall(dir, { segmentBytes: 1024 ** 2 });
      return { journal, close: () => journal.close() };
    },
    cleanUp: () => rm(dir, { recursive: true, force: true }),
  };
});
