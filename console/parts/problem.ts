import type { Failure } from "../api/failure.ts";
import { t } from "../i18n/t.ts";

/** What a failure says against a field of the request; `undefined`: nothing. A path below it counts for it. */
export function problemOf(failure: Failure | undefined, parameter: string): string | undefined {
  const about = failure?.details?.filter(
    (one) => one.parameter === parameter || one.parameter.startsWith(`${parameter}.`),
  );
  if (about === undefined || about.length === 0) return undefined;
  return t("form.problem", { message: about.map(({ message }) => message).join("; ") });
}
