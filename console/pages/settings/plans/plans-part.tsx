import { useSignal } from "@preact/signals";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { TextField } from "../../../parts/field.tsx";
import { Empty, FailureNotice, Loading } from "../../../parts/notices.tsx";
import { Select } from "../../../parts/select.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import { listedAssets, machinesFailure } from "../../../state/machines.ts";
import { chooseProject, projectChoices, projectId, projects } from "../../../state/project.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../form/loaded.tsx";
import { PlanEditor } from "./plan-editor.tsx";
import { deletePlan, type Plan, putPlan, readPlan, readPlans, type TypePlan } from "./requests.ts";
import { limitText, serviceText } from "./words.ts";

/** Longest name of a type that the API takes, characters. */
const TYPE_LENGTH = 64;

/** Maintenance plans of a project, by type of machine. */
export function PlansPart() {
  const [only, ...more] = projects.value;
  const project = projectId.value ?? (more.length === 0 ? only?.id : undefined);
  // They are those of the chosen project, or of the only one.
  const own = listedAssets.value;
  const failure = machinesFailure.value;
  return (
    <>
      <p class="muted">{t("plans.hint")}</p>
      {failure === undefined ? null : <FailureNotice failure={failure} />}
      {project === undefined ? (
        <div class="filters">
          <label>
            {t("plans.choose")}
            <Select
              value=""
              choices={[["", t("plans.no_project")], ...projectChoices()]}
              onChoose={(id) => chooseProject(id === "" ? undefined : id)}
            />
          </label>
        </div>
      ) : own === undefined ? (
        failure === undefined ? (
          <Loading />
        ) : null
      ) : (
        <PlanList
          key={project}
          projectId={project}
          types={[...new Set(own.map(({ type }) => type))].sort()}
        />
      )}
    </>
  );
}

interface PlanListProps {
  readonly projectId: string;
  readonly types: readonly string[];
}

function PlanList({ projectId: project, types }: PlanListProps) {
  // Types without a machine, which somebody named here.
  const named = useSignal<readonly string[]>([]);
  const all = [...types, ...named.value.filter((type) => !types.includes(type))];
  const plans = useAnswer(() => readPlans(project, all), `${project}\n${all.join("\n")}`);
  const editing = useSignal<TypePlan | undefined>(undefined);
  const deleted = useSignal<{ readonly type: string; readonly etag: string } | undefined>(
    undefined,
  );
  const mayChange = may("equipment:write");

  function done() {
    editing.value = undefined;
    deleted.value = undefined;
    void plans.read();
  }

  async function open(type: string) {
    const outcome = await readPlan(project, type);
    const isNone = "failure" in outcome && outcome.failure.status === 404;
    if ("value" in outcome) editing.value = { type, plan: outcome.value };
    else if (isNone) editing.value = { type, plan: undefined };
    else plans.failure.value = outcome.failure;
  }

  if (editing.value !== undefined) {
    const { type, plan } = editing.value;
    return (
      <PlanEditor
        title={t("plans.of", { type })}
        stored={plan}
        readAgain={() => readPlan(project, type)}
        send={(body, etag) => putPlan(project, type, body, etag)}
        onDone={done}
        onClose={() => {
          editing.value = undefined;
        }}
      />
    );
  }
  return (
    <>
      <Loaded answer={plans}>
        {(list) => (
          <ul class="set-list">
            {list.length === 0 ? (
              <li>
                <Empty title={t("plans.no_types")} />
              </li>
            ) : null}
            {list.map(({ type, plan }) => (
              <li key={type} class="card">
                <h2>{type}</h2>
                {plan === undefined ? (
                  <p class="muted">{t("plans.none")}</p>
                ) : (
                  <PlanWords plan={plan.value} />
                )}
                {mayChange ? (
                  <div class="tool-row">
                    <button
                      type="button"
                      aria-label={
                        plan === undefined
                          ? t("plans.make_named", { type })
                          : t("set.edit_named", { name: type })
                      }
                      onClick={() => void open(type)}
                    >
                      {t(plan === undefined ? "plans.make" : "set.edit")}
                    </button>
                    {plan === undefined ? null : (
                      <button
                        type="button"
                        aria-label={t("set.delete_named", { name: type })}
                        onClick={() => {
                          deleted.value = { type, etag: plan.etag };
                        }}
                      >
                        {t("set.delete")}
                      </button>
                    )}
                  </div>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <OtherType
        onType={(type) => {
          named.value = [...named.peek(), type];
        }}
      />
      {deleted.value === undefined ? null : (
        <DeleteDialog
          {...deleted.value}
          projectId={project}
          onDone={done}
          onClose={() => {
            deleted.value = undefined;
          }}
        />
      )}
    </>
  );
}

function PlanWords({
  plan: { services = [], limits = [], faults, valid_from },
}: {
  readonly plan: Plan;
}) {
  return (
    <>
      <ul class="bullets">
        {services.map((service) => (
          <li key={service.item}>{serviceText(service)}</li>
        ))}
        {limits.map((limit) => (
          <li key={limit.id}>{limitText(limit)}</li>
        ))}
      </ul>
      {services.length + limits.length === 0 ? <p class="muted">{t("plans.nothing")}</p> : null}
      {faults === undefined ? null : <p class="small">{t("plans.faults")}</p>}
      <p class="muted small">
        {t("plans.valid_from", { time: show.dateTime(Date.parse(valid_from)) })}
      </p>
    </>
  );
}

/** Opens the plan of a type that the project has no machine of. */
function OtherType({ onType }: { readonly onType: (type: string) => void }) {
  const type = useSignal("");
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        const name = type.peek().trim();
        if (name !== "") onType(name);
        type.value = "";
      }}
    >
      <TextField
        name={t("plans.other_type")}
        maxLength={TYPE_LENGTH}
        value={type.value}
        onText={(text) => {
          type.value = text;
        }}
      />
      <button type="submit">{t("plans.show_type")}</button>
    </form>
  );
}

interface DeleteDialogProps {
  readonly projectId: string;
  readonly type: string;
  readonly etag: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ projectId: project, type, etag, onDone, onClose }: DeleteDialogProps) {
  return (
    <SureDialog
      title={t("plans.delete_title", { type })}
      ways={[[t("set.delete"), () => deletePlan(project, type, etag)]]}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t("plans.delete_hint")}</p>
    </SureDialog>
  );
}
