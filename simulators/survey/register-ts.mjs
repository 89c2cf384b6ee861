// Worker preload when running from source: `--import tsx` does not reach worker threads on Node 20.
import { register } from "tsx/esm/api";

register();
