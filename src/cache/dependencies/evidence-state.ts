import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import type { CounterExample, Evidence, KindEvidence, PatternEvidence } from './evidence.ts';

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
  const parsed = kinds.flatMap((stored) => {
    const [write, kind] = [isJsonObject(stored) ? stored['write'] : undefined, parseKind(stored)];
    return typeof write === 'string' && kind !== null ? [[write, kind] as const] : [];
  });
  evidence.restore({ version: document, kinds: new Map(parsed) });
  return true;
}

function parseKind(value: Json): KindEvidence | null {
  if (!isJsonObject(value)) return null;
  const [compared, mistakes, writes] = readCounts(value, ['compared', 'mistakes', 'writes']);
  const resources = readNumbers(value, 'resources');
  if (compared === undefined || mistakes === undefined || writes === undefined || resources === null)
    return null;
  const patterns = new Map<string, PatternEvidence>();
  for (const stored of jsonItems(value['patterns'])) {
    const [read, pattern] = [isJsonObject(stored) ? stored['read'] : undefined, parsePattern(stored)];
    if (typeof read === 'string' && pattern !== null) patterns.set(read, pattern);
  }
  return { compared, mistakes, writes, resources, patterns };
}

function parsePattern(value: Json): PatternEvidence | null {
  if (!isJsonObject(value)) return null;
  const [same, changes, checked] = readCounts(value, ['same', 'changes', 'checked']);
  const keys = readNumbers(value, 'keys');
  if (same === undefined || changes === undefined || checked === undefined || keys === null) return null;
  return { same, changes, checked, keys, example: parseExample(value['example']) };
}

function parseExample(value: Json | undefined): CounterExample | null {
  const { page, time, write } = isJsonObject(value) ? value : {};
  const isExample = typeof page === 'string' && typeof write === 'string' && typeof time === 'number';
  return isExample ? { page, write, time } : null;
}

function readCounts(value: JsonObject, names: readonly string[]): readonly (number | undefined)[] {
  return names.map((name) => {
    const count = value[name];
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  });
}

function readNumbers(value: JsonObject, name: string): Set<number> | null {
  const items = jsonItems(value[name]);
  const numbers = items.filter((each) => typeof each === 'number');
  return Array.isArray(value[name]) && numbers.length === items.length ? new Set(numbers) : null;
}
