/** One value of a metric. Labels are formatted, such as `site="content"`; empty for none. */
export type MetricSample = readonly [labels: string, value: number];

/** A metric and its values. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** Formats a metric as lines of Prometheus's text format, version 0.0.4; no lines if it has no values. */
export function formatMetric({ help, name, samples, type }: Metric): readonly string[] {
  if (samples.length === 0) return [];
  const lines = samples.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
