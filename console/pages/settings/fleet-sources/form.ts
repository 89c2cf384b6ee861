import { neededNumber } from "../form/typed-number.ts";
import type { FleetSource, GivenAuth, NewFleetSource, SourceChange } from "./requests.ts";

export type AuthKind = GivenAuth["kind"];
type Series = NonNullable<NewFleetSource["series"]>[number];

/** Series that may be polled, in the order of the API. `satisfies` finds one that a later service adds. */
export const SERIES = Object.keys({
  Faults: 1,
  Locations: 1,
  CumulativeOperatingHours: 1,
  CumulativeIdleHours: 1,
  CumulativeFuelUsed: 1,
  FuelRemainingRatio: 1,
  DEFRemainingRatio: 1,
  Distance: 1,
  EngineCondition: 1,
  CumulativeLoadCount: 1,
  CumulativePayloadTotals: 1,
} satisfies Record<Series, 1>) as readonly Series[];

/** Parts of credentials, and whether one is a secret. */
export const AUTH_PARTS = {
  username: false,
  password: true,
  token: true,
  token_url: false,
  client_id: false,
  client_secret: true,
  scope: false,
  name: false,
  value: true,
} as const;
export type AuthPart = keyof typeof AUTH_PARTS;

interface KindParts {
  readonly needed: readonly AuthPart[];
  readonly optional: readonly AuthPart[];
}

/** What each kind is made of (`GivenFleetAuth`). */
export const KINDS: Readonly<Record<AuthKind, KindParts>> = {
  none: { needed: [], optional: [] },
  basic: { needed: ["username", "password"], optional: [] },
  bearer: { needed: ["token"], optional: [] },
  oauth2_client_credentials: {
    needed: ["token_url", "client_id", "client_secret"],
    optional: ["scope"],
  },
  oauth2_password: {
    needed: ["token_url", "username", "password"],
    optional: ["client_id", "client_secret", "scope"],
  },
  api_key_header: { needed: ["name", "value"], optional: [] },
};

/** What a person says of a fleet source. */
export interface SourceForm {
  readonly url: string;
  /** Empty: the host of the URL. */
  readonly name: string;
  /** Seconds between two polls; empty: that of the service. */
  readonly interval: string;
  readonly series: readonly Series[];
  /** `keep`: the stored credentials, which are never shown. */
  readonly auth: AuthKind | "keep";
  readonly parts: Readonly<Partial<Record<AuthPart, string>>>;
}

export const EMPTY: SourceForm = {
  ...{ url: "", name: "", interval: "", series: [], auth: "none", parts: {} },
};

export const formOf = ({ url, name, interval_s, series }: FleetSource): SourceForm => ({
  ...{ url, name, interval: String(interval_s), series, auth: "keep", parts: {} },
});

function authOf(kind: AuthKind, parts: SourceForm["parts"]): GivenAuth {
  const { needed, optional } = KINDS[kind];
  const given = [
    ...needed.map((part) => [part, parts[part] ?? ""] as const),
    ...optional.flatMap((part) => {
      const text = parts[part] ?? "";
      return text === "" ? [] : [[part, text] as const];
    }),
  ];
  // `KINDS` has the parts of each kind; the service names one that it lacks.
  return { kind, ...Object.fromEntries(given) } as GivenAuth;
}

const common = ({ url, name, interval, series }: SourceForm) => ({
  url: url.trim(),
  ...(name.trim() === "" ? {} : { name: name.trim() }),
  ...(interval.trim() === "" ? {} : { interval_s: neededNumber(interval) }),
  series: [...series],
});

export const newSourceOf = (form: SourceForm): NewFleetSource => ({
  ...common(form),
  ...(form.auth === "keep" ? {} : { auth: authOf(form.auth, form.parts) }),
});

export const changeOf = (form: SourceForm): SourceChange => newSourceOf(form);
