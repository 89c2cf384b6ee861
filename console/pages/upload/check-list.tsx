import { show } from "../../format/show.ts";
import type { MessageKey } from "../../i18n/en.ts";
import { t, tn } from "../../i18n/t.ts";
import type { Checks } from "./checks.ts";

/** Names that are written out; the rest is a number. */
const NAMED = 5;

/** What was found in the files, in words. */
export function CheckList({ checks }: { readonly checks: Checks }) {
  const { good, wrongType, tooLarge, doubles, withoutPosition, bytes, problem } = checks;
  const rows: readonly (readonly [MessageKey, readonly string[]])[] = [
    ["upload.wrong_type", wrongType],
    ["upload.too_large", tooLarge],
    ["upload.doubles", doubles],
    ["upload.no_position", withoutPosition],
  ];
  return (
    <div role="status">
      <p class="total">{tn("upload.ready", good.length, { size: show.bytes(bytes) })}</p>
      <ul class="flaws">
        {rows
          .filter(([, names]) => names.length > 0)
          .map(([text, names]) => (
            <li key={text}>{t(text, { names: namesOf(names) })}</li>
          ))}
      </ul>
      {problem === undefined ? null : <p class="field-error">{t(`upload.problem.${problem}`)}</p>}
    </div>
  );
}

function namesOf(names: readonly string[]): string {
  const written = names.slice(0, NAMED).join(", ");
  const more = names.length - NAMED;
  return more > 0 ? tn("upload.and_more", more, { names: written }) : written;
}
