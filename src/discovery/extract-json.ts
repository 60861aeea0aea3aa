import { isJsonObject } from '../json.ts';
import { quoteExcerpt } from './index-values.ts';
import type { DiscoveryRuleName } from './rules.ts';
import { type JsonScanResult, scanJson } from './scan-json.ts';

/** The JSON value of a text and the repairs that were needed, or the reason why no value was found. */
export type JsonExtractionResult =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly TextRepair[] }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'truncated' | 'too-deep' | 'not-json';
      readonly detail: string;
    };

/** A repair that was needed to decode or parse a response. */
export interface TextRepair {
  readonly rule: DiscoveryRuleName;
  readonly detail: string;
}

/**
 * Finds the JSON value of a response. If the text is not one JSON value, the first object that looks like a WordPress
 * response is used and the text around it is ignored: PHP prints notices there. Every `{` is tried as the start, within
 * a total work that is linear in the length of the text.
 */
export function extractJson(text: string): JsonExtractionResult {
  const start = text.search(/\S/);
  if (start === -1) return { ok: false, reason: 'empty', detail: 'The response is empty.' };
  const markRepairs: TextRepair[] = text.startsWith('\ufeff')
    ? [{ rule: 'byte-order-mark', detail: 'The mark is U+FEFF.' }]
    : [];
  const whole = scanJson(text, start);
  if (whole.kind === 'complete' && text.slice(whole.end).trim() === '') {
    const parsed = parse(text.slice(start, whole.end));
    if (parsed !== undefined) return { ok: true, value: parsed.value, repairs: markRepairs };
  }
  return findObject(text, start) ?? toJsonError(text, start, whole);
}

const MAX_WORK_PER_CHARACTER = 4;

function findObject(text: string, first: number): JsonExtractionResult | undefined {
  let work = 0;
  let from = text.indexOf('{', first);
  while (from !== -1 && work <= MAX_WORK_PER_CHARACTER * text.length) {
    const scan = scanJson(text, from);
    const stop = scan.kind === 'complete' ? scan.end : scan.at;
    work += stop - from;
    if (scan.kind === 'truncated' || scan.kind === 'too-deep') {
      // A notice may contain a `{` that is never closed. A `{` followed by a member name is the start of the JSON.
      if (/^\{\s{0,20}"/.test(text.slice(from, from + 22))) return toJsonError(text, from, scan);
    } else if (scan.kind === 'complete') {
      const parsed = parse(text.slice(from, stop));
      if (parsed !== undefined && isWordPressObject(parsed.value)) {
        return { ok: true, value: parsed.value, repairs: describeSurroundings(text, first, from, stop) };
      }
    }
    from = text.indexOf('{', scan.kind === 'complete' ? stop : from + 1);
  }
  return undefined;
}

/** Whether a value is an index or a WordPress error. An object nested in a broken index may have `routes` alone. */
function isWordPressObject(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return has('routes') ? has('namespaces') || has('namespace') || has('name') : has('code') && has('message');
}

function describeSurroundings(text: string, first: number, start: number, end: number): TextRepair[] {
  const before = text.slice(first, start).trim();
  const after = text.slice(end).trim();
  const repairs: TextRepair[] = [];
  if (before !== '') {
    repairs.push({ rule: 'text-before-json', detail: `It begins with ${quoteExcerpt(stripTags(before))}.` });
  }
  if (after !== '') {
    repairs.push({ rule: 'text-after-json', detail: `It begins with ${quoteExcerpt(stripTags(after))}.` });
  }
  return repairs;
}

/** Removes the tags from a piece of HTML. */
function stripTags(text: string): string {
  return text.slice(0, 1_000).replace(/<[^<>]{0,200}>/g, ' ');
}

function toJsonError(text: string, start: number, scan: JsonScanResult): JsonExtractionResult {
  if (scan.kind === 'truncated' && /[[{"]/.test(text[start] ?? '')) {
    const detail = `The JSON ends unexpectedly after ${text.length} characters, at ${quoteExcerpt(text.slice(-40))}.`;
    return { ok: false, reason: 'truncated', detail };
  }
  if (scan.kind === 'too-deep') {
    return {
      ok: false,
      reason: 'too-deep',
      detail: `The JSON exceeds the nesting limit at character ${scan.at}.`,
    };
  }
  const beginning = `It begins with ${quoteExcerpt(text.slice(start))}`;
  const at = scan.kind === 'complete' ? scan.end : scan.at;
  const error =
    at > start + 1 ? ` and is not valid JSON from character ${at}: ${quoteExcerpt(text.slice(at))}.` : '.';
  return { ok: false, reason: 'not-json', detail: beginning + error };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}
