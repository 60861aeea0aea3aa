import type { Json, JsonObject } from '../json.ts';
import type { Note } from './findings.ts';
import { below, isList, member, type Position, shown } from './values.ts';

/** The namespaces that an index states: `undefined` where it states none that can be read. */
export function readNamespaces(index: JsonObject, note: Note): readonly string[] | undefined {
  const value = member(index, 'namespaces');
  const position = { pointer: '/namespaces' };
  if (!isList(value)) {
    note('namespaces-not-a-list', { ...position, detail: `It is ${shown(value)}.` });
    return undefined;
  }
  const namespaces = new Set<string>();
  for (const [at, item] of value.entries()) {
    if (typeof item !== 'string' || item === '') {
      note('namespace-not-a-string', { ...below(position, at), detail: `It is ${shown(item)}.` });
    } else if (namespaces.has(item)) {
      note('namespace-duplicate', { ...below(position, at), detail: `It is ${shown(item)}.` });
    } else {
      namespaces.add(item);
    }
  }
  return [...namespaces];
}

/**
 * The namespace of a route: what the index says, or else the longest listed one that the pattern begins with, or else
 * the pattern's first segments. A stated empty one stands: `/` and `/batch/v1` belong to none.
 */
export function namespaceOf(
  pattern: string,
  stated: Json | undefined,
  listed: ReadonlySet<string>,
  position: Position,
  note: Note,
): string {
  if (typeof stated === 'string') return stated;
  const namespace = longestListed(pattern, listed) ?? fromPattern(pattern);
  note('namespace-missing', { ...below(position, 'namespace'), detail: `Taken for "${namespace}".` });
  return namespace;
}

/** Namespaces have two segments, or rarely three; looking at more would cost a hostile pattern's square. */
const MOST_SEGMENTS = 8;

function longestListed(pattern: string, listed: ReadonlySet<string>): string | undefined {
  let longest: string | undefined;
  let end = 0;
  for (let segments = 0; segments < MOST_SEGMENTS && end !== -1; segments += 1) {
    end = pattern.indexOf('/', end + 1);
    const prefix = pattern.slice(1, end === -1 ? undefined : end);
    if (listed.has(prefix)) longest = prefix;
  }
  return longest;
}

/** `/shop/v3/orders/(?P<id>…)` → `shop/v3`; a second segment that is no version is no part of it. */
function fromPattern(pattern: string): string {
  const [, vendor = '', version = ''] =
    /^\/([\w.-]{1,100})(?:\/([\w.-]{1,100}))?(?=\/|$)/.exec(pattern) ?? [];
  return /^v?\d/i.test(version) ? `${vendor}/${version}` : vendor;
}
