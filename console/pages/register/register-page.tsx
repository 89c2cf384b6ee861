import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import type { components } from "../../../client/index.ts";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { Empty } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { toPage } from "../../state/to-page.ts";
import { Credentials } from "./credentials.tsx";
import { RegisterForm } from "./register-form.tsx";
import { WatchPane } from "./watch-pane.tsx";

type RegisteredAsset = components["schemas"]["RegisteredAsset"];

/** Registers a machine, shows the credentials of its device once, and what the service sees of it. */
export function RegisterPage() {
  const registered = useSignal<RegisteredAsset | undefined>(undefined);
  const asset = registered.value;

  if (!may("equipment:write")) {
    return (
      <div class="page">
        <PageHead title={t("register.title")} />
        <Empty title={t("register.no_scope", { scope: "equipment:write" })} />
      </div>
    );
  }
  return (
    <div class="page">
      <PageHead title={t("register.title")} />
      {asset === undefined ? (
        <RegisterForm
          onRegistered={(made) => {
            registered.value = made;
          }}
        />
      ) : (
        <>
          <p class="notice" role="status">
            {t("register.done", { name: asset.name })}{" "}
            <Link href={toPage(`/machines/${asset.id}`)}>{t("register.to_machine")}</Link>
            <button
              type="button"
              onClick={() => {
                registered.value = undefined;
              }}
            >
              {t("register.another")}
            </button>
          </p>
          <div class="cards">
            <Credentials access={asset.mqtt} decoder={asset.decoder} place={asset.location} />
            <WatchPane
              assetId={asset.id}
              topic={asset.mqtt.topic}
              sinceMs={Date.parse(asset.created_at)}
            />
          </div>
        </>
      )}
    </div>
  );
}
