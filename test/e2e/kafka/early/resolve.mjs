const CONTROL = new URL("./kafka-log.mjs", import.meta.url);

/** Gives the program the control's log, which finds the program's own by `real`. */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const isAsked = /\/storage\/open-shared\.[jt]s/.test(context.parentURL ?? "");
  if (!isAsked || !/\/storage\/kafka\/kafka-log\.[jt]s/.test(resolved.url)) return resolved;
  const control = new URL(CONTROL);
  control.searchParams.set("real", resolved.url);
  return { url: control.href, format: "module", shortCircuit: true };
}
