import { isJsonObject } from '../json.ts';
import { type Scan, scanJson } from './json-scan.ts';
import type { RuleName } from './rules.ts';
import { quoted } from './values.ts';

/** The JSON in a text, with what was tolerated around it; or why there is none. */
export type ExtractedJson =
  | { readonly ok: true; readonly value: unknown; readonly tolerated: readonly Tolerated[] }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'truncated' | 'too-deep' | 'not-json';
      readonly detail: string;
    };

export interface Tolerated {
  readonly rule: RuleName;
  readonly detail: string;
}

/**
 * Finds the JSON of an answer. A whole value is taken as it is. Otherwise the first object that looks like an answer
 * of WordPress is taken, whatever text stands before and after it: PHP prints its notices there. Each `{` may be the
 * start; the work that all of them may cost together is a few times the length of the text.
 */
export function extractJson(text: string): ExtractedJson {
  const start = text.search(/\S/);
  if (start === -1) return { ok: false, reason: 'empty', detail: 'The answer is empty.' };
  const mark: Tolerated[] = text.startsWith('\ufeff')
    ? [{ rule: 'byte-order-mark', detail: 'It is U+FEFF.' }]
    : [];
  const whole = scanJson(text, start);
  if (whole.kind === 'complete' && text.slice(whole.end).trim() === '') {
    const parsed = parse(text.slice(start, whole.end));
    if (parsed !== undefined) return { ok: true, value: parsed.value, tolerated: mark };
  }
  return findObject(text, start) ?? describeFault(text, start, whole);
}

const WORK_PER_CHARACTER = 4;

function findObject(text: string, first: number): ExtractedJson | undefined {
  let work = 0;
  let from = text.indexOf('{', first);
  while (from !== -1 && work <= WORK_PER_CHARACTER * text.length) {
    const scan = scanJson(text, from);
    const stop = scan.kind === 'complete' ? scan.end : scan.at;
    work += stop - from;
    if (scan.kind === 'truncated' || scan.kind === 'too-deep') {
      // A notice may hold a `{` that nothing closes; what begins with a name does not.
      if (/^\{\s{0,20}"/.test(text.slice(from, from + 22))) return describeFault(text, from, scan);
    } else if (scan.kind === 'complete') {
      const parsed = parse(text.slice(from, stop));
      if (parsed !== undefined && isAnswer(parsed.value)) {
        return { ok: true, value: parsed.value, tolerated: surroundings(text, first, from, stop) };
      }
    }
    from = text.indexOf('{', scan.kind === 'complete' ? stop : from + 1);
  }
  return undefined;
}

/** An index, or an error of WordPress. An object inside of a broken one may have `routes`, but not these beside it. */
function isAnswer(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return has('routes') ? has('namespaces') || has('namespace') || has('name') : has('code') && has('message');
}

function surroundings(text: string, first: number, start: number, end: number): Tolerated[] {
  const before = text.slice(first, start).trim();
  const after = text.slice(end).trim();
  const tolerated: Tolerated[] = [];
  if (before !== '')
    tolerated.push({ rule: 'text-before-json', detail: `It begins with ${quoted(plain(before))}.` });
  if (after !== '')
    tolerated.push({ rule: 'text-after-json', detail: `It begins with ${quoted(plain(after))}.` });
  return tolerated;
}

/** The words of a piece of HTML. */
function plain(text: string): string {
  return text.slice(0, 1_000).replace(/<[^<>]{0,200}>/g, ' ');
}

function describeFault(text: string, start: number, scan: Scan): ExtractedJson {
  if (scan.kind === 'truncated' && /[[{"]/.test(text[start] ?? '')) {
    const detail = `The JSON breaks off after ${text.length} characters, at ${quoted(text.slice(-40))}.`;
    return { ok: false, reason: 'truncated', detail };
  }
  if (scan.kind === 'too-deep') {
    return {
      ok: false,
      reason: 'too-deep',
      detail: `The JSON nests deeper than any index, at character ${scan.at}.`,
    };
  }
  const begins = `It begins with ${quoted(text.slice(start))}`;
  const at = scan.kind === 'complete' ? scan.end : scan.at;
  const breaks = at > start + 1 ? ` and is no JSON from character ${at} on: ${quoted(text.slice(at))}.` : '.';
  return { ok: false, reason: 'not-json', detail: begins + breaks };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}
