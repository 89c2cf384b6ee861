// Loaded before the program: the journal is the control's.
import { register } from "node:module";

register("./resolve.mjs", import.meta.url);
