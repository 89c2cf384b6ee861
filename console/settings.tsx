import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { logOut } from "./api/session.ts";
import { may, type Session } from "./api/session-state.ts";
import { LANGUAGES, t } from "./i18n/t.ts";
import { visibleParts } from "./pages/settings/part-names.ts";
import { NavIcon } from "./parts/nav-icon.tsx";
import { Select } from "./parts/select.tsx";
import { prefer, preferences } from "./state/preferences.ts";
import { chooseProject, projectChoices, projectId } from "./state/project.ts";
import { toPage } from "./state/to-page.ts";

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
      <Select value={value} choices={choices} onChoose={onChoose} />
    </label>
  );
}

/** Project, appearance, language and units, and the way out. */
export function Settings(props: {
  readonly session: Session;
  /** Links that the bar of a phone has no room for. */
  readonly children: ComponentChildren;
}) {
  const { session, children } = props;
  const sheet = useRef<HTMLDetailsElement>(null);
  const [path] = useLocation();
  // Another page was chosen in it: it lies over that page on a phone.
  useEffect(() => {
    if (sheet.current !== null) sheet.current.open = false;
  }, [path]);
  const { theme, times, language, units, zone } = preferences.value;
  return (
    <details class="settings" ref={sheet}>
      <summary>
        <NavIcon name="settings" />
        <span>{t("nav.more")}</span>
      </summary>
      <div class="settings-form">
        {children}
        <Choice
          name={t("nav.project")}
          value={projectId.value ?? ""}
          choices={[["", t("nav.all_projects")], ...projectChoices()]}
          onChoose={(id) => chooseProject(id === "" ? undefined : id)}
        />
        <Choice
          name={t("nav.theme")}
          value={theme}
          choices={(["auto", "light", "dark"] as const).map((one) => [one, t(`nav.theme.${one}`)])}
          onChoose={(chosen) => prefer({ theme: chosen })}
        />
        <Choice
          name={t("nav.times")}
          value={times}
          choices={(["short", "full"] as const).map((one) => [one, t(`nav.times.${one}`)])}
          onChoose={(chosen) => prefer({ times: chosen })}
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
        <Choice
          name={t("zone.choice")}
          value={zone}
          choices={(["project", "browser", "utc"] as const).map((one) => [
            one,
            t(`zone.choice.${one}`),
          ])}
          onChoose={(chosen) => prefer({ zone: chosen })}
        />
        <p class="muted small">{t("nav.key", { name: session.key_name })}</p>
        <Link href={toPage("/help")}>{t("nav.help")}</Link>
        {visibleParts().length > 0 ? (
          <Link href={toPage("/settings")}>{t("nav.settings")}</Link>
        ) : null}
        {may("admin") ? <Link href={toPage("/service")}>{t("nav.service")}</Link> : null}
        <a href="/docs">{t("nav.docs")}</a>
        <button type="button" onClick={() => void logOut()}>
          {t("nav.log_out")}
        </button>
      </div>
    </details>
  );
}
