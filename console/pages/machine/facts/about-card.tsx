import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { lazily } from "../../../parts/lazily.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import { When } from "../../../parts/time.tsx";
import { readMachinesAgain } from "../../../state/machines.ts";
import { projects } from "../../../state/project.ts";
import { toPage } from "../../../state/to-page.ts";
import type { AssetDetail, TabProps } from "../tab.ts";
import { removeMachine } from "./requests.ts";

const FactsDialog = lazily(async () => (await import("./facts-dialog.tsx")).FactsDialog);

/** What was registered of a machine, to change it, and to remove the machine. */
export function AboutCard({ asset, onChange }: Pick<TabProps, "asset" | "onChange">) {
  const open = useSignal<"edit" | "remove" | undefined>(undefined);
  const [, navigate] = useLocation();
  const close = () => {
    open.value = undefined;
  };
  return (
    <section class="card" aria-labelledby="now-about">
      <h2 id="now-about">{t("machine.facts")}</h2>
      <Facts asset={asset} />
      {may("equipment:write") ? (
        <div class="card-actions">
          <button
            type="button"
            onClick={() => {
              open.value = "edit";
            }}
          >
            {t("machine.edit")}
          </button>
          <button
            type="button"
            onClick={() => {
              open.value = "remove";
            }}
          >
            {t("machine.remove")}
          </button>
        </div>
      ) : null}
      {open.value === "edit" ? (
        <FactsDialog
          id={asset.id}
          onDone={() => {
            close();
            readMachinesAgain();
            onChange();
          }}
          onClose={close}
        />
      ) : null}
      {open.value === "remove" ? (
        <SureDialog
          title={t("machine.remove_title", { name: asset.name })}
          ways={[[t("machine.remove_now"), () => removeMachine(asset.id)]]}
          onDone={() => {
            readMachinesAgain();
            navigate(toPage("/machines"));
          }}
          onClose={close}
        >
          <p>{t("machine.remove_hint")}</p>
        </SureDialog>
      ) : null}
    </section>
  );
}

function Facts({ asset }: { readonly asset: AssetDetail }) {
  const { project_id, make, model, serial_number, reporting_interval_s, created_at } = asset;
  const project = projects.value.find(({ id }) => id === project_id)?.name ?? project_id;
  const said = (text: string | undefined) => text ?? t("machine.not_said");
  return (
    <dl class="facts">
      <Fact name={t("machine.project")}>{project}</Fact>
      <Fact name={t("machine.make")}>{said(make)}</Fact>
      <Fact name={t("machine.model")}>{said(model)}</Fact>
      <Fact name={t("machine.serial")}>{said(serial_number)}</Fact>
      <Fact name={t("machine.interval")}>
        {reporting_interval_s === undefined
          ? t("value.unknown")
          : show.field("interval_s", reporting_interval_s)}
      </Fact>
      {asset.maintenance ? (
        <Fact name={t("machine.out_of_service")}>{t("machine.by_person")}</Fact>
      ) : null}
      <Fact name={t("machine.registered")}>
        <When ms={Date.parse(created_at)} isPressable />
      </Fact>
    </dl>
  );
}
