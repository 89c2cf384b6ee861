import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AssetId } from "../../../domain/ids.ts";
import { teltonikaCodec8 } from "../../../ingest/decoders/teltonika/codec8.ts";
import type { ListenerDevice } from "./device.ts";
import type { ListenerTarget } from "./target.ts";

const SERVER = fileURLToPath(new URL("./control-server.mjs", import.meta.url));

/**
 * The control: listeners that acknowledge before they store. An oracle that finds no loss here could not
 * find one anywhere.
 */
export async function createControlTarget(): Promise<ListenerTarget> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-control-"));
  const file = join(dir, "records.txt");
  let child: ReturnType<typeof spawn> | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (child === undefined) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    child = undefined;
  };
  return {
    name: "listeners that acknowledge first",
    async start() {
      child = spawn(process.execPath, [SERVER, file], { stdio: ["ignore", "pipe", "inherit"] });
      if (child.stdout === null) throw new Error("no stdout");
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      return JSON.parse(line.toString()) as Readonly<Record<ListenerDevice["listener"], number>>;
    },
    register: () => Promise.resolve(),
    kill: () => end("SIGKILL"),
    async stored(devices) {
      // What still waits is stored: lost is what the kills took.
      await end("SIGTERM");
      const lines = (await readFile(file, "utf8")).split("\n").map((line) => line.split(" "));
      return new Map(
        devices.map((device) => [
          device.id,
          lines.flatMap(([who, what = ""]) =>
            who === device.hardwareId ? numbersIn(device, what) : [],
          ),
        ]),
      );
    },
    async dispose() {
      await end("SIGKILL");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The numbers in one stored record or packet. */
function numbersIn({ id, listener, field }: ListenerDevice, text: string): readonly number[] {
  if (listener !== "teltonika") return [Number(text)];
  const context = { assetId: id as AssetId, receivedAtMs: Date.now() };
  const { readings } = teltonikaCodec8.decode(Buffer.from(text, "base64"), context);
  return readings.flatMap(({ fields }) => fields[field] ?? []);
}
