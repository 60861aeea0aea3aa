import { getUse, type RuleStatus } from '../validation/evidence/rule-knowledge.ts';
import { toRuleKey } from '../validation/evidence/rule-stats.ts';
import type { Probe } from './draw-probes.ts';
import type { ProbeEndpoint } from './endpoints.ts';

/** Probes of one rule, and the endpoint that they are sent to. */
export type EndpointProbes = readonly [endpoint: ProbeEndpoint, probes: readonly Probe[]];

/** Maximum number of endpoints that read or write, whose arguments are probed for one definition before a contradiction. */
const MAX_ENDPOINTS = 6;
/** Number of probes of one rule, if the definition has so many values or endpoints. */
const PROBES_PER_RULE = 4;

/** Returns what is known of the rule of these probes. */
export function getStatus([probe]: readonly Probe[]): RuleStatus {
  return probe === undefined ? 'unknown' : probe.endpoint.lookup.getStatus(probe.rule);
}

/** Counts the requests that have violated the rule of these probes, at all their endpoints. */
export function countViolations(probes: readonly EndpointProbes[]): number {
  const counts = probes.map(([{ stats }, [probe]]) =>
    probe === undefined ? 0 : (stats.rules.get(toRuleKey(probe.rule))?.broken ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Whether nothing remains to be found out about the rule of these probes at their endpoint. */
export function isKnown(probes: readonly Probe[]): boolean {
  const [probe] = probes;
  const status = getStatus(probes);
  if (probe === undefined || status !== 'suspended') return status !== 'unknown';
  // The rule was contradicted at another endpoint of the definition, and is not yet confirmed at this one.
  return (probe.endpoint.stats.rules.get(toRuleKey(probe.rule))?.disagreed ?? 0) > 0;
}

/** Selects probes of endpoints that read, and of endpoints that write. */
export function toSequence(endpoints: readonly EndpointProbes[]): readonly Probe[] {
  return (['read', 'write'] as const).flatMap((use) =>
    takeInTurn(
      endpoints
        .filter(([{ operation }]) => getUse(operation.method) === use)
        .slice(0, MAX_ENDPOINTS)
        .map(([, probes]) => probes),
    ),
  );
}

/** Takes one probe of each list in turn, with different values, until each list and enough values are included. */
function takeInTurn(lists: readonly (readonly Probe[])[]): readonly Probe[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const count = Math.max(lists.length, Math.min(PROBES_PER_RULE, longest));
  const sequence = new Set<Probe>();
  for (let at = 0; at < count; at += 1) {
    const list = lists[at % lists.length] ?? [];
    const probe = list[at % list.length];
    if (probe !== undefined) sequence.add(probe);
  }
  return [...sequence];
}

/** Orders endpoints so that the first ones differ in route and method. */
export function spread(endpoints: readonly ProbeEndpoint[]): readonly ProbeEndpoint[] {
  const seen = new Set<string>();
  const isNew = ({ operation, route }: ProbeEndpoint): boolean => {
    const resource = route.pattern.replaceAll(/\(.*$/g, '');
    const key = `${getUse(operation.method)} ${resource}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
  const first = endpoints.filter(isNew);
  return [...new Set([...first, ...endpoints])];
}
