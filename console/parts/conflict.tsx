import type { ComponentChildren } from "preact";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";

interface ConflictProps {
  /** What was changed by somebody else. */
  readonly title: string;
  /** When the stored version was made, ISO 8601; absent: it does not say. */
  readonly storedAt: string | undefined;
  /** Fields of the form: their names, as the person has them, and as they are stored. */
  readonly rows: readonly (readonly [name: string, mine: string, theirs: string])[];
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  /** What follows from a choice. */
  readonly children?: ComponentChildren;
}

/** Somebody changed a thing while it was edited here: both versions, and which one holds. */
export function Conflict({ title, storedAt, rows, onMine, onTheirs, children }: ConflictProps) {
  return (
    <section class="notice notice-bad stack" role="alert" aria-label={title}>
      <h3>{title}</h3>
      <p>
        {storedAt === undefined
          ? t("conflict.hint_undated")
          : t("conflict.hint", { time: show.dateTime(Date.parse(storedAt)) })}
      </p>
      <table class="versions">
        <thead>
          <tr>
            <th scope="col">{t("conflict.field")}</th>
            <th scope="col">{t("conflict.mine")}</th>
            <th scope="col">{t("conflict.theirs")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, mine, theirs]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{mine}</td>
              <td>{mine === theirs ? theirs : <strong>{theirs}</strong>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
      <div class="tool-row">
        <button type="button" onClick={onMine}>
          {t("conflict.save_mine")}
        </button>
        <button type="button" onClick={onTheirs}>
          {t("conflict.take_theirs")}
        </button>
      </div>
    </section>
  );
}
