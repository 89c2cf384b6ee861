import { integer, optionalInteger, optionalText, optionalUrl } from "./setting.ts";

/** Image processing. */
export const PROCESSING_SETTINGS = {
  workers: optionalInteger(
    "WORKERS",
    "Threads of image processing in this process (ROLE all or processing); 0: none, and no jobs; unset: one per core.",
    { min: 0, max: 256 },
  ),
  workerMemoryMib: optionalInteger(
    "WORKER_MEMORY_MIB",
    "Memory that image processing may take at once, MiB; what needs more is refused; unset: half of what the machine or the container has.",
    { min: 512, max: 1_048_576 },
  ),
  jobsAtOnce: integer(
    "JOBS_AT_ONCE",
    "Jobs that one process works on at once; they share its WORKERS.",
    2,
    { min: 1, max: 64 },
  ),
  chromiumFile: optionalText(
    "CHROMIUM_FILE",
    "Chromium or Chrome that prints survey reports as PDF, of `plumbline survey` and of the API; unset: the first one on the PATH; none: no PDF.",
  ),
  nodeodmUrl: optionalUrl(
    "NODEODM_URL",
    "A NodeODM (or ClusterODM) that surveys of more than 600 images go to; unset: those are refused.",
    ["http:", "https:"],
  ),
  gridDir: optionalText(
    "GRID_DIR",
    "Folder of grids: datum shifts (NTv2, *.gsb) for national coordinate systems, such as BETA2007.gsb, and geoid models (GTX, GeoTIFF) that requests name; unset: parameters are used, and warnings name the grid and the accuracy lost.",
  ),
  nodeodmToken: optionalText("NODEODM_TOKEN", "Token of the NodeODM, where it wants one."),
};
