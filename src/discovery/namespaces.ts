import type { Json, JsonObject } from '../json.ts';
import type { RuleReporter } from './diagnostic-collector.ts';
import { childPosition, describeValue, type IndexPosition, isJsonArray, ownMember } from './index-values.ts';

/** Reads the list of namespaces. Returns `undefined` if the index has no such list. */
export function readNamespaceList(index: JsonObject, report: RuleReporter): readonly string[] | undefined {
  const value = ownMember(index, 'namespaces');
  const position = { pointer: '/namespaces' };
  if (!isJsonArray(value)) {
    report('namespaces-not-a-list', { ...position, detail: `Value: ${describeValue(value)}.` });
    return undefined;
  }
  const namespaces = new Set<string>();
  for (const [at, item] of value.entries()) {
    if (typeof item !== 'string' || item === '') {
      report('namespace-not-a-string', {
        ...childPosition(position, at),
        detail: `Value: ${describeValue(item)}.`,
      });
    } else if (namespaces.has(item)) {
      report('namespace-duplicate', {
        ...childPosition(position, at),
        detail: `Value: ${describeValue(item)}.`,
      });
    } else {
      namespaces.add(item);
    }
  }
  return [...namespaces];
}

/**
 * Determines the namespace of a route: the stated one, else the longest listed namespace that the pattern begins with,
 * else the first segments of the pattern. A stated empty string is kept: `/` and `/batch/v1` have no namespace.
 */
export function resolveRouteNamespace(
  pattern: string,
  stated: Json | undefined,
  listed: ReadonlySet<string>,
  position: IndexPosition,
  report: RuleReporter,
): string {
  if (typeof stated === 'string') return stated;
  const namespace = longestListedPrefix(pattern, listed) ?? namespaceFromPattern(pattern);
  report('namespace-missing', {
    ...childPosition(position, 'namespace'),
    detail: `Derived: "${namespace}".`,
  });
  return namespace;
}

/** Namespaces have two segments, rarely three. Without a limit a hostile pattern would cost quadratic time. */
const MAX_SEGMENTS = 8;

function longestListedPrefix(pattern: string, listed: ReadonlySet<string>): string | undefined {
  let longest: string | undefined;
  let end = 0;
  for (let segments = 0; segments < MAX_SEGMENTS && end !== -1; segments += 1) {
    end = pattern.indexOf('/', end + 1);
    const prefix = pattern.slice(1, end === -1 ? undefined : end);
    if (listed.has(prefix)) longest = prefix;
  }
  return longest;
}

/** `/shop/v3/orders/(?P<id>…)` → `shop/v3`. The second segment is included only if it is a version. */
function namespaceFromPattern(pattern: string): string {
  const [, vendor = '', version = ''] =
    /^\/([\w.-]{1,100})(?:\/([\w.-]{1,100}))?(?=\/|$)/.exec(pattern) ?? [];
  return /^v?\d/i.test(version) ? `${vendor}/${version}` : vendor;
}
