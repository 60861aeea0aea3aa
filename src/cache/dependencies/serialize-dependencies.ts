import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { DependencyLearning } from './dependency-learning.ts';
import type { PairEvidence } from './pair-evidence.ts';

/** Converts the evidence about dependencies to the content of a stored state. */
export function dependenciesToJson({ documentVersion, pairs }: DependencyLearning): object {
  const stored = Array.from(
    pairs,
    ({ isIndependent, keys, readKind, resources, uses, writeKind, ...counts }) => ({
      write: writeKind,
      read: readKind,
      independent: isIndependent,
      ...counts,
      resources: [...resources],
      keys: [...keys],
    }),
  );
  return { document: documentVersion, pairs: stored };
}

/**
 * Adds stored evidence to the evidence collected since, unless it is about another document.
 *
 * @returns false if it is malformed, in which case nothing is added
 */
export function restoreDependencies({ document, pairs }: JsonObject, learning: DependencyLearning): boolean {
  if (!Array.isArray(pairs) || typeof document !== 'string') return false;
  learning.restore(
    document,
    pairs.map(parsePair).filter((pair) => pair !== null),
  );
  return true;
}

function parsePair(value: Json): PairEvidence | null {
  if (!isJsonObject(value)) return null;
  const { read, write, independent } = value;
  const [observations, changes] = [readCount(value, 'observations'), readCount(value, 'changes')];
  const [resources, keys] = [readNumbers(value, 'resources'), readNumbers(value, 'keys')];
  if (typeof read !== 'string' || typeof write !== 'string' || typeof independent !== 'boolean') return null;
  if (observations === null || changes === null || resources === null || keys === null) return null;
  return {
    writeKind: write,
    readKind: read,
    observations,
    changes,
    resources: new Set(resources),
    keys: new Set(keys),
    isIndependent: independent,
    uses: 0,
  };
}

function readCount(pair: JsonObject, name: string): number | null {
  const value = pair[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function readNumbers(pair: JsonObject, name: string): readonly number[] | null {
  const value = pair[name];
  if (!Array.isArray(value)) return null;
  const numbers = value.filter((each) => typeof each === 'number');
  return numbers.length === value.length ? numbers : null;
}
