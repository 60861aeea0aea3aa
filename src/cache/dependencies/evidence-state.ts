import { type Json, type JsonObject, jsonItems, matchesExample, toJsonObject } from '../../json.ts';
import type { Evidence, KindEvidence, PatternEvidence } from './evidence.ts';

/** Converts the evidence about dependencies to the content of a stored state. */
export function evidenceToJson({ kinds, version }: Evidence): object {
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
  };
}

/**
 * Adds stored evidence to the evidence collected since, if the document is the same.
 *
 * @returns false if it is malformed, in which case nothing is added
 */
export function restoreEvidence({ document, kinds }: JsonObject, evidence: Evidence): boolean {
  if (!Array.isArray(kinds) || typeof document !== 'string') return false;
  evidence.restore({ version: document, kinds: new Map(kinds.flatMap(parseKind)) });
  return true;
}

const KIND = { write: '', compared: 0, mistakes: 0, writes: 0, resources: [0] };
const PATTERN = { read: '', same: 0, changes: 0, checked: 0, keys: [0] };
const EXAMPLE = { page: '', write: '', time: 0 };

function parseKind(stored: Json): readonly (readonly [write: string, KindEvidence])[] {
  if (!matchesExample(stored, KIND)) return [];
  const { compared, mistakes, resources, write, writes } = stored;
  if (![compared, mistakes, writes].every(isCount)) return [];
  const patterns = new Map(jsonItems(toJsonObject(stored)['patterns']).flatMap(parsePattern));
  return [[write, { compared, mistakes, writes, resources: new Set(resources), patterns }]];
}

function parsePattern(stored: Json): readonly (readonly [read: string, PatternEvidence])[] {
  if (!matchesExample(stored, PATTERN)) return [];
  const { changes, checked, keys, read, same } = stored;
  if (![same, changes, checked].every(isCount)) return [];
  const { example } = toJsonObject(stored);
  const known = matchesExample(example, EXAMPLE) ? example : null;
  return [[read, { same, changes, checked, keys: new Set(keys), example: known }]];
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
