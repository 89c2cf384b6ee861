import { useSignal } from "@preact/signals";
import { may, seesEveryProject } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import { readProjects } from "../../../state/project.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { EditActions } from "../form/edit-actions.tsx";
import { ListHead } from "../form/list-head.tsx";
import { Listed } from "../form/loaded.tsx";
import { LogoFact } from "./logo-fact.tsx";
import { ProjectDialog } from "./project-dialog.tsx";
import { deleteProject, type Project, readProjectList, readStorage } from "./requests.ts";

/** Projects that the key sees: where they are, in which time, when work is done, and what they store. */
export function ProjectsPart() {
  const list = useAnswer(readProjectList, "");
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
      <Listed answer={list} none={t("proj.none")} keyOf={({ id }: Project) => id}>
        {(project) => (
          <>
            <h2>{project.name}</h2>
            <ProjectFacts project={project} mayChange={mayChange} />
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
          onDone={changed}
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
  readonly mayChange: boolean;
}

function ProjectFacts({ project, mayChange }: ProjectFactsProps) {
  const { id, location, time_zone, shift, planned_start, planned_finish } = project;
  const dateText = (day: string | undefined) =>
    day === undefined ? <span class="muted">{t("proj.no_date")}</span> : <time>{day}</time>;
  return (
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
      <Fact name={t("proj.stored")}>
        <Stored id={id} />
      </Fact>
    </dl>
  );
}

/** What the files of a project take, asked by a button: each answer is a walk over its files. */
function Stored({ id }: { readonly id: string }) {
  const isAsked = useSignal(false);
  if (!isAsked.value) {
    return (
      <button
        type="button"
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {t("proj.ask_stored")}
      </button>
    );
  }
  return <StoredFigures id={id} />;
}

function StoredFigures({ id }: { readonly id: string }) {
  const { data, failure } = useAnswer(() => readStorage(id), id);
  if (failure.value !== undefined) return <FailureNotice failure={failure.value} />;
  const { value } = data;
  if (value === undefined) return <span class="muted">{t("app.loading")}…</span>;
  const { used_bytes, files, limit_bytes } = value;
  return (
    <>
      {tn("proj.files", files, { size: show.bytes(used_bytes) })}{" "}
      <span class="muted small">
        {limit_bytes === null
          ? t("proj.no_limit")
          : t("proj.limit", { size: show.bytes(limit_bytes) })}
      </span>
    </>
  );
}
