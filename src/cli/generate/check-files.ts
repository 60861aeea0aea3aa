import { join, resolve } from 'node:path';
import { isReadAsUser } from '../../base/document-extensions.ts';
import { compareDocuments } from '../../generator/changes/compare-documents.ts';
import { type ComparisonResult, countChanges, formatChanges } from '../../generator/changes/context.ts';
import { readFileIfPresent } from '../output-files.ts';
import type { JobResult } from './run-job.ts';

interface StaleFile {
  readonly path: string;
  readonly state: 'missing' | 'stale';
}

interface FileCheck {
  /** A changed title or description of the site makes no file stale. */
  readonly stale: readonly StaleFile[];
  readonly comparison: ComparisonResult;
  readonly incomparable?: string;
  readonly files: number;
}

const NO_CHANGES: ComparisonResult = { changes: [], omitted: 0 };

export async function checkFiles(result: JobResult, cwd: string): Promise<FileCheck> {
  const { document, files, name: base, out, report, stored } = result;
  const stale: StaleFile[] = [];
  for (const [name, print] of files) {
    const path = join(out, name);
    // Git on Windows checks files out with CRLF.
    const current = (await readFileIfPresent(resolve(cwd, path)))?.replaceAll('\r\n', '\n') ?? null;
    const text = [...(await print())].join('');
    const isFresh = current === text || (current !== null && readTokens(current) === readTokens(text));
    if (!isFresh) stale.push({ path, state: current === null ? 'missing' : 'stale' });
  }
  if (stored === undefined || report === undefined) {
    const incomparable = `What changed is unknown, because ${join(out, `${base}.openapi.json`)} has no earlier version that can be compared.`;
    return { stale, comparison: NO_CHANGES, incomparable, files: files.size };
  }
  // Large documents take a second to compare, and most are unchanged.
  const comparison = stale.length > 0 ? compareDocuments(stored, document) : NO_CHANGES;
  return { stale, comparison, files: files.size };
}

/** @returns a sentence if only the earlier run had credentials: then a difference says nothing about the site */
export function findMissingCredentials(result: JobResult): string | undefined {
  const { document, job, name, out, report, stored } = result;
  if (job.document !== undefined || isReadAsUser(document)) return undefined;
  if (stored === undefined || !isReadAsUser(stored)) return undefined;
  const isIgnored = report?.diagnostics.some(({ rule }) => rule.startsWith('credentials-')) === true;
  const now = isIgnored ? 'the site refused those of this run' : 'this run has none';
  return `${join(out, `${name}.openapi.json`)} was generated with credentials, and ${now}, so routes might be missing`;
}

/** Tokens, without the characters that formatters add, remove and wrap. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+|[^\s,;()|]/g;

/** Equal for files that differ only in their format: Prettier changes quotes, commas and lines. */
function readTokens(code: string): string {
  return (code.match(TOKEN) ?? [])
    .map((token) =>
      /^["']/.test(token) ? token.slice(1, -1).replace(/\\(["'])/g, '$1') : token.replace(/\s+/g, ' '),
    )
    .join('\n');
}

export function describeStaleFile({ path, state }: StaleFile): string {
  return `${path}: ${state}`;
}

const MAX_PRINTED_CHANGES = 50;

export function formatCheck(
  { comparison, files, incomparable, stale }: FileCheck,
  remarks: readonly string[],
): string {
  const changes = formatChanges(comparison, MAX_PRINTED_CHANGES).map((line) => `  ${line}`);
  if (stale.length === 0) return `${files} files are up to date.\n`;
  return `${[
    ...(changes.length === 0 ? [] : [`${countChanges(comparison)}:`, ...changes]),
    ...(changes.length > 0 || stale.every(({ state }) => state === 'missing')
      ? []
      : [incomparable ?? UNCHANGED_INTERFACE]),
    ...(remarks.length === 0 ? [] : [`Attention: ${remarks.join('; ')}.`]),
    ...stale.map(describeStaleFile),
    'Run waygate generate without --check to update them.',
  ].join('\n')}\n`;
}

const UNCHANGED_INTERFACE =
  'The interface did not change: only texts or data for the gateway differ, or the files were edited, or other options or another version of waygate wrote them.';
