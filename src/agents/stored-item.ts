import {
  isJsonObject,
  isSameData,
  type Json,
  type JsonObject,
  jsonMembers,
  memberAt,
  toText,
} from '../base/json.ts';
import { MERGED, rawOf } from './present-item.ts';
import { toLine } from './site-text.ts';

/** What became of the members that a write has sent. */
export interface Outcome {
  /** Paths that the site has not stored. */
  readonly missing: readonly string[];
  /** Paths that it has stored otherwise, and how. */
  readonly other: readonly string[];
  /** Names of members that the item does not show. */
  readonly unknown: readonly string[];
  /** How many values are stored as they were sent. */
  readonly stored: number;
}

/** Whether a response is an item. An echo of the request has nothing but what was sent. */
export function isItem(value: Json | undefined, sent: JsonObject): value is JsonObject {
  return jsonMembers(value).some(([name]) => memberAt(sent, name) === undefined);
}

/** Compares what was sent with the item, to the bottom. @param before the item before the write, if it was read */
export function compareStored(sent: JsonObject, item: JsonObject, before: JsonObject | undefined): Outcome {
  const missing: string[] = [];
  const other: string[] = [];
  let stored = 0;
  const compare = (given: Json, present: Json | undefined, earlier: Json | undefined, path: string): void => {
    const [to, now = null, then = null] = [rawOf(given) ?? null, rawOf(present), rawOf(earlier)];
    if (holds(to, now, MERGED.test(path))) stored += 1;
    else if (isJsonObject(to) && isJsonObject(now))
      for (const [name, value] of Object.entries(to))
        compare(value, now[name], memberAt(then, name), `${path}.${name}`);
    else if (isEmpty(now) || isSameData(now, then)) missing.push(path);
    // The site has chosen a value in place of none.
    else if (to === null) stored += 1;
    else other.push(`${path} ${describeDifference(to, now)}`);
  };
  for (const [name, value] of Object.entries(sent))
    if (item[name] !== undefined) compare(value, item[name], before?.[name], name);
  const unknown = Object.keys(sent).filter((name) => item[name] === undefined);
  return { missing, other, unknown, stored };
}

/** `null`, `''`, `false` and an empty list, which PHP code returns for one another. */
function isEmpty(value: Json): boolean {
  return value === null || value === '' || value === false || /^(?:\[\]|\{\})$/.test(JSON.stringify(value));
}

/** Whether a value is stored as it was sent. @param isMerged whether a list keeps the entries that were not sent */
function holds(sent: Json, stored: Json, isMerged = false): boolean {
  const [to, now] = [rawOf(sent) ?? null, rawOf(stored) ?? null];
  if (isEmpty(to) && (!isMerged || Array.isArray(to))) return isMerged || isEmpty(now);
  if (Array.isArray(to))
    return (
      Array.isArray(now) &&
      (isMerged || to.length === now.length) &&
      to.every((each: Json) => now.some((entry: Json) => holds(each, entry)))
    );
  if (isJsonObject(to))
    return isJsonObject(now) && Object.entries(to).every(([name, value]) => holds(value, now[name] ?? null));
  // Labels that were sent by id come back as objects.
  if (isJsonObject(now)) return ['id', 'slug', 'name'].some((name) => now[name] === to);
  const [one, two] = [to, now].map((each) =>
    (each === true ? '1' : toText(each)).replaceAll('\r\n', '\n').trim(),
  );
  return one === two || (one !== '' && two !== '' && Number(one) === Number(two)) || isSameTime(one, two);
}

/** The site writes times in its own zone. */
function isSameTime(one = '', two = ''): boolean {
  const [first, second] = [one, two].map((text) =>
    /^\d{4}-\d\d-\d\dT\d/.test(text) ? Date.parse(text) : Number.NaN,
  );
  const hours = Math.abs(Number(first) - Number(second)) / 3_600_000;
  return hours <= 14 && Number.isInteger(hours * 4);
}

function describeDifference(to: Json, now: Json): string {
  if (Array.isArray(to) && Array.isArray(now)) {
    const lost = to.filter((each: Json) => !now.some((entry: Json) => holds(each, entry)));
    if (lost.length > 0) return `without ${toLine(JSON.stringify(lost), 100)}`;
  }
  const tags = tagsOf(toText(to)).filter((tag) => !tagsOf(toText(now)).includes(tag));
  const removed = [...new Set(tags)].slice(0, 5).map((tag) => `<${tag}>`);
  return removed.length > 0 ? `without ${removed.join(', ')}` : 'otherwise';
}

function tagsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/<([a-z][a-z\d-]{0,30})/gi), ([, name = '']) => name.toLowerCase());
}

const MAX_PATHS = 20;

/** @param item in which a switch can say why: WooCommerce stores no `stock_quantity` unless `manage_stock` is on */
export function describeOutcome({ missing, other }: Outcome, item: JsonObject): readonly string[] {
  const lost = missing.map((path) => {
    const name = `manage_${path.replace(/_.*/s, '')}`;
    return `${toLine(path, 100)}${item[name] === false ? ` (${name} is false)` : ''}`;
  });
  const list = (paths: readonly string[]): string =>
    `${paths.slice(0, MAX_PATHS).join(', ')}${paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : ''}`;
  return [
    ...(lost.length > 0 ? [`The site has not stored ${list(lost)}`] : []),
    ...(other.length > 0 ? [`The site has stored ${list(other.map((each) => toLine(each, 200)))}`] : []),
  ];
}
