import type { ComponentChildren } from "preact";
import { t } from "../../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../../parts/notices.tsx";
import type { Answer } from "../../../state/use-answer.ts";

interface LoadedProps<T> {
  readonly answer: Answer<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** What an answer has; before it came that it is on its way, and why the newest did not come. */
export function Loaded<T>({ answer, children }: LoadedProps<T>) {
  const { value } = answer.data;
  const failure = answer.failure.value;
  return (
    <>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void answer.read()} />
      )}
      {value === undefined && failure === undefined ? <Loading /> : null}
      {value === undefined ? null : children(value)}
    </>
  );
}

interface ListedProps<T> {
  readonly answer: Answer<{
    readonly data: readonly T[];
    readonly pagination: { readonly total: number };
  }>;
  /** What is said of an empty list. */
  readonly none: string;
  readonly keyOf: (one: T) => string;
  readonly children: (one: T) => ComponentChildren;
}

/** A list of things, one below the other; says so where the answer left some out. */
export function Listed<T>({ answer, none, keyOf, children }: ListedProps<T>) {
  return (
    <Loaded answer={answer}>
      {({ data, pagination: { total } }) => (
        <>
          {data.length === 0 ? <Empty title={none} /> : null}
          <ul class="set-list">
            {data.map((one) => (
              <li key={keyOf(one)} class="card">
                {children(one)}
              </li>
            ))}
          </ul>
          {total > data.length ? (
            <p class="muted">{t("set.more", { n: data.length, total })}</p>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
