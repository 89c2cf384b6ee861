import { api } from "../../../api/client.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice, Loading } from "../../../parts/notices.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../../settings/form/loaded.tsx";
import type { TabProps } from "../tab.ts";
import { Faults } from "./faults.tsx";
import { Limits } from "./limits.tsx";
import { OwnPlan } from "./own-plan.tsx";
import { readHeldPlan } from "./plan-requests.ts";
import { RecordService } from "./record-service.tsx";
import { ServiceHistory } from "./service-history.tsx";
import { Services } from "./services.tsx";

/** How often it is read again, ms: hours of an engine pass slowly, a fault comes at any time. */
const EVERY_MS = 10_000;

/** Services that are due, limits, faults, and what was done. */
export function MaintenanceTab({ asset }: TabProps) {
  const path = { asset_id: asset.id };
  const status = useAnswer(
    () =>
      outcomeOf(api.GET("/api/v1/equipment/assets/{asset_id}/maintenance", { params: { path } })),
    asset.id,
    EVERY_MS,
  );
  const history = useAnswer(
    () =>
      outcomeOf(
        api.GET("/api/v1/equipment/assets/{asset_id}/services", {
          params: { path, query: { limit: 50 } },
        }),
      ),
    asset.id,
  );
  const held = useAnswer(() => readHeldPlan(asset.id), asset.id);
  const { value } = status.data;
  const failure = status.failure.value;
  if (value === undefined) {
    return failure === undefined ? (
      <Loading />
    ) : (
      <FailureNotice failure={failure} onRetry={() => void status.read()} />
    );
  }
  const names = new Map(value.services.map(({ item, name }) => [item, name]));
  return (
    <div class="cards-packed">
      <section class="card" aria-labelledby="services">
        <h2 id="services">{t("service.title")}</h2>
        {failure === undefined ? null : <FailureNotice failure={failure} />}
        <Services status={value} />
      </section>
      {may("equipment:write") && value.services.length > 0 ? (
        <RecordService
          assetId={asset.id}
          services={value.services}
          onRecorded={() => {
            void status.read();
            void history.read();
          }}
        />
      ) : null}
      <section class="card" aria-labelledby="faults">
        <h2 id="faults">{t("faults.title")}</h2>
        <Faults faults={value.faults} />
      </section>
      <section class="card" aria-labelledby="limits">
        <h2 id="limits">{t("limits.title")}</h2>
        <Limits rules={held.data.value?.plan?.value.limits ?? []} exceeded={value.limits} />
      </section>
      <Loaded answer={held}>
        {({ plan }) => (
          <OwnPlan
            asset={asset}
            plan={plan}
            onChanged={() => {
              void held.read();
              void status.read();
            }}
          />
        )}
      </Loaded>
      <section class="card" aria-labelledby="service-history">
        <h2 id="service-history">{t("service.history")}</h2>
        {history.failure.value === undefined ? null : (
          <FailureNotice failure={history.failure.value} onRetry={() => void history.read()} />
        )}
        <ServiceHistory services={history.data.value?.data ?? []} names={names} />
      </section>
    </div>
  );
}
