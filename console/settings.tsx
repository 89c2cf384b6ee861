import { logOut } from "./api/session.ts";
import type { Session } from "./api/session-state.ts";
import { LANGUAGES, t } from "./i18n/t.ts";
import { NavIcon } from "./parts/nav-icon.tsx";
import { prefer, preferences } from "./state/preferences.ts";
import { chooseProject, projectId, projects } from "./state/project.ts";

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, name: string])[];
  readonly onChoose: (value: T) => void;
}

function Choice<T extends string>({ name, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <label>
      {name}
      <select
        value={value}
        onChange={(event) => {
          const chosen = choices.find(([one]) => one === event.currentTarget.value);
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {choices.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Project, appearance, language and units, and the way out. */
export function Settings({ session }: { readonly session: Session }) {
  const { theme, language, units } = preferences.value;
  const names = projects.value.map(({ id, name }) => [id, name] as const);
  return (
    <details class="settings">
      <summary>
        <NavIcon name="settings" />
        <span>{t("nav.more")}</span>
      </summary>
      <div class="settings-form">
        <Choice
          name={t("nav.project")}
          value={projectId.value ?? ""}
          choices={[["", t("nav.all_projects")], ...names]}
          onChoose={(id) => chooseProject(id === "" ? undefined : id)}
        />
        <Choice
          name={t("nav.theme")}
          value={theme}
          choices={(["auto", "light", "dark"] as const).map((one) => [one, t(`nav.theme.${one}`)])}
          onChoose={(chosen) => prefer({ theme: chosen })}
        />
        <Choice
          name={t("nav.language")}
          value={language}
          choices={(["en", "de"] as const).map((one) => [one, LANGUAGES[one].name])}
          onChoose={(chosen) => prefer({ language: chosen })}
        />
        <Choice
          name={t("nav.units")}
          value={units}
          choices={(["metric", "imperial"] as const).map((one) => [one, t(`nav.units.${one}`)])}
          onChoose={(chosen) => prefer({ units: chosen })}
        />
        <p class="muted small">{t("nav.key", { name: session.key_name })}</p>
        <a href="/docs">{t("nav.docs")}</a>
        <button type="button" onClick={() => void logOut()}>
          {t("nav.log_out")}
        </button>
      </div>
    </details>
  );
}
