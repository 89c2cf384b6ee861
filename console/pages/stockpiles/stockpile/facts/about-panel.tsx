import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { may } from "../../../../api/session-state.ts";
import { show } from "../../../../format/show.ts";
import { t } from "../../../../i18n/t.ts";
import { Fact } from "../../../../parts/facts.tsx";
import { lazily } from "../../../../parts/lazily.tsx";
import { SureDialog } from "../../../../parts/sure-dialog.tsx";
import { readFences } from "../../../../state/fences.ts";
import type { Stockpile } from "../../../../state/site-places.ts";
import { toPage } from "../../../../state/to-page.ts";
import { pileName } from "../../pile.ts";
import type { TaggedPile } from "../../requests.ts";
import { removePile } from "./requests.ts";
import { densityText, fenceName } from "./words.ts";

const FactsDialog = lazily(async () => (await import("./facts-dialog.tsx")).FactsDialog);

interface AboutPanelProps {
  readonly tagged: TaggedPile;
  readonly onChange: () => void;
}

/** What was registered of a stockpile, to change it, and to remove the stockpile. */
export function AboutPanel({ tagged, onChange }: AboutPanelProps) {
  const { pile } = tagged;
  const open = useSignal<"edit" | "remove" | undefined>(undefined);
  const [, navigate] = useLocation();
  const close = () => {
    open.value = undefined;
  };
  useEffect(() => {
    if (may("equipment:read")) void readFences(pile.project_id);
  }, [pile.project_id]);
  return (
    <>
      <PileFacts pile={pile} />
      {may("materials:write") ? (
        <div class="tool-row no-print">
          <button
            type="button"
            onClick={() => {
              open.value = "edit";
            }}
          >
            {t("pile.edit")}
          </button>
          <button
            type="button"
            onClick={() => {
              open.value = "remove";
            }}
          >
            {t("pile.remove")}
          </button>
        </div>
      ) : null}
      {open.value === "edit" ? (
        <FactsDialog
          pile={pile}
          onDone={() => {
            close();
            onChange();
          }}
          onClose={close}
        />
      ) : null}
      {open.value === "remove" ? (
        <SureDialog
          title={t("pile.remove_title", { name: pileName(pile) })}
          ways={[[t("pile.remove_now"), () => removePile(tagged)]]}
          onDone={() => navigate(toPage("/stockpiles"))}
          onClose={close}
        >
          <p>{t("pile.remove_hint")}</p>
        </SureDialog>
      ) : null}
    </>
  );
}

function PileFacts({ pile }: { readonly pile: Stockpile }) {
  const { material, location, max_capacity_m3, density_t_per_m3, thresholds, base } = pile;
  const { empty_percent, low_percent, full_percent } = thresholds;
  return (
    <dl class="facts">
      <Fact name={t("piles.material")}>{material}</Fact>
      <Fact name={t("piles.location")}>{location}</Fact>
      <Fact name={t("piles.capacity")}>{show.volume(max_capacity_m3)}</Fact>
      <Fact name={t("pile.thresholds")}>
        {t("pile.thresholds_text", {
          empty: show.percent(empty_percent),
          low: show.percent(low_percent),
          full: show.percent(full_percent),
        })}
      </Fact>
      <Fact name={t("piles.density")}>{densityText(density_t_per_m3)}</Fact>
      <Fact name={t("pile.base")}>
        {t(`measure.base.${base.method}`)}
        {base.height_m === undefined ? null : ` (${show.height(base.height_m)})`}
      </Fact>
      <Fact name={t("pile.fence")}>{fenceName(pile.geofence_id ?? "")}</Fact>
    </dl>
  );
}
