import { useSignal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Conflict } from "../../parts/conflict.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import { QuantityField } from "../../parts/quantity-field.tsx";
import { TimeField } from "../../parts/time-field.tsx";
import { zone } from "../../state/zone.ts";
import { readTime } from "../../time/zone.ts";
import { pileName } from "./pile.ts";
import type { TaggedPile } from "./requests.ts";
import { usePileChange } from "./use-pile-change.ts";
import { pileVolume } from "./words.ts";

interface DeclareDialogProps {
  /** As the person saw it. */
  readonly tagged: TaggedPile;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** A volume as a person says it is: it has no interval, and the pages say so. */
export function DeclareDialog({ tagged, onDone, onClose }: DeclareDialogProps) {
  const volume = useSignal<number | undefined>(undefined);
  const at = useSignal("");
  const { failure, theirs, isBusy, send } = usePileChange(onDone);
  const bad = failure.value;
  const m3 = volume.value;

  function declare(seen: TaggedPile) {
    const declared = volume.peek();
    const { ms } = readTime(at.peek(), zone.peek());
    if (declared === undefined || Number.isNaN(declared)) return;
    if (at.peek() !== "" && Number.isNaN(ms)) return;
    void send(seen, {
      current_volume_m3: Math.round(declared * 1_000) / 1_000,
      ...(at.peek() === "" ? {} : { measured_at: new Date(ms).toISOString() }),
    });
  }

  return (
    <Dialog title={t("piles.declare_title", { name: pileName(tagged.pile) })} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          declare(tagged);
        }}
      >
        <p class="muted small">{t("piles.declare_hint")}</p>
        <QuantityField
          quantity="volume"
          name={t("piles.volume_name")}
          error={Number.isNaN(m3) ? t("piles.volume_wrong") : problemOf(bad, "current_volume_m3")}
          value={m3}
          onValue={(value) => {
            volume.value = value;
          }}
        />
        <TimeField
          name={t("piles.measured_at")}
          hint={t("piles.measured_hint")}
          error={problemOf(bad, "measured_at")}
          value={at.value}
          onText={(text) => {
            at.value = text;
          }}
        />
        {bad === undefined ? null : <FailureNotice failure={bad} />}
        {theirs.value === undefined ? null : (
          <Conflict
            title={t("piles.conflict")}
            storedAt={theirs.value.pile.updated_at}
            rows={[
              [
                t("piles.volume_name"),
                m3 === undefined || Number.isNaN(m3) ? t("value.unknown") : show.volume(m3),
                pileVolume(theirs.value.pile),
              ],
            ]}
            onMine={() => declare(theirs.peek() ?? tagged)}
            onTheirs={onDone}
          />
        )}
        <div class="tool-row">
          <button type="button" onClick={onClose}>
            {t("fences.cancel")}
          </button>
          <button
            type="submit"
            class="main"
            disabled={isBusy.value || m3 === undefined || Number.isNaN(m3)}
          >
            {t("piles.declare")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
