import { expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { encodeForeign } from "../../../ingest/journal-record/foreign.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeLinkChange } from "../../../ingest/journal-record/link-change.ts";
import { encodeQuarantined } from "../../../ingest/journal-record/quarantined.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { createRecordRouter } from "../../../ingest/partitions/record-router.ts";
import type { Appended } from "../../../storage/ports/journal.ts";
import type { SharedJournal, SharedRecord } from "../../../storage/ports/shared-journal.ts";

const subject = { assetId: "digger" as AssetId, projectId: "yard" as ProjectId, receivedAtMs: 5 };
const origin = { clientHash: 1, packetId: 2, payloadHash: 3 };

it("a record of every kind that concerns a project goes to that project's partition, and is counted until it is answered for", () => {
  const appended: SharedRecord[] = [];
  const answer: Appended[] = [];
  const journal = {
    partitions: 12,
    state: "open",
    append(record: SharedRecord, done: Appended) {
      if (record.kind > 255) throw new RangeError("no such kind");
      appended.push(record);
      answer.push(done);
    },
    onState: () => undefined,
    onCommit: () => undefined,
  } as unknown as SharedJournal;
  const answers: string[] = [];
  const put = (projectId: ProjectId) => ({
    partition: projectId.length,
    answered: () => void answers.push("counted"),
  });
  const router = createRecordRouter(journal, { put });
  const bodies = {
    [RECORD_KIND.readings]: encodeReadings({ ...subject, readings: [] }, origin),
    [RECORD_KIND.quarantined]: encodeQuarantined(
      { ...subject, topic: "t", format: "f", reason: "r", payload: Uint8Array.of(1) },
      origin,
    ),
    [RECORD_KIND.foreign]: encodeForeign({ ...subject, topic: "t", count: 1 }),
    [RECORD_KIND.link]: encodeLinkChange({ ...subject, atMs: 7, end: undefined }),
  };
  for (const [kind, body] of Object.entries(bodies)) {
    router.append(Number(kind), 9, body, () => answers.push("answered"));
  }
  expect(appended).toEqual(
    Object.entries(bodies).map(([kind, body]) => ({
      partition: "yard".length,
      key: "yard",
      kind: Number(kind),
      timeMs: 9,
      body,
    })),
  );
  expect(answers).toEqual([]);
  answer[0]?.();
  expect(answers).toEqual(["counted", "answered"]);
  const body = bodies[RECORD_KIND.link];
  expect(() => router.append(256, 9, body, () => undefined)).toThrow(RangeError);
  expect(answers).toEqual(["counted", "answered", "counted"]);
});
