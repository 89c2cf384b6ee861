import { useSignal } from "@preact/signals";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { When } from "../../../parts/time.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../form/loaded.tsx";
import { type FleetPoll, type FleetSource, readSource } from "./requests.ts";

/** What the last poll of a source brought, or why it failed; and when the next one is. */
export function LastPoll({ source }: { readonly source: FleetSource }) {
  const { id, last_poll, next_poll_at, status } = source;
  return (
    <>
      <dl class="facts">
        <Fact name={t("src.last")}>
          {last_poll === undefined ? (
            <span class="muted">{t("src.never")}</span>
          ) : (
            <>
              <span class={last_poll.outcome === "ok" ? "set-state" : "set-state set-state-bad"}>
                {t(`src.outcome.${last_poll.outcome}`)}
              </span>{" "}
              <When ms={Date.parse(last_poll.finished_at)} />
            </>
          )}
        </Fact>
        {last_poll?.outcome === "failed" ? (
          <Fact name={t("src.why")}>{failureText(last_poll)}</Fact>
        ) : null}
        {last_poll === undefined || last_poll.pages === 0 ? null : (
          <Fact name={t("src.brought")}>
            {tn("src.readings", last_poll.readings)}; {tn("src.machines", last_poll.machines)},{" "}
            {t("src.matched", { n: show.number(last_poll.machines_matched) })}
          </Fact>
        )}
        <Fact name={t("src.next")}>
          {status === "disabled" ? (
            t("src.no_next")
          ) : next_poll_at === undefined ? (
            t("src.next_now")
          ) : (
            <time dateTime={next_poll_at}>{show.dateTime(Date.parse(next_poll_at))}</time>
          )}
        </Fact>
      </dl>
      {last_poll !== undefined && last_poll.problem_count + last_poll.unmatched_count > 0 ? (
        <Troubles id={id} poll={last_poll} />
      ) : null}
    </>
  );
}

function failureText({ failure, http_status, consecutive_failures }: FleetPoll): string {
  const why = [
    failure ?? t("value.unknown"),
    http_status === undefined || failure !== undefined ? "" : `HTTP ${http_status}`,
  ];
  return `${why.filter((part) => part !== "").join(", ")}; ${tn("src.in_a_row", consecutive_failures)}`;
}

interface TroublesProps {
  readonly id: string;
  readonly poll: FleetPoll;
}

/** Parts of the answer that could not be used, and machines that nobody registered; read when it is opened. */
function Troubles({ id, poll }: TroublesProps) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        {tn("src.problems", poll.problem_count)}; {tn("src.unmatched", poll.unmatched_count)}
      </summary>
      {isOpen.value ? <TroubleLists id={id} at={poll.finished_at} /> : null}
    </details>
  );
}

function TroubleLists({ id, at }: { readonly id: string; readonly at: string }) {
  const answer = useAnswer(() => readSource(id), at);
  return (
    <Loaded answer={answer}>
      {({ value: { last_poll } }) => (
        <>
          <ul class="bullets small">
            {last_poll?.problems?.map(({ where, problem }) => (
              <li key={`${where} ${problem}`}>
                <code>{where}</code>: {problem}
              </li>
            ))}
          </ul>
          {last_poll?.unmatched === undefined || last_poll.unmatched.length === 0 ? null : (
            <>
              <p class="small muted">{t("src.unmatched_hint")}</p>
              <ul class="bullets small">
                {last_poll.unmatched.map((machine) => (
                  <li key={JSON.stringify(machine)}>
                    {[
                      machine.OEMName,
                      machine.Model,
                      machine.PIN ?? machine.SerialNumber ?? machine.EquipmentID,
                    ]
                      .filter((text) => text !== undefined)
                      .join(" · ")}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}
