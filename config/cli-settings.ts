import { readSettings, type Settings } from "./settings.ts";

/**
 * The settings of a command: those of the service, with what its command line says in their place.
 * @throws DomainError `SETTINGS_INVALID` naming every variable that is wrong.
 */
export function readCommandSettings(
  overrides: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return readSettings({ ...environment, ...Object.fromEntries(given) }, "command");
}
