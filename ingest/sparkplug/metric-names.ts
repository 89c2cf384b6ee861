import type { SparkplugMetric } from "../decoders/sparkplug/payload.ts";
import type { NamedMetric } from "../decoders/sparkplug/readings.ts";

/** Bytes that one metric weighs beside its texts: its places in two maps. Estimated. */
const METRIC_BYTES = 150;

/** What one birth declared of its metrics: the names behind the aliases, datatypes and units. */
export class MetricNames {
  readonly #byName = new Map<string, NamedMetric>();
  readonly #byAlias = new Map<number, NamedMetric>();
  /** Memory that it takes, about. */
  readonly bytes: number;

  constructor(metrics: readonly SparkplugMetric[]) {
    let bytes = 0;
    for (const { name, alias, datatype, unit } of metrics) {
      if (name === undefined) continue;
      const born = { name, datatype, unit };
      this.#byName.set(name, born);
      if (alias !== undefined) this.#byAlias.set(alias, born);
      bytes += METRIC_BYTES + (name.length + (unit?.length ?? 0)) * 2;
    }
    this.bytes = bytes;
  }

  get count(): number {
    return this.#byName.size;
  }

  /** What the metric is; `undefined`: no birth said that, and it does not say it itself. */
  find(metric: SparkplugMetric): NamedMetric | undefined {
    const { name, alias } = metric;
    if (name === undefined) return alias === undefined ? undefined : this.#byAlias.get(alias);
    return this.#byName.get(name) ?? selfExplained(metric);
  }

  /** Whether another birth names the same metrics of the same types; aliases do not matter. */
  isLike(other: MetricNames): boolean {
    if (this.count !== other.count) return false;
    for (const [name, { datatype }] of this.#byName) {
      const born = other.#byName.get(name);
      if (born === undefined || born.datatype !== datatype) return false;
    }
    return true;
  }
}

/**
 * What a metric is by itself. `undefined` where it needs a birth: without its name, or for a whole number
 * of unknown signedness.
 */
export function selfExplained(metric: SparkplugMetric): NamedMetric | undefined {
  const { name, datatype, unit, value } = metric;
  if (name === undefined) return undefined;
  if (datatype === undefined && Number.isInteger(value)) return undefined;
  return { name, datatype, unit };
}
