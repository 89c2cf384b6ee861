import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { readSession } from "../../../api/session.ts";
import { t } from "../../../i18n/t.ts";
import { TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../form/loaded.tsx";
import { ResourceForm } from "../form/resource-form.tsx";
import { type ApiKey, readKey, renameKey } from "./requests.ts";
import { typedName } from "./typed-name.ts";

interface KeyNameProps {
  readonly apiKey: Pick<ApiKey, "id" | "name">;
  /** It is the key of this browser, whose name every page shows. */
  readonly isOwn: boolean;
  readonly onRenamed: () => void;
}

/** Whose key it is, and a form to say it otherwise. */
export function KeyName({ apiKey: { id, name }, isOwn, onRenamed }: KeyNameProps) {
  const isOpen = useSignal(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // Who closed the form by keys goes on where it was opened.
  useEffect(() => {
    if (!isOpen.value && wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <div class="card-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {isOpen.value ? null : (
          <button
            ref={opener}
            type="button"
            aria-label={t("keys.rename_named", { name })}
            onClick={() => {
              isOpen.value = true;
            }}
          >
            {t("keys.rename")}
          </button>
        )}
      </div>
      {isOpen.value ? (
        <NameForm
          id={id}
          onDone={() => {
            close();
            onRenamed();
            if (isOwn) void readSession();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface NameFormProps {
  readonly id: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function NameForm({ id, onDone, onClose }: NameFormProps) {
  const read = () => readKey(id);
  const stored = useAnswer(read, id);
  const place = useRef<HTMLDivElement>(null);
  const isThere = stored.data.value !== undefined;
  useEffect(() => {
    const input = place.current?.querySelector("input");
    input?.focus();
    input?.select();
  }, [isThere]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut; the button beside it does the same
    <div
      ref={place}
      class="key-name"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <Loaded answer={stored}>
        {(value) => (
          <ResourceForm<ApiKey, Pick<ApiKey, "name">, ApiKey>
            stored={value}
            readAgain={read}
            empty={{ name: "" }}
            formOf={({ name }) => ({ name })}
            rows={[[t("set.name"), ({ name }) => name]]}
            createLabel={t("set.save")}
            send={({ name }, seen) => renameKey(seen ?? value, typedName(name) ?? "")}
            onDone={onDone}
            onClose={onClose}
          >
            {({ form, change, failure }) => (
              <TextField
                name={t("set.name")}
                hint={t("keys.name_hint")}
                error={
                  typedName(form.name) === undefined
                    ? t("keys.name_needed")
                    : problemOf(failure, "name")
                }
                required
                pattern=".*\S.*"
                maxLength={200}
                autocomplete="off"
                value={form.name}
                onText={(name) => change({ name })}
              />
            )}
          </ResourceForm>
        )}
      </Loaded>
    </div>
  );
}
