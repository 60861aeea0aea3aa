import { matchesExample } from '../../../base/json.ts';
import { detachString } from '../../../base/memoize.ts';
import type { Clock } from '../../../base/ports.ts';
import { runInSlices } from '../../../base/steps.ts';
import { shorten } from '../../../base/text.ts';
import { compareDocumentsInSteps } from '../../../generator/changes/compare-documents.ts';
import { countChanges } from '../../../generator/changes/context.ts';
import type { Snapshot } from './snapshot.ts';

/** Texts of a bounded length, so that neither document is kept. */
export interface DocumentChanges {
  readonly time: number;
  /** E.g. `2 breaking changes, 1 other change`. */
  readonly summary: string;
  /** The worst first. */
  readonly changes: readonly ListedChange[];
  /** Number of changes that are not listed. */
  readonly more: number;
}

interface ListedChange {
  readonly severity: string;
  /** First operations that it concerns, e.g. `GET /wp/v2/posts`. */
  readonly operations: readonly string[];
  /** Number of other operations. */
  readonly others: number;
  readonly text: string;
}

const EXAMPLE = {
  time: 0,
  summary: '',
  changes: [{ severity: '', operations: [''], others: 0, text: '' }],
  more: 0,
};

export const MAX_REPLACEMENTS = 20;
/** For each replacement: all of a site's take at most 320,000 characters. */
const MAX_CHARACTERS = 16_000;
/** Of a `Date` (ECMA-262). */
const MAX_TIME = 8.64e15;
const MAX_OPERATIONS = 20;
const MAX_OPERATION_LENGTH = 120;
const MAX_TEXT_LENGTH = 300;

/** @returns `null` without an earlier document, or if only texts or data for the gateway changed */
export async function listDocumentChanges(
  before: Snapshot | null,
  after: Snapshot,
  clock: Clock,
  signal: AbortSignal,
): Promise<DocumentChanges | null> {
  const [from, to] = [before?.documented?.document, after.documented?.document];
  if (from === undefined || to === undefined) return null;
  const comparison = await runInSlices(compareDocumentsInSteps(from, to), clock, signal);
  const { changes, omitted } = comparison;
  if (changes.length === 0) return null;
  const listed: ListedChange[] = [];
  let characters = 0;
  for (const { operations, severity, subject, text } of changes) {
    const named = operations.slice(0, MAX_OPERATIONS);
    const change = {
      severity,
      operations: named.map((operation) => cut(operation, MAX_OPERATION_LENGTH)),
      others: operations.length - named.length,
      text: cut([subject, text].filter((part) => part !== '').join(': '), MAX_TEXT_LENGTH),
    };
    characters += JSON.stringify(change).length;
    if (characters > MAX_CHARACTERS) break;
    listed.push(change);
  }
  const more = changes.length - listed.length + omitted;
  return { time: clock.now(), summary: countChanges(comparison), changes: listed, more };
}

function cut(text: string, maxLength: number): string {
  return detachString(shorten(text, maxLength));
}

/** Reads what an earlier process kept; an empty list if unusable. */
export function readDocumentChanges(value: unknown): readonly DocumentChanges[] {
  return matchesExample(value, [EXAMPLE]) && value.every(({ time }) => Math.abs(time) <= MAX_TIME)
    ? value.slice(0, MAX_REPLACEMENTS)
    : [];
}
