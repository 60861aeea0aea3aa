import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { selectFields } from './fields.ts';
import type { MockItems } from './items.ts';
import { type MockResponse, respondWith } from './mock-response.ts';

/** Applies the global parameters of WordPress to a response: `_embed`, `_fields`, `_envelope`. */
export function represent(response: MockResponse, query: JsonObject, items: MockItems): MockResponse {
  const embedded =
    query['_embed'] === undefined ? response.body : embedInto(response.body, query['_embed'], items);
  const body = selectFields(embedded, query['_fields']);
  const { status, headers } = response;
  return query['_envelope'] === undefined
    ? { ...response, body }
    : respondWith(200, { body, status, headers });
}

function embedInto(body: Json, wanted: Json, items: MockItems): Json {
  const names = (Array.isArray(wanted) ? wanted : [wanted])
    .flatMap((item) => String(item).split(','))
    .filter((name) => !['', '1', 'true'].includes(name));
  const embed = (item: Json): Json => {
    if (!isJsonObject(item) || !isJsonObject(item['_links'])) return item;
    const embedded = items.embed(item, names);
    return Object.keys(embedded).length === 0 ? item : { ...item, _embedded: embedded };
  };
  return Array.isArray(body) ? body.map(embed) : embed(body);
}
