import { writeFileSync } from "node:fs";
import { compileKernel, kernelNames, modulePath } from "./compile-kernel.ts";

/** Compiles the kernels of `processing/wasm/assembly` (all, or those named) into `processing/wasm`. */
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : kernelNames()) {
  const text = await compileKernel(name);
  writeFileSync(modulePath(name), text);
  console.log(`${name}: ${text.length} characters`);
}
