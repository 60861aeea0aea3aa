import { changeMembers, isJsonObject, type Json, jsonMembers, memberAt } from '../base/json.ts';
import { cleanText, removeInvisible } from './site-text.ts';

/** Characters at which texts of an item are cut, and those of a list. */
const TEXT_LENGTH = 3_000;
const LIST_TEXT_LENGTH = 600;

/** Mark at an end of a cut text. A body with it would lose the rest. */
export const CUT_MARK: RegExp = /… \[cut: \d+ characters in all\]|\[continued from \d+\] …/;

/** Members that tell an agent nothing, unless it names them. */
const OMITTED =
  /^(?:_links|(?:\w+_)?avatar_urls|class_list|generated_slug|guid|permalink_template|_wp_attachment_metadata)$/;

export interface FittedResponse {
  readonly text: string;
  readonly notes: readonly string[];
  /** Whether nothing is cut or left out. */
  readonly isWhole: boolean;
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
  if (typeof target === 'string' && (target === whole || from > 0 || target.length > TEXT_LENGTH))
    return fitText(target, only, from, maxTokens, tidier);
  const list = Array.isArray(target) ? target : undefined;
  const length = list === undefined ? TEXT_LENGTH : LIST_TEXT_LENGTH;
  // Each part takes a token at least.
  const parts = list?.slice(from, from + maxTokens) ?? [whole];
  const [first = null, ...others] = parts;
  const start = fitMembers(cutTexts(tidyValue(first, '', tidier), length), maxTokens);
  const texts = parts.length === 0 ? [] : [start.text];
  let tokens = estimateTokens(start.text);
  for (const part of others) {
    const text = JSON.stringify(cutTexts(tidyValue(part, '', tidier), length));
    tokens += estimateTokens(text);
    if (tokens > maxTokens) break;
    texts.push(text);
  }
  const cuts = [
    ...(texts.some((text) => CUT_MARK.test(text)) ? [describeCut(length)] : []),
    ...start.notes,
    ...describeRest(list ?? [], from, texts.length),
  ];
  return {
    text: list === undefined ? start.text : `[${texts.join()}]`,
    notes: [...cuts, ...describeRemoved(tidier)],
    isWhole: from === 0 && cuts.length === 0,
  };
}

/** Writes an object with the members that fit, or another value if it fits. */
function fitMembers(value: Json, maxTokens: number): Omit<FittedResponse, 'isWhole'> {
  const text = JSON.stringify(value);
  if (estimateTokens(text) <= maxTokens) return { text, notes: [] };
  let tokens = 0;
  const kept = jsonMembers(value).filter(([name, member]) => {
    const size = estimateTokens(JSON.stringify({ [name]: member }));
    const fits = tokens + size <= maxTokens;
    if (fits) tokens += size;
    return fits;
  });
  const note = 'It is too large, so members are left out: name those that you need, or theirs, in "fields"';
  return { text: JSON.stringify(Object.fromEntries(kept)), notes: [note] };
}

function describeRest(list: readonly Json[], from: number, shown: number): readonly string[] {
  const end = from + shown;
  if (end < list.length)
    return [
      `Items ${from} to ${end} of ${list.length}: continue with "from": ${end}, or name fewer "fields"`,
    ];
  return shown === 0 && from > 0 ? [`"from" is past the end: there are ${list.length} items`] : [];
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
  // `encodeInto` never ends between the halves of a character.
  const { read } = new TextEncoder().encodeInto(
    tidy.slice(start),
    new Uint8Array(maxTokens * BYTES_OF_TOKEN),
  );
  const end = start + read;
  const before = start === 0 ? '' : `[continued from ${start}] …`;
  const after = end === tidy.length ? '' : `… [cut: ${tidy.length} characters in all]`;
  const part = before + tidy.slice(start, end) + after;
  const place = `Characters ${start} to ${end} of ${tidy.length}`;
  const next =
    end === tidy.length ? (start > 0 ? `${place}: the end` : '') : `${place}: continue with "from": ${end}`;
  return {
    text: JSON.stringify(field === '' ? part : { [field]: part }),
    notes: [...(next === '' ? [] : [next]), ...describeRemoved(tidier)],
    isWhole: next === '',
  };
}

interface Tidier {
  readonly fields: ReadonlySet<string>;
  readonly isRaw: boolean;
  /** Number of invisible characters. */
  removed: number;
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

/** Bytes of a token in English and JSON. */
const BYTES_OF_TOKEN = 3;

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_OF_TOKEN);
}
