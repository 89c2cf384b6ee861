import { Type } from "typebox";
import { SessionId } from "../../../domain/ids.ts";
import { ApiKey } from "../../../domain/platform/api-key.ts";

const { name, scopes, plan, project_ids } = ApiKey.properties;

/** Longest text that is compared with keys: those of ours have 45 characters, that of the environment any number. */
const MAX_KEY_LENGTH = 1_024;

export const NewSession = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      description: "An API key; the session has its rights, whatever they are at each request",
    }),
  },
  { title: "NewSession" },
);

const fields = {
  id: SessionId,
  key_id: Type.String({ description: "`admin`: the key of ADMIN_API_KEY" }),
  key_name: name,
  created_at: Type.String({ format: "date-time" }),
  last_seen_at: Type.String({
    format: "date-time",
    description: "Last request, up to a minute ago",
  }),
  expires_at: Type.String({
    format: "date-time",
    description:
      "End of the session without another request: 12 h after the last one, 30 days after the log-in, or when the key expires",
  }),
};

/** The session of a request. */
export const OwnSession = Type.Object(
  {
    ...fields,
    scopes: Type.Array(scopes.items, { description: "Every scope it has, with those of admin" }),
    plan,
    project_ids,
    requests_per_minute: Type.Integer({
      description: "Of this session, over all areas; X-RateLimit-* counts them",
    }),
  },
  { title: "OwnSession" },
);

/** A session, as an administrator sees it. */
export const SessionEntry = Type.Object(
  {
    ...fields,
    address: Type.String({ description: "IP address of the log-in" }),
    user_agent: Type.String({ description: "`User-Agent` of the log-in; may be empty" }),
    current: Type.Boolean({ description: "Whether it is the session of this request" }),
  },
  { title: "Session" },
);
