import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { api } from "../../api/client.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { t } from "../../i18n/t.ts";
import { SureDialog } from "../../parts/sure-dialog.tsx";
import { toPage } from "../../state/to-page.ts";

/** Deletes a survey that no figure rests on, and its files, once it is asked twice. */
export function DeleteSurvey({ id }: { readonly id: string }) {
  const isAsked = useSignal(false);
  const [, go] = useLocation();
  return (
    <p class="no-print">
      <button
        type="button"
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {t("survey.delete")}
      </button>
      {isAsked.value ? (
        <SureDialog
          title={t("survey.delete_title")}
          ways={[
            [
              t("survey.delete"),
              () =>
                outcomeOf(
                  api.DELETE("/api/v1/surveys/{survey_id}", {
                    params: { path: { survey_id: id } },
                  }),
                ),
            ],
          ]}
          onDone={() => go(toPage("/surveys"))}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          <p>{t("survey.delete_hint")}</p>
        </SureDialog>
      ) : null}
    </p>
  );
}
