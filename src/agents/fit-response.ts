import { changeMembers, isJsonObject, type Json, jsonMembers, memberAt } from '../base/json.ts';
import { cleanText, removeInvisible } from './site-text.ts';

/** Lengths at which long texts are cut, until the response is small enough. */
const MAX_TEXT_LENGTH = 12_000;
/** No text is cut that is no longer. */
export const MIN_TEXT_LENGTH = 100;
const TEXT_LENGTHS = [MAX_TEXT_LENGTH, 4_000, 1_500, 600, 250];
/** Below this length items of a list are left out rather than more text. */
const LIST_TEXT_LENGTH = 600;

/** Mark at an end of a cut text. A body with it would lose the rest. */
export const CUT_MARK: RegExp = /… \[cut: \d+ characters in all\]|\[continued from \d+\] …/;

/** Members that tell an agent nothing, unless it names them. */
const OMITTED =
  /^(?:_links|(?:\w+_)?avatar_urls|class_list|generated_slug|guid|permalink_template|_wp_attachment_metadata)$/;

export interface FittedResponse {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Fits a response into a number of tokens: texts are cleaned, links left out, long parts cut, as the notes say. */
export function fitResponse(
  whole: Json,
  fields: readonly string[],
  maxTokens: number,
  { from = 0, isRaw = false }: { readonly from?: number; readonly isRaw?: boolean } = {},
): FittedResponse {
  const tidier: Tidier = { fields: new Set(fields), isRaw, removed: 0 };
  const [named = ''] = fields.length === 1 ? fields : [];
  const member = Array.isArray(whole) || named === '' ? whole : memberAt(whole, ...named.split('.'));
  // `content` stands for its text.
  const [only, target] = ['raw', 'rendered'].flatMap((form): [string, Json][] => {
    const text = from > 0 && named !== '' ? memberAt(member, form) : undefined;
    return text === undefined ? [] : [[`${named}.${form}`, text]];
  })[0] ?? [named, member];
  if (typeof target === 'string' && (from > 0 || target.length > MAX_TEXT_LENGTH / 3))
    return fitText(target, only, from, maxTokens, tidier);
  const list = Array.isArray(target) ? target : undefined;
  // Each part takes a token at least.
  const parts = (list?.slice(from, from + maxTokens) ?? [whole]).map((part) => tidyValue(part, '', tidier));
  const count = list === undefined ? 1 : Math.max(0, list.length - from);
  const longest = Math.max(0, ...parts.map(longestText));
  const finish = (texts: readonly string[], notes: readonly string[]): FittedResponse => ({
    text: list === undefined ? texts.join() : `[${texts.join()}]`,
    notes: [...notes, ...describeRest(list ?? [], from, texts.length), ...describeRemoved(tidier)],
  });
  for (const length of [longest, ...TEXT_LENGTHS.filter((each) => each < longest)]) {
    const texts = takeFitting(parts, length, maxTokens);
    const isWhole = texts.length === count;
    if (!isWhole && (texts.length === 0 || length > LIST_TEXT_LENGTH)) continue;
    return finish(texts, length < longest ? [describeCut(length)] : []);
  }
  const [first = null] = parts;
  const left = 'It is too large, so members are left out: name those that you need, or theirs, in "fields"';
  return finish([cutMembers(first, maxTokens)], [describeCut(MIN_TEXT_LENGTH), left]);
}

function describeRest(list: readonly Json[], from: number, shown: number): readonly string[] {
  const end = from + shown;
  if (end < list.length)
    return [
      `Items ${from} to ${end} of ${list.length}: continue with "from": ${end}, or name fewer "fields"`,
    ];
  return shown === 0 && from > 0 ? [`"from" is past the end: there are ${list.length} items`] : [];
}

function takeFitting(parts: readonly Json[], length: number, maxTokens: number): readonly string[] {
  const texts: string[] = [];
  let tokens = 2;
  for (const part of parts) {
    const text = JSON.stringify(cutTexts(part, length));
    tokens += estimateTokens(text, maxTokens) + 1;
    if (tokens > maxTokens) break;
    texts.push(text);
  }
  return texts;
}

function describeCut(length: number): string {
  return `Texts longer than ${length} characters are cut, with their length: to read on, name one of one item as the only one of "fields", with "from"`;
}

function describeRemoved({ removed }: Tidier): readonly string[] {
  return removed === 0 ? [] : [`Invisible characters were left out: ${removed}`];
}

/** Shows a text from a character on, as much of it as fits. */
function fitText(
  text: string,
  field: string,
  from: number,
  maxTokens: number,
  tidier: Tidier,
): FittedResponse {
  const tidy = String(tidyValue(text, field, tidier));
  const start = Math.min(from, tidy.length);
  let end = tidy.length;
  let shown = '';
  for (let length = Math.min(MAX_TEXT_LENGTH, end - start); ; length = Math.floor(length * 0.7)) {
    // Not between the halves of a character.
    end = start + length - Number(/[\ud800-\udbff]/.test(tidy[start + length - 1] ?? ''));
    const before = start === 0 ? '' : `[continued from ${start}] …`;
    const after = end === tidy.length ? '' : `… [cut: ${tidy.length} characters in all]`;
    const part = before + tidy.slice(start, end) + after;
    shown = JSON.stringify(field === '' ? part : { [field]: part });
    if (length < MIN_TEXT_LENGTH || estimateTokens(shown, maxTokens) <= maxTokens) break;
  }
  const place = `Characters ${start} to ${end} of ${tidy.length}`;
  const next =
    end === tidy.length ? (start > 0 ? `${place}: the end` : '') : `${place}: continue with "from": ${end}`;
  return { text: shown, notes: [...(next === '' ? [] : [next]), ...describeRemoved(tidier)] };
}

interface Tidier {
  readonly fields: ReadonlySet<string>;
  readonly isRaw: boolean;
  /** Number of invisible characters. */
  removed: number;
}

function longestText(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((most, each) => Math.max(most, longestText(each)), 0);
}

function tidyValue(value: Json, path: string, tidier: Tidier): Json {
  if (Array.isArray(value)) return value.map((item: Json) => tidyValue(item, path, tidier));
  if (typeof value === 'string') {
    if (tidier.isRaw) return value;
    const visible = removeInvisible(value);
    if (visible !== value) tidier.removed += [...value].length - [...visible].length;
    return cleanText(visible, path.endsWith('rendered'));
  }
  if (!isJsonObject(value)) return value;
  const tidy = changeMembers(value, (member, name) => {
    const at = path === '' ? name : `${path}.${name}`;
    return OMITTED.test(name) && !tidier.fields.has(at) ? undefined : tidyValue(member, at, tidier);
  });
  return Object.fromEntries(Object.entries(tidy).map(([name, member]) => [removeInvisible(name), member]));
}

export function cutTexts(value: Json, length: number): Json {
  if (typeof value === 'string') {
    if (value.length <= length) return value;
    return `${value.slice(0, length).replace(/[\ud800-\udbff]$/, '')}… [cut: ${value.length} characters in all]`;
  }
  if (Array.isArray(value)) return value.map((item: Json) => cutTexts(item, length));
  return isJsonObject(value) ? changeMembers(value, (member) => cutTexts(member, length)) : value;
}

function cutMembers(value: Json, maxTokens: number): string {
  let tokens = 2;
  const kept = jsonMembers(cutTexts(value, MIN_TEXT_LENGTH))
    .slice(0, maxTokens)
    .filter(([name, member]) => {
      const size = estimateTokens(JSON.stringify({ [name]: member }), maxTokens);
      const fits = size <= maxTokens / 2 && tokens + size <= maxTokens * 0.9;
      if (fits) tokens += size;
      return fits;
    });
  return JSON.stringify(Object.fromEntries(kept));
}

/** As WordPress does for `_fields`. */
export function selectFields(value: Json, fields: readonly string[]): Json {
  if (fields.length === 0) return value;
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isJsonObject(value)) return value;
  return changeMembers(value, (member, name) => {
    if (fields.includes(name)) return member;
    const prefix = `${name}.`;
    const below = fields.flatMap((field) => (field.startsWith(prefix) ? [field.slice(prefix.length)] : []));
    return below.length > 0 ? selectFields(member, below) : undefined;
  });
}

/** At least one token: a word with its space or `_`, some digits, or some signs. */
const TOKEN =
  / ?_?(?:[A-Z]?[a-z]{1,6}|[A-Z]{1,2})|\s{1,8}|_{1,8}|\d{1,3}|[\u00c0-\u052f]{1,2}|[^\x00-\x7f]|[^\w\s]{1,4}/g;

/** Estimates the tokens of a text, rather too many than too few. @param most counting ends past it */
export function estimateTokens(text: string, most: number = Number.POSITIVE_INFINITY): number {
  let count = 0;
  // `test` makes no object per token: a quarter of the time of `matchAll`.
  TOKEN.lastIndex = 0;
  while (count <= most && TOKEN.test(text)) count += 1;
  return count;
}
