import { isJsonObject, type Json, jsonMembers, mapMembers } from '../json.ts';
import { htmlToText } from './site-text.ts';
import { estimateTokens } from './tokens.ts';

/** Lengths at which long texts are cut, until the response is small enough. */
const TEXT_LENGTHS = [12_000, 4_000, 1_500, 600, 250];
/** Length below which items of a list are left out rather than more of their texts. */
const LIST_TEXT_LENGTH = 600;

export interface FittedResponse {
  readonly text: string;
  /** Sentences about parts that were left out. */
  readonly notes: readonly string[];
  /** Items of the list that are shown; `undefined` for another response. */
  readonly shown: number | undefined;
}

/**
 * Makes a response readable for an agent, in a number of tokens: HTML becomes text, links are left out, and what is too long is cut,
 * which the notes say.
 *
 * @param fields paths that the agent has named: `content.rendered` keeps its HTML
 */
export function fitResponse(value: Json, fields: readonly string[], maxTokens: number): FittedResponse {
  const tidy = tidyValue(value, '', new Set(fields));
  const fits = (json: Json): string | undefined => {
    const text = JSON.stringify(json);
    return estimateTokens(text, maxTokens) <= maxTokens ? text : undefined;
  };
  const whole = fits(tidy);
  const list = Array.isArray(tidy) ? tidy : undefined;
  if (whole !== undefined) return { text: whole, notes: [], shown: list?.length };
  for (const length of TEXT_LENGTHS) {
    const cut = cutTexts(tidy, length);
    const notes = [`Texts longer than ${length} characters are cut, with their length.`];
    const text = fits(cut);
    if (text !== undefined) return { text, notes, shown: list?.length };
    if (!Array.isArray(cut) || length > LIST_TEXT_LENGTH) continue;
    const shown = countFitting(cut, maxTokens);
    if (shown > 0) return { text: JSON.stringify(cut.slice(0, shown)), notes, shown };
  }
  return { ...cutMembers(cutTexts(tidy, 100), maxTokens), shown: list && Math.min(1, list.length) };
}

/** How many whole items fit. */
function countFitting(items: readonly Json[], maxTokens: number): number {
  let tokens = 2;
  for (const [at, item] of items.entries()) {
    tokens += estimateTokens(JSON.stringify(item), maxTokens) + 1;
    if (tokens > maxTokens) return at;
  }
  return items.length;
}

function tidyValue(value: Json, path: string, fields: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item: Json) => tidyValue(item, path, fields));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const at = path === '' ? name : `${path}.${name}`;
      if (name === '_links' && !fields.has(at)) return [];
      if (name === 'rendered' && typeof member === 'string' && !fields.has(at))
        return [[name, htmlToText(member)]];
      return [[name, tidyValue(member, at, fields)]];
    }),
  );
}

function cutTexts(value: Json, length: number): Json {
  if (typeof value === 'string') {
    if (value.length <= length) return value;
    return `${value.slice(0, length).replace(/[\ud800-\udbff]$/, '')}… [cut: ${value.length} characters in all]`;
  }
  if (Array.isArray(value)) return value.map((item: Json) => cutTexts(item, length));
  return isJsonObject(value) ? mapMembers(value, (_, member) => cutTexts(member, length)) : value;
}

/** Keeps the members of an object, or of the first item of a list, that fit, and names the others. */
function cutMembers(value: Json, maxTokens: number): Pick<FittedResponse, 'notes' | 'text'> {
  const object = Array.isArray(value) ? value[0] : value;
  const kept: [string, Json][] = [];
  const omitted: string[] = [];
  let tokens = 2;
  for (const [name, member] of jsonMembers(object)) {
    const size = estimateTokens(JSON.stringify({ [name]: member }), maxTokens);
    // Space for what comes after a large member, and for the names of what is left out.
    if (tokens + size > maxTokens * 0.9 || size > maxTokens / 2) omitted.push(name);
    else {
      kept.push([name, member]);
      tokens += size;
    }
  }
  const names = omitted.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 60)));
  const more = omitted.length > 20 ? ` and ${omitted.length - 20} more` : '';
  const left = `Members left out: ${names.join(', ')}${more}. Name them, or their members, in "fields".`;
  const shown = Object.fromEntries(kept);
  return {
    text: JSON.stringify(Array.isArray(value) ? [shown] : shown),
    notes: [
      'Texts longer than 100 characters are cut, with their length.',
      names.length === 0 ? 'The response is too large to be shown.' : left,
    ],
  };
}

/** Selects members by their paths, as WordPress does for `_fields`. */
export function selectFields(value: Json, fields: readonly string[]): Json {
  if (fields.length === 0) return value;
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isJsonObject(value)) return value;
  const selected: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below = fields.flatMap((field) =>
      field.startsWith(`${name}.`) ? [field.slice(name.length + 1)] : [],
    );
    if (fields.includes(name)) selected.push([name, member]);
    else if (below.length > 0) selected.push([name, selectFields(member, below)]);
  }
  return Object.fromEntries(selected);
}
