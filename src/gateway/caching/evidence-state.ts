import {
  type Evidence,
  type KindEvidence,
  type PatternEvidence,
  type PatternVariation,
  VALIDATOR_COUNTS,
} from '../../cache/dependencies/evidence.ts';
import {
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  matchesExample,
  toJsonObject,
} from '../../json.ts';

/** Converts the evidence about dependencies to the content of a stored state. */
export function evidenceToJson({ kinds, validators, variations, version }: Evidence): object {
  return {
    document: version,
    kinds: Array.from(kinds, ([write, { patterns, resources, ...counts }]) => ({
      ...counts,
      write,
      resources: [...resources],
      patterns: Array.from(patterns, ([read, { keys, ...pattern }]) => ({
        ...pattern,
        read,
        keys: [...keys],
      })),
    })),
    variations: Array.from(variations, ([read, { places, ...counts }]) => ({
      ...counts,
      read,
      places: Array.from(places, ([place, count]) => ({ place, count })),
    })),
    validators: Object.fromEntries(validators.entries()),
  };
}

/**
 * Adds stored evidence to the evidence collected since, if the document is the same.
 *
 * @returns false if it is malformed, in which case nothing is added
 */
export function restoreEvidence(
  { document, kinds, validators, variations }: JsonObject,
  evidence: Evidence,
): boolean {
  if (!Array.isArray(kinds) || typeof document !== 'string') return false;
  evidence.restore({
    version: document,
    kinds: new Map(kinds.flatMap(parseKind)),
    variations: new Map(jsonItems(variations).flatMap(parseVariation)),
    validators: new Map(
      jsonMembers(validators).flatMap(([read, seen]) =>
        VALIDATOR_COUNTS.flatMap((count) => (count === seen ? [[read, count]] : [])),
      ),
    ),
  });
  return true;
}

const KIND = { write: '', mistakes: 0, writes: 0, resources: [0] };
const PATTERN = { read: '', same: 0, changes: 0, checked: 0, keys: [0] };
const VARIATION = { read: '', compared: 0, changed: 0, places: [{ place: 0, count: 0 }] };
const EXAMPLE = { page: '', write: '', time: 0 };

function parseKind(stored: Json): readonly (readonly [write: string, KindEvidence])[] {
  if (!matchesExample(stored, KIND)) return [];
  const { mistakes, resources, write, writes } = stored;
  if (![mistakes, writes].every(isCount)) return [];
  const patterns = new Map(jsonItems(toJsonObject(stored)['patterns']).flatMap(parsePattern));
  return [[write, { mistakes, writes, resources: new Set(resources), patterns }]];
}

function parsePattern(stored: Json): readonly (readonly [read: string, PatternEvidence])[] {
  if (!matchesExample(stored, PATTERN)) return [];
  const { changes, checked, keys, read, same } = stored;
  if (![same, changes, checked].every(isCount)) return [];
  const { example } = toJsonObject(stored);
  const known = matchesExample(example, EXAMPLE) ? example : null;
  return [[read, { same, changes, checked, keys: new Set(keys), example: known }]];
}

function parseVariation(stored: Json): readonly (readonly [read: string, PatternVariation])[] {
  if (!matchesExample(stored, VARIATION)) return [];
  const { changed, compared, places, read } = stored;
  if (![compared, changed, ...places.map(({ count }) => count)].every(isCount)) return [];
  return [[read, { compared, changed, places: new Map(places.map(({ count, place }) => [place, count])) }]];
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
