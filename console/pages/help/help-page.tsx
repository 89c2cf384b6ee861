import { NO_ANSWER } from "../../api/failure.ts";
import type { Outcome } from "../../api/outcome.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { type Licence, licencesOf } from "./licences.ts";
import "./help.css";

/** What figures mean, by the area that has them. */
const FIGURES = {
  "help.machines": ["position", "status", "connection", "worked", "idle", "visit"],
  "help.materials": ["volume", "interval", "base", "change"],
  "help.progress": ["percent", "plan", "seen", "forecast"],
  "help.words": ["assumed", "declared", "inferred", "late", "unknown"],
} as const;

/** Keys, as they are written on a keyboard, and what they do. */
const KEYS = [
  [["Tab"], "help.key.tab"],
  [["Esc"], "help.key.escape"],
  [["←", "→"], "help.key.arrows"],
  [["Shift", "←", "→"], "help.key.shift"],
  [["Page ↑", "Page ↓"], "help.key.pages"],
  [["+", "−"], "help.key.zoom"],
] as const;

const LICENCES = "/licences.md";

async function readLicences(): Promise<Outcome<readonly Licence[]>> {
  try {
    const response = await fetch(LICENCES);
    if (!response.ok) return { failure: { ...NO_ANSWER, status: response.status } };
    return { value: licencesOf(await response.text()) };
  } catch {
    return { failure: NO_ANSWER };
  }
}

/** What each figure means, keys, and the licences of what is in the pages. */
export function HelpPage() {
  return (
    <div class="page">
      <PageHead title={t("help.title")}>
        <p class="muted">{t("help.hint")}</p>
      </PageHead>
      <div class="cards-packed">
        {(Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map((area) => (
          <section key={area} class="card">
            <h2>{t(area)}</h2>
            <dl class="meanings">
              {FIGURES[area].map((figure) => (
                <Meaning key={figure} figure={figure} />
              ))}
            </dl>
          </section>
        ))}
        <section class="card">
          <h2>{t("help.keys")}</h2>
          <dl class="meanings">
            {KEYS.map(([keys, meaning]) => (
              <div key={meaning}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{t(meaning)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <Licences />
      </div>
    </div>
  );
}

type Figure = (typeof FIGURES)[keyof typeof FIGURES][number];

function Meaning({ figure }: { readonly figure: Figure }) {
  return (
    <div>
      <dt>{t(`help.${figure}.name`)}</dt>
      <dd>{t(`help.${figure}`)}</dd>
    </div>
  );
}

function Licences() {
  const licences = useAnswer(readLicences, "");
  const { value } = licences.data;
  const failure = licences.failure.value;
  return (
    <section class="card">
      <h2>{t("help.licences")}</h2>
      <p class="muted small">
        {t("help.licences_hint")} <a href={LICENCES}>{t("help.licences_all")}</a>
      </p>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void licences.read()} />
      )}
      {value === undefined ? (
        failure === undefined ? (
          <Loading />
        ) : null
      ) : (
        <ul class="licences">
          {value.map(({ name, version, licence }) => (
            <li key={name}>
              {name} {version} <span class="muted">{licence}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
