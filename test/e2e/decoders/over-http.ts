import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { Registry } from "prom-client";
import { buildStatusApp } from "../../../api/status-app.ts";
import { MAX_PAYLOAD_BYTES } from "../../../domain/equipment/reading.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Decoder } from "../../../ingest/decoders/fields/decoder.ts";
import { deviceEuiOf } from "../../../ingest/decoders/lorawan/device-eui.ts";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { HttpIngest } from "../../../ingest/http/http-ingest.ts";
import { createIntake } from "../../../ingest/intake/intake.ts";
import { openJournal } from "../../../storage/journal/journal.ts";
import { goldenMapping } from "../../ingest/decoders/golden-mapping.ts";
import { mutations } from "../../ingest/decoders/mutations.ts";
import { goldenInputs } from "../../ingest/decoders/mutations-trial.ts";
import { assetEntry, fixedDirectory, PEPPER, verifySecret } from "../../support/fixed-directory.ts";

const ASSET = "a1";
/** Requests at a time: as many as one asset may have waiting. */
const AT_ONCE = 32;
/** The most that a body may have, bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** What became of broken inputs over the route. */
export interface HttpTrial {
  readonly stored: number;
  readonly quarantined: number;
  /** Answers that are neither 200 nor, for a body that is empty or too large, 400. */
  readonly wrongStatus: number;
  /** Answers that contradict what the decoder says of the same bytes. */
  readonly contradicted: number;
  /** The first of both in words. */
  readonly faults: readonly string[];
}

/** The route over a real socket, intake and a journal on disk. */
export interface HttpRoute {
  /** Posts `count` inputs made of the decoder's golden cases, and holds each answer against the decoder. */
  tryDecoder(decoder: Decoder, seed: number, count: number): Promise<HttpTrial>;
  /** Messages that intake took in, of all decoders. */
  received(): number;
  close(): Promise<void>;
}

/** Opens the route on a free port. */
export async function openHttpRoute(): Promise<HttpRoute> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-decoders-"));
  const journal = await openJournal({ dir, minFreeBytes: 0 });
  // Nobody reads the journal: its segments may go as soon as they are full.
  const cursor = journal.cursor("trial");
  journal.onCommit(() => cursor.advance(journal.syncedSequence));
  const directory = fixedDirectory([assetEntry(ASSET)]);
  const rates = { deviceReadingsPerS: 1_000_000_000, deviceBurstReadings: 1_000_000_000 };
  const intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    settings: { retentionDays: 90, ...rates },
  });
  const log = pino({ level: "silent" });
  const ingest = new HttpIngest({ intake, directory, verifySecret, pepper: PEPPER, log });
  const metrics = new Registry();
  const app = await buildStatusApp({ health: () => [], damage: () => [], metrics, log, ingest });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  return {
    async tryDecoder(decoder, seed, count) {
      const trial = { stored: 0, quarantined: 0, wrongStatus: 0, contradicted: 0 };
      const faults: string[] = [];
      const entry = senderOf(decoder);
      directory.change(ASSET, entry);
      const inputs = mutations([...goldenInputs(decoder.name).values()], seed);
      let left = count;
      const worker = async (): Promise<void> => {
        for (const input of inputs) {
          if (left <= 0) return;
          left -= 1;
          // The next input may be made in the same memory.
          const payload = Buffer.from(input);
          const expected = expectedOf(decoder, payload, entry);
          const { status, body } = await post({ port, agent, decoder: decoder.name, payload });
          const isWhole = payload.length > 0 && payload.length <= MAX_BODY_BYTES;
          const isIgnoredEmpty = payload.length === 0 && decoder.name === "owntracks";
          if (status !== (isWhole || isIgnoredEmpty ? 200 : 400)) {
            trial.wrongStatus += 1;
            faults.push(`status ${status}: ${body.slice(0, 200)}`);
            continue;
          }
          if (!isWhole) continue;
          const outcome = outcomeOf(decoder.name, body);
          if (outcome === "quarantined") trial.quarantined += 1;
          else trial.stored += 1;
          if (outcome !== undefined && !expected.includes(outcome)) {
            trial.contradicted += 1;
            faults.push(`${outcome} instead of ${expected}: ${payload.toString("base64", 0, 200)}`);
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return { ...trial, faults: faults.slice(0, 5) };
    },
    received: () => intake.stats()["received"] ?? 0,
    async close() {
      agent.destroy();
      ingest.close();
      await app.close();
      intake.close();
      await journal.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The asset, as a device that speaks that format: with the mapping, or the EUI, of the first case that has one. */
function senderOf({ name }: Decoder): AssetEntry {
  const entry = assetEntry(ASSET);
  const cases = [...goldenInputs(name)];
  const mapping = cases.map(([one]) => goldenMapping(name, one)).find((one) => one !== undefined);
  const eui = cases.map(([, input]) => deviceEuiOf(name, input)).find((one) => one !== undefined);
  const hardware = eui === undefined ? {} : { hardware_id: eui };
  const asset = { ...entry.asset, ...hardware };
  return { ...entry, asset, mapping };
}

/** What intake makes of a payload by what its decoder says. */
function expectedOf(decoder: Decoder, payload: Buffer, entry: AssetEntry): readonly string[] {
  const eui = deviceEuiOf(decoder.name, payload)?.toUpperCase();
  const isForeign = eui !== undefined && eui !== entry.asset.hardware_id?.toUpperCase();
  if (isForeign) return ["foreign_asset"];
  if (payload.length > MAX_PAYLOAD_BYTES) return ["quarantined"];
  try {
    const { asset, mapping } = entry;
    const context = { assetId: asset.id, receivedAtMs: Date.now(), mapping };
    const { readings, notices, refused } = decoder.decode(payload, context);
    if (refused !== undefined) return ["quarantined"];
    if (readings.length + notices.length === 0) return ["ignored"];
    // A reading of the past without a possible time has no place in time.
    const isHistorical = readings.some((reading) => reading.isHistorical === true);
    return isHistorical ? ["stored", "quarantined"] : ["stored"];
  } catch (error) {
    if (error instanceof DomainError) return ["quarantined"];
    throw error;
  }
}

interface Posted {
  readonly port: number;
  readonly agent: Agent;
  readonly decoder: string;
  readonly payload: Buffer;
}

function post({ port, agent, decoder, payload }: Posted) {
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const request = httpRequest(
      {
        ...{ port, agent, host: "127.0.0.1", method: "POST" },
        path: `/api/v1/ingest/${decoder}`,
        headers: {
          authorization: `Bearer ${ASSET}.${ASSET}-secret`,
          "content-type": "application/octet-stream",
          "content-length": payload.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    request.on("error", reject);
    request.end(payload);
  });
}

/** `undefined`: OwnTracks' answer, which says nothing. */
function outcomeOf(decoder: string, body: string): string | undefined {
  if (decoder === "owntracks") return undefined;
  const { stored, problems } = JSON.parse(body) as {
    readonly stored: number;
    readonly problems: readonly { readonly outcome: string }[];
  };
  return stored === 1 ? "stored" : problems[0]?.outcome;
}
