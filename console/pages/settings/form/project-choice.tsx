import { seesEveryProject } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { projects } from "../../../state/project.ts";
import { CheckList } from "./check-list.tsx";

/** Ids of projects; `undefined`: every project, also later ones. */
export type ChosenProjects = readonly string[] | undefined;

/** Projects in words. */
export function projectsText(chosen: ChosenProjects): string {
  if (chosen === undefined) return t("set.every_project");
  const names = new Map(projects.value.map(({ id, name }) => [id, name]));
  return chosen.map((id) => names.get(id) ?? id).join(", ");
}

interface ProjectChoiceProps {
  readonly chosen: ChosenProjects;
  readonly error: string | undefined;
  readonly onChoose: (chosen: ChosenProjects) => void;
}

/** Every project, or some of them; a key of some projects can choose among those only. */
export function ProjectChoice({ chosen, error, onChoose }: ProjectChoiceProps) {
  const isOwnOnly = !seesEveryProject();
  const known = projects.value.map(({ id, name }) => [id, name] as const);
  const gone = (chosen ?? []).filter((id) => !known.some(([one]) => one === id));
  return (
    <>
      {isOwnOnly ? null : (
        <label class="check">
          <input
            type="checkbox"
            checked={chosen === undefined}
            onChange={(event) => onChoose(event.currentTarget.checked ? undefined : [])}
          />
          <span>{t("set.every_project")}</span>
        </label>
      )}
      {chosen === undefined && !isOwnOnly ? null : (
        <CheckList
          name={t("set.projects")}
          error={error}
          choices={[...known, ...gone.map((id) => [id, id] as const)]}
          chosen={chosen ?? []}
          onChoose={onChoose}
        />
      )}
    </>
  );
}
