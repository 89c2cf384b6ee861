import type { ComponentChildren } from "preact";
import type { Outcome } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { Conflict } from "../../../parts/conflict.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { type FormState, type FormSteps, useForm } from "./form-state.ts";
import { Loaded } from "./loaded.tsx";
import type { Tagged } from "./tagged.ts";

interface ResourceFormProps<T, F extends object, A> extends FormSteps<T, F, A> {
  /** When the stored version was made, ISO 8601; absent: it does not say. */
  readonly storedAt?: (value: T) => string;
  /** Fields by their names, as words, to compare two versions. */
  readonly rows: readonly (readonly [name: string, text: (form: F) => string])[];
  /** In the words of the thing: what the button does where a new one is made. */
  readonly createLabel: string;
  readonly onClose: () => void;
  readonly children: (state: FormState<T, F>) => ComponentChildren;
}

/** A form with its failure, the version of somebody else where there is one, and its buttons. */
export function ResourceForm<T, F extends object, A>(props: ResourceFormProps<T, F, A>) {
  const { stored, storedAt, rows, createLabel, formOf, onClose, children } = props;
  const state = useForm(props);
  const { form, failure, theirs } = state;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        state.submit();
      }}
    >
      {children(state)}
      {failure === undefined ? null : <FailureNotice failure={failure} />}
      {theirs === undefined ? null : (
        <Conflict
          title={t("set.conflict")}
          storedAt={storedAt?.(theirs.value)}
          rows={rows.map(([name, text]) => [name, text(form), text(formOf(theirs.value))] as const)}
          onMine={state.saveMine}
          onTheirs={state.takeTheirs}
        />
      )}
      <div class="tool-row">
        <button type="button" onClick={onClose}>
          {t("fences.cancel")}
        </button>
        <button type="submit" class="main" disabled={state.isBusy || theirs !== undefined}>
          {stored === undefined ? createLabel : t("set.save")}
        </button>
      </div>
    </form>
  );
}

interface ResourceDialogProps<T, F extends object, A>
  extends Omit<ResourceFormProps<T, F, A>, "stored" | "readAgain"> {
  readonly title: string;
  /** Reads what is changed; absent: a new one is made. */
  readonly read?: (() => Promise<Outcome<Tagged<T>>>) | undefined;
}

/** The form in a dialog of its own; what is changed is read first. */
export function ResourceDialog<T, F extends object, A>(props: ResourceDialogProps<T, F, A>) {
  const { title, read, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {read === undefined ? (
        <ResourceForm {...props} stored={undefined} />
      ) : (
        <ReadForm {...props} read={read} />
      )}
    </Dialog>
  );
}

function ReadForm<T, F extends object, A>(
  props: ResourceDialogProps<T, F, A> & {
    readonly read: () => Promise<Outcome<Tagged<T>>>;
  },
) {
  const answer = useAnswer(props.read, "");
  return (
    <Loaded answer={answer}>
      {(stored) => <ResourceForm {...props} stored={stored} readAgain={props.read} />}
    </Loaded>
  );
}
