// Preload of a service under comparison: its clock is another one by a constant, so that both checkouts see the
// same inputs at the same age, whenever the comparison runs. Worker threads load it by NODE_OPTIONS too.
const offsetMs = Number(process.env.SAME_FIGURES_CLOCK_OFFSET_MS);
if (!Number.isFinite(offsetMs)) throw new Error("SAME_FIGURES_CLOCK_OFFSET_MS is not a number");

const Real = Date;
const now = () => Real.now() + offsetMs;
globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
Real.prototype.constructor = globalThis.Date;
