import type { Json } from '../../json.ts';
import { phpArrayToJson } from '../../php/byte-string.ts';
import { MAX_INPUT_VARS, parseQueryPairs } from '../../php/query.ts';
import { type PhpArray, type PhpValue, parsePhpQuery } from '../../php/variables.ts';
import { createNameMatcher, IGNORED_PARAMETERS } from './ignorable-names.ts';

/** What the document says of a parameter, in as far as a key needs it. */
export interface DeclaredParameter {
  /** The value as its type, where it is valid; undefined where it is not, and the site sees it as it stands. */
  normalise(value: Json): Json | undefined;
  /** What an absent one means. */
  readonly default?: Json | undefined;
}

/** A query as the site reads it: by name, whatever its order and spelling. */
export interface CanonicalQuery {
  /** Equal for two queries exactly where the site reads the same from both. */
  readonly key: string;
  /** The values of the declared parameters that are given and valid, and as text of the undeclared. */
  readonly values: ReadonlyMap<string, Json>;
}

export interface QueryCanonicalizerOptions {
  /** Parameters that mean nothing, beside {@link IGNORED_PARAMETERS}. */
  readonly ignoreParameters?: readonly string[];
}

export interface QueryCanonicalizer {
  /**
   * Null where the query holds more variables than PHP reads by default: sites raise that, so nobody can tell what they read.
   *
   * @param declared by name; a parameter that the operation declares is never ignored
   */
  canonicalize(query: string, declared: ReadonlyMap<string, DeclaredParameter>): CanonicalQuery | null;
  /** The query without the pairs that mean nothing, otherwise byte for byte: what goes to the site, and comes back in its links. */
  stripIgnored(query: string, declared: ReadonlyMap<string, DeclaredParameter>): string;
}

const NOTHING: CanonicalQuery = { key: '', values: new Map() };

/** One entry of a key: `[name, 0, as it stands]` or `[name, 1, as its type]`, so that no value of one is one of the other. */
type Entry = readonly [name: string, typed: 0 | 1, value: Json];

export function createQueryCanonicalizer(options: QueryCanonicalizerOptions = {}): QueryCanonicalizer {
  const isIgnored = createNameMatcher([...IGNORED_PARAMETERS, ...(options.ignoreParameters ?? [])]);

  return {
    canonicalize(query, declared) {
      if (query === '') return NOTHING;
      if (parseQueryPairs(query, MAX_INPUT_VARS).length >= MAX_INPUT_VARS) return null;
      const given = parsePhpQuery(query);
      if (given.size === 0) return NOTHING;
      const decoded = phpArrayToJson(given);
      const entries: Entry[] = [];
      const values = new Map<string, Json>();
      // The names of both are in one order.
      const decodedNames = [...decoded.keys()];
      for (const [at, [name, raw]] of [...given].entries()) {
        const decodedName = decodedNames[at] ?? name;
        const parameter = declared.get(decodedName);
        const value = decoded.get(decodedName);
        if (parameter === undefined && isIgnored(name)) continue;
        const typed =
          parameter === undefined || value === undefined || !isExact(raw)
            ? undefined
            : parameter.normalise(value);
        if (typed === undefined || !isFaithful(typed)) {
          entries.push([name, 0, standing(raw)]);
          if (value !== undefined) values.set(decodedName, value);
          continue;
        }
        values.set(decodedName, typed);
        if (parameter?.default !== undefined && isSame(typed, parameter.default)) continue;
        entries.push([name, 1, typed]);
      }
      entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      return { key: entries.length === 0 ? '' : JSON.stringify(entries), values };
    },
    stripIgnored(query, declared) {
      if (query === '') return query;
      const pairs = parseQueryPairs(query);
      const kept = pairs.filter(({ name }) => name !== '' && (declared.has(name) || !isIgnored(name)));
      return kept.length === pairs.length ? query : kept.map(({ raw }) => raw).join('&');
    },
  };
}

/** A value as it stands: arrays as pairs, for the order of a PHP array is part of it and `1` is not `01`. */
function standing(value: PhpValue): Json {
  return typeof value === 'string' ? value : pairsOf(value);
}

function pairsOf(array: PhpArray): Json {
  return [...array].map(([key, value]) => [key, standing(value)]);
}

/** Bytes that are no UTF-8 all decode to U+FFFD, and two of them are not one. */
function isExact(value: PhpValue): boolean {
  if (typeof value !== 'string') return [...value].every(([key, each]) => isExact(key) && isExact(each));
  return !/[^\0-\x7f]/.test(value) || !decodesLossily(value);
}

function decodesLossily(bytes: string): boolean {
  const [text] = phpArrayToJson(new Map([['', bytes]])).values();
  return typeof text !== 'string' || text.includes('\ufffd');
}

/** PHP counts in 64 bits, JavaScript exactly in 53: beyond, two numbers of the site would be one here. */
function isFaithful(value: Json): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isFaithful);
}

function isSame(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
