/** An answer that is on its way, and how to do without it. */
interface Early {
  readonly answer: Promise<Response>;
  readonly giveUp: () => void;
}

/** By address. */
const asked = new Map<string, Early>();

/**
 * Asks whose session this is, and for what its page will need, before the code of the page is there. Each answer is
 * for the first request of its address. What is not taken before the session ends, or another one begins, is
 * forgotten, and so is all of it where the service tells no session: another key may see something else.
 */
export function askEarly(session: string, others: readonly string[]): void {
  const { answer } = ask(session);
  for (const path of others) ask(path);
  answer.then(({ ok }) => ok || forgetEarly(), forgetEarly);
}

function ask(path: string): Early {
  const abort = new AbortController();
  const headers = { "x-plumbline-console": "1" };
  const answer = fetch(path, { headers, signal: abort.signal });
  // A failure is for who takes it.
  answer.catch(() => undefined);
  const early = { answer, giveUp: () => abort.abort() };
  asked.set(new URL(path, location.origin).href, early);
  return early;
}

/** The answer to a request, if it was asked for early and nobody has it yet. */
export function takeEarly({ method, url }: Request): Promise<Response> | undefined {
  if (method !== "GET") return undefined;
  const early = asked.get(url);
  asked.delete(url);
  return early?.answer;
}

/** Forgets what nobody has taken. */
export function forgetEarly(): void {
  for (const { giveUp } of asked.values()) giveUp();
  asked.clear();
}
