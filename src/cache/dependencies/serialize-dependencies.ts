import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { DependencyLearning } from './dependency-learning.ts';
import type { PairEvidence } from './pair-evidence.ts';

/** Version of the stored format. State of another version is rejected. */
const FORMAT_VERSION = 1;

/**
 * Serialises the evidence about dependencies as JSON.
 *
 * @param site URL of the site that it was collected at
 */
export function serializeDependencies(site: string, { documentVersion, pairs }: DependencyLearning): string {
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
  return `${JSON.stringify({ format: FORMAT_VERSION, site, document: documentVersion, pairs: stored })}\n`;
}

/**
 * Adds stored evidence to the evidence collected since, unless it is about another document.
 *
 * @returns `null`, or the reason why the text is unusable, in which case nothing is added
 */
export function restoreDependencies(text: string, site: string, learning: DependencyLearning): string | null {
  let state: Json;
  try {
    state = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isJsonObject(state)) return 'it is not an object';
  const { document, format, pairs } = state;
  if (format !== FORMAT_VERSION) return `its format is ${JSON.stringify(format) ?? 'not stated'}`;
  if (state['site'] !== site) return 'it is the state of another site';
  if (!Array.isArray(pairs) || typeof document !== 'string') return 'its pairs are malformed';
  const parsed = pairs.map(parsePair);
  if (!parsed.every((pair) => pair !== null)) return 'its pairs are malformed';
  learning.restore(document, parsed);
  return null;
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
