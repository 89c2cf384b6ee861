import { once } from "node:events";
import WebSocket from "ws";
import type { ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

/** Environment that opens Node's inspector on a free port of 127.0.0.1. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\/\/\S+)/;
const START_MS = 30_000;

/** The heap of a process, read through its inspector, so that the product needs no hook for it. */
export interface InspectedHeap {
  /** Bytes in use after a full garbage collection, which stops the process for some 50 ms. */
  usedAfterCollection(): Promise<number>;
  close(): void;
}

/** Connects to the inspector of a process that was started with `INSPECTED`. */
export async function inspectHeap(service: Pick<ServiceProcess, "output">): Promise<InspectedHeap> {
  const url = await until(
    "the inspector listens",
    () => service.output.map((line) => LISTENING.exec(line)?.[1]).find((found) => found),
    START_MS,
  );
  const socket = new WebSocket(url);
  // The process is killed while it is connected.
  socket.on("error", () => undefined);
  await once(socket, "open");
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.on("message", (data) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });

  const gone = once(socket, "close").then(() => {
    throw new Error("the inspected process is gone");
  });
  // It is awaited only while a call waits for its answer.
  gone.catch(() => undefined);

  async function call(method: string): Promise<unknown> {
    last += 1;
    const id = last;
    const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method }));
    return await Promise.race([answered, gone]);
  }

  return {
    async usedAfterCollection() {
      await call("HeapProfiler.collectGarbage");
      const { usedSize } = (await call("Runtime.getHeapUsage")) as { usedSize: number };
      return usedSize;
    },
    close: () => socket.terminate(),
  };
}
