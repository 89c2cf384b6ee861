import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { WatchPane } from "../../register/watch-pane.tsx";
import type { TabProps } from "../tab.ts";
import { Commands } from "./commands.tsx";
import { DeviceSettings } from "./device-settings.tsx";
import { DryRunPane } from "./dry-run-pane.tsx";
import { MappingPane } from "./mapping-pane.tsx";
import type { Payload } from "./payload.ts";
import { QuarantinePane } from "./quarantine-pane.tsx";
import { RotatePane } from "./rotate-pane.tsx";

/** How the machine's device is read, and everything about its messages. */
export function DeviceTab({ asset, etag, onChange }: TabProps) {
  // A message of the quarantine that was chosen for a dry run.
  const payload = useSignal<Payload>({ encoding: "text", text: "" });
  const tagged = useMemo(() => ({ asset, etag }), [asset, etag]);
  return (
    <div class="cards-packed">
      <WatchPane assetId={asset.id} sinceMs={0} />
      <DryRunPane asset={asset} payload={payload} />
      <QuarantinePane
        assetId={asset.id}
        onTry={(chosen) => {
          payload.value = chosen;
          document.getElementById("dry-run")?.scrollIntoView();
        }}
      />
      <Commands assetId={asset.id} />
      <DeviceSettings tagged={tagged} onChange={onChange} />
      {asset.decoder === "mapping" ? <MappingPane type={asset.type} /> : null}
      {may("equipment:write") ? (
        <RotatePane asset={asset} />
      ) : (
        <p class="muted">{t("device.read_only")}</p>
      )}
    </div>
  );
}
