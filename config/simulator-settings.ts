import { DomainError } from "../domain/errors.ts";
import { optionalUrl, type Setting, secret } from "./setting.ts";

/** Every setting of the simulators; each is overridden by an argument on the command line. */
const SIMULATOR_SETTINGS = {
  plumblineUrl: {
    ...optionalUrl("PLUMBLINE_URL", "Service that the simulators talk to.", ["http:", "https:"]),
    fallback: "http://127.0.0.1:8080",
  },
  plumblineApiKey: secret(
    "PLUMBLINE_API_KEY",
    "API key of the simulators, with the scopes admin or equipment:write.",
    1,
  ),
} satisfies Record<string, Setting<unknown>>;

/** The settings of one simulator run, frozen. */
export type SimulatorSettings = {
  readonly [K in keyof typeof SIMULATOR_SETTINGS]: ReturnType<
    (typeof SIMULATOR_SETTINGS)[K]["parse"]
  >;
};

/**
 * Reads and checks the simulators' part of the environment.
 * @throws DomainError `SETTINGS_INVALID` naming every variable that is wrong.
 */
export function readSimulatorSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SimulatorSettings {
  const problems: string[] = [];
  const entries = Object.entries(SIMULATOR_SETTINGS).map(([name, setting]) => {
    const value = environment[setting.env] || setting.fallback;
    try {
      return [name, value === undefined ? undefined : setting.parse(value)];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      problems.push(error.message);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new DomainError("SETTINGS_INVALID", problems.join("; "));
  // The table above is the type: every name maps to what its own parser returned.
  return Object.freeze(Object.fromEntries(entries) as SimulatorSettings);
}
