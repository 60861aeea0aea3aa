import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import type { CounterExample, Evidence, KindEvidence, PatternEvidence } from './evidence.ts';

/** Converts the evidence about dependencies to the content of a stored state. */
export function evidenceToJson({ contents, kinds }: Evidence): object {
  return {
    kinds: Array.from(kinds, ([write, { patterns, resources, ...counts }]) => ({
      ...counts,
      write,
      content: contents?.ofWrite(write) ?? '',
      resources: [...resources],
      patterns: Array.from(patterns, ([read, { keys, ...pattern }]) => ({
        ...pattern,
        read,
        content: contents?.ofRead(read) ?? '',
        keys: [...keys],
      })),
    })),
  };
}

/**
 * Adds stored evidence to the evidence collected since, except what is about operations that have changed.
 *
 * @returns false if it is malformed, in which case nothing is added
 */
export function restoreEvidence({ kinds }: JsonObject, evidence: Evidence): boolean {
  if (!Array.isArray(kinds)) return false;
  evidence.restoreWith(({ ofRead, ofWrite }) => {
    for (const stored of kinds) {
      const kind = parseKind(stored, ofRead);
      if (!isJsonObject(stored) || kind === null) continue;
      const { content, write } = stored;
      // What was observed since the start of this process is newer.
      if (typeof write !== 'string' || ofWrite(write) !== content || evidence.kinds.has(write)) continue;
      evidence.kinds.set(write, kind);
    }
  });
  return true;
}

function parseKind(value: Json, ofRead: (routeClass: string) => string): KindEvidence | null {
  if (!isJsonObject(value)) return null;
  const [compared, mistakes, writes] = readCounts(value, ['compared', 'mistakes', 'writes']);
  const resources = readNumbers(value, 'resources');
  if (compared === undefined || mistakes === undefined || writes === undefined || resources === null)
    return null;
  const patterns = new Map<string, PatternEvidence>();
  for (const stored of jsonItems(value['patterns'])) {
    const pattern = parsePattern(stored);
    if (!isJsonObject(stored) || pattern === null) continue;
    const { content, read } = stored;
    if (typeof read === 'string' && ofRead(read) === content) patterns.set(read, pattern);
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
