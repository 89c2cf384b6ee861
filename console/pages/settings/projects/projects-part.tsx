import { useSignal } from "@preact/signals";
import { Link, useLocation, useParams } from "wouter-preact";
import { may, seesEveryProject } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import { readProjects } from "../../../state/project.ts";
import { toPage } from "../../../state/to-page.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { EditActions } from "../form/edit-actions.tsx";
import { ListHead } from "../form/list-head.tsx";
import { Listed } from "../form/loaded.tsx";
import { LogoFact } from "./logo-fact.tsx";
import { ProjectDialog } from "./project-dialog.tsx";
import { deleteProject, type Project, readOnlyProject, readProjectList } from "./requests.ts";
import { Stored } from "./stored.tsx";

/** Projects of which what they store is shown without a press: each is a request of its own. */
const SHOWN_AT_ONCE = 20;

/** Projects that the key sees: where they are, in which time, when work is done, and what they store. */
export function ProjectsPart() {
  // The address may name one project alone, to which a full quota leads.
  const { id: only } = useParams<{ readonly id?: string }>();
  const [, go] = useLocation();
  const list = useAnswer(
    () => (only === undefined ? readProjectList() : readOnlyProject(only)),
    only ?? "",
  );
  const editing = useSignal<{ readonly id: string | undefined } | undefined>(undefined);
  const deleted = useSignal<Project | undefined>(undefined);
  const mayChange = may("admin") && seesEveryProject();

  function changed() {
    editing.value = undefined;
    deleted.value = undefined;
    void list.read();
    // The choice of the project has them too.
    void readProjects();
  }

  return (
    <>
      <ListHead
        hint={t(mayChange ? "proj.hint" : "proj.read_only")}
        newLabel={t("proj.new")}
        mayMake={mayChange}
        onNew={() => {
          editing.value = { id: undefined };
        }}
      />
      {only === undefined ? null : (
        <p>
          <Link href={toPage("/settings/projects")}>{t("nav.all_projects")}</Link>
        </p>
      )}
      <Listed answer={list} none={t("proj.none")} keyOf={({ id }: Project) => id}>
        {(project) => (
          <>
            <h2>{project.name}</h2>
            <ProjectFacts
              project={project}
              isFew={(list.data.value?.data.length ?? 0) <= SHOWN_AT_ONCE}
              mayChange={mayChange}
            />
            {mayChange ? (
              <EditActions
                name={project.name}
                onEdit={() => {
                  editing.value = { id: project.id };
                }}
                onDelete={() => {
                  deleted.value = project;
                }}
              />
            ) : null}
          </>
        )}
      </Listed>
      {editing.value === undefined ? null : (
        <ProjectDialog
          id={editing.value.id}
          onDone={changed}
          onClose={() => {
            editing.value = undefined;
          }}
        />
      )}
      {deleted.value === undefined ? null : (
        <DeleteDialog
          project={deleted.value}
          onDone={() => {
            changed();
            if (only !== undefined) go(toPage("/settings/projects"));
          }}
          onClose={() => {
            deleted.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  readonly project: Project;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ project: { id, name }, onDone, onClose }: DeleteDialogProps) {
  return (
    <SureDialog
      title={t("set.delete_title", { name })}
      ways={[[t("set.delete"), () => deleteProject(id)]]}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t("proj.delete_hint")}</p>
    </SureDialog>
  );
}

interface ProjectFactsProps {
  readonly project: Project;
  readonly isFew: boolean;
  readonly mayChange: boolean;
}

function ProjectFacts({ project, isFew, mayChange }: ProjectFactsProps) {
  const { id, location, time_zone, shift, planned_start, planned_finish } = project;
  const dateText = (day: string | undefined) =>
    day === undefined ? <span class="muted">{t("proj.no_date")}</span> : <time>{day}</time>;
  return (
    <>
      <dl class="facts">
        <Fact name={t("proj.id")}>
          <code>{id}</code>
        </Fact>
        <Fact name={t("proj.place")}>
          {location.latitude}, {location.longitude}
        </Fact>
        <Fact name={t("proj.zone")}>{time_zone}</Fact>
        <Fact name={t("proj.shift")}>
          {shift.start} – {shift.end}
        </Fact>
        <Fact name={t("proj.start")}>{dateText(planned_start)}</Fact>
        <Fact name={t("proj.finish")}>{dateText(planned_finish)}</Fact>
        <Fact name={t("logo.title")}>
          <LogoFact project={project} mayChange={mayChange} />
        </Fact>
      </dl>
      <h3>{t("proj.stored")}</h3>
      <Stored project={project} isShown={isFew} mayChange={mayChange} />
    </>
  );
}
