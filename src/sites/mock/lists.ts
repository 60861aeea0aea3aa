import { pluralize } from 'inflection';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  toJsonObject,
  toText,
} from '../../base/json.ts';
import { isRestInteger, toPhpNumber } from '../../generator/validation/wordpress/schema.ts';
import type { RequestValues, RestResponse } from '../rest-server/declarations.ts';
import { createPaginationHeaders, errorResponse, respondWith, restError } from '../rest-server/responses.ts';

interface ListSource {
  readonly ids: readonly string[];
  readonly itemOf: (id: string) => Json;
  readonly query: RequestValues;
  readonly url: string;
  readonly parameters: ReadonlyMap<string, Json | undefined>;
  readonly errorCodes: readonly string[];
}

const DEFAULT_LENGTH = 10;

export function respondWithList(source: ListSource): RestResponse {
  const { ids, itemOf, query, parameters } = source;
  const [include, exclude] = [toTexts(query.get('include')), toTexts(query.get('exclude'))];
  const chosen = ids.filter((id) => (include.length === 0 || include.includes(id)) && !exclude.includes(id));
  const [orderby, order, filter] = [query.get('orderby'), query.get('order'), createFilter(source)];
  const isSorted = typeof orderby === 'string' && parameters.has('orderby');
  const isAscending = (order ?? parameters.get('order')) === 'asc';
  // Without `orderby` the newest item stands first.
  if (!isSorted && order === 'asc') chosen.reverse();
  const found = filter ? chosen.filter((id) => filter(itemOf(id))) : chosen;
  const items = isSorted ? sortItems(found.map(itemOf), orderby, isAscending) : undefined;
  if (!parameters.has('per_page')) return respondWith(200, items ?? found.map(itemOf));
  const { length: total } = found;
  const perPage = Math.max(1, Math.min(100, toNumber(query.get('per_page')) ?? DEFAULT_LENGTH));
  const pages = Math.ceil(total / perPage);
  const page = toNumber(query.get('page')) ?? 1;
  // Lists of posts refuse a page after the last one; others are empty there.
  const refused = source.errorCodes.find((code) => code.endsWith('_invalid_page_number'));
  if (refused !== undefined && page > pages && total > 0) {
    return errorOf(400, refused, 'The page number requested is larger than the number of pages available.');
  }
  const start = toNumber(query.get('offset')) ?? (page - 1) * perPage;
  const headers = createPaginationHeaders({ total, page, perPage }, query, source.url);
  const end = start + perPage;
  return respondWith(200, items?.slice(start, end) ?? found.slice(start, end).map(itemOf), headers);
}

/** Reads what the validator takes for an integer, such as `1e3`. */
function toNumber(value: Json = null): number | undefined {
  const number = toPhpNumber(value);
  return number !== null && number >= 0 && isRestInteger(value) ? number : undefined;
}

function toTexts(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value])
    .flatMap((item) => toText(item).split(','))
    .map((text) => text.trim());
}

const NO_FILTERS: ReadonlySet<string> = new Set(
  'context page per_page offset order orderby search exclude'.split(' '),
);

/** Conditions for another property: `after` for `date`, `modified_before`, `categories_exclude`. */
const CONDITION = /^(?:(\w+)_)?(after|before|exclude)$/;

/** `max_price` of WooCommerce; of its Store API, in the currency's smallest unit. */
const BOUND = /^(min|max)_(\w+)$/;

function isWithin(value: Json | undefined, bound: string, limit: Json): boolean {
  const excess = Number(toText(value ?? '')) - Number(toText(limit).trim() || Number.NaN);
  return value === undefined || !(bound === 'max' ? excess > 0 : excess < 0);
}

function createFilter({ query, parameters }: ListSource): ((item: Json) => boolean) | undefined {
  const search = toText(query.get('search') ?? '').toLowerCase();
  const filters = [...query].filter(
    ([name]) => parameters.has(name) && !name.startsWith('_') && !NO_FILTERS.has(name),
  );
  if (search === '' && filters.length === 0) return undefined;
  return (item) => {
    if (!isJsonObject(item)) return true;
    if (search !== '' && !hasText(item, search)) return false;
    return filters.every(([name, wanted]) => {
      const [, amount, bounded = ''] = BOUND.exec(name) ?? [];
      if (amount !== undefined)
        return isWithin(item[bounded] ?? toJsonObject(item['prices'])[bounded], amount, wanted);
      const [, date = 'date', condition] = CONDITION.exec(name) ?? [];
      const property = condition === undefined ? name : date;
      const names = [property, pluralize(property), `${property}_created`, `date_${property}`];
      const value = item[names.find((each) => item[each] !== undefined) ?? name];
      if (value === undefined || isJsonObject(value) || jsonItems(wanted).some(isJsonObject)) return true;
      const values = (Array.isArray(value) ? value : [value])
        .flatMap((each: Json) => (isJsonObject(each) ? [each['id'] ?? '', each['slug'] ?? ''] : [each]))
        // PHP and the client write 1 for true in a query.
        .flatMap((each) =>
          typeof each === 'boolean' ? [String(each), String(Number(each))] : [toText(each)],
        );
      const isMet = (text: string): boolean => {
        if (condition === 'after') return values.some((each) => each > text);
        if (condition === 'before') return values.some((each) => each < text);
        return ['all', 'any'].includes(text) || values.includes(text);
      };
      return toTexts(wanted).some(isMet) !== (condition === 'exclude');
    });
  };
}

function hasText(value: Json, search: string): boolean {
  if (typeof value === 'string') return !/^https?:/.test(value) && value.toLowerCase().includes(search);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => hasText(member, search));
}

function sortItems(items: readonly Json[], orderby: string, isAscending: boolean): Json[] {
  const memberOf = (item: Json): Json => (isJsonObject(item) ? (item[orderby] ?? '') : '');
  const textOf = (item: Json): string => {
    const value = memberOf(item);
    return toText(isJsonObject(value) ? (value['rendered'] ?? '') : value);
  };
  const sign = isAscending ? 1 : -1;
  return items.toSorted((one, other) => {
    const [first, second] = [memberOf(one), memberOf(other)];
    if (typeof first === 'number' && typeof second === 'number') return sign * (first - second);
    return sign * textOf(one).localeCompare(textOf(other), 'en');
  });
}

export function errorOf(status: number, code: string, message: string, data?: JsonObject): RestResponse {
  return errorResponse(restError(status, code, message, data));
}
