import { linkConsole } from "../../../scripts/console-cache.mjs";
import { bundledProgram } from "../../support/bundled-program.ts";
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from "../../support/service-process.ts";

/** The service as a process of its own, from the sources, with the console as it is built now. */
export async function startConsoleService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  await linkConsole(await bundledProgram());
  return await startServiceProcess({ ...options, program: "bundle" });
}
