import { measureCameraSite } from "./measure-site.ts";

/** A process of `camera-sites`: measures the sites of the seeds that it is given, and sends each by IPC. */
for (const seed of process.argv.slice(2)) process.send?.(await measureCameraSite(seed));
process.disconnect();
