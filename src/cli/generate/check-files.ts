import { join, resolve } from 'node:path';
import { isReadAsUser } from '../../base/document-extensions.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  type ComparisonResult,
  compareDocuments,
  countChanges,
  formatChanges,
} from '../../generator/changes/index.ts';
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
  const { document, files, out, stored } = result;
  const stale: StaleFile[] = [];
  for (const [name, print] of files) {
    const path = join(out, name);
    // Git on Windows checks files out with CRLF.
    const current = (await readFileIfPresent(resolve(cwd, path)))?.replaceAll('\r\n', '\n') ?? null;
    const isFresh = current !== null && (isText(current, await print()) || hasTokens(current, await print()));
    if (!isFresh) stale.push({ path, state: current === null ? 'missing' : 'stale' });
  }
  const incomparable = whyIncomparable(result);
  if (incomparable !== undefined || stored.state !== 'readable') {
    return omitUndefined({ stale, comparison: NO_CHANGES, incomparable, files: files.size });
  }
  // Large documents take a second to compare, and most are unchanged.
  const isChanged = JSON.stringify(stored.document) !== JSON.stringify(document);
  const comparison = isChanged ? compareDocuments(stored.document, document) : NO_CHANGES;
  return { stale, comparison, files: files.size };
}

/** @returns a sentence if only the earlier run had credentials: then a difference says nothing about the site */
export function findMissingCredentials(result: JobResult): string | undefined {
  const { document, job, name, out, report, stored } = result;
  if (job.document !== undefined || isReadAsUser(document)) return undefined;
  if (stored.state !== 'readable' || !isReadAsUser(stored.document)) return undefined;
  const isIgnored = report?.diagnostics.some(({ rule }) => rule.startsWith('credentials-')) === true;
  const now = isIgnored ? 'the site refused those of this run' : 'this run has none';
  return `${join(out, `${name}.openapi.json`)} was generated with credentials, and ${now}, so routes might be missing`;
}

function whyIncomparable({ job, name, out, report, stored }: JobResult): string | undefined {
  if (report === undefined) {
    return `What changed is unknown, because the earlier version of ${job.document ?? 'the document'} is unknown.`;
  }
  const path = join(out, `${name}.openapi.json`);
  if (stored.state === 'missing') return `What changed is unknown, because ${path} is missing.`;
  if (stored.state === 'readable') return undefined;
  return `What changed is unknown, because ${path} ${stored.reason}.`;
}

function isText(text: string, parts: Iterable<string>): boolean {
  let at = 0;
  for (const part of parts) {
    if (!text.startsWith(part, at)) return false;
    at += part.length;
  }
  return at === text.length;
}

/** Tokens, without the characters that formatters add, remove and wrap. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+|[^\s,;()|]/g;

/** Whether a file differs only in its format: Prettier changes quotes, commas and lines. */
function hasTokens(text: string, parts: Iterable<string>): boolean {
  const read = (code: string): string =>
    (code.match(TOKEN) ?? [])
      .map((token) =>
        /^["']/.test(token) ? token.slice(1, -1).replace(/\\(["'])/g, '$1') : token.replace(/\s+/g, ' '),
      )
      .join('\n');
  return read(text) === read([...parts].join(''));
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
  if (stale.length === 0) {
    const note =
      changes.length === 0
        ? []
        : ['Only texts of the site changed here, which makes no file stale:', ...changes];
    return `${[...note, `${files} files are up to date.`].join('\n')}\n`;
  }
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
  'The interface did not change. The files were edited, or other options or another version of waygate wrote them.';
