import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { shared } from './shared.ts';
import { generateFrom } from './site.ts';

/**
 * Reads the index, with schemas and without descriptions, of a site with WordPress 6.9.1, WooCommerce 10.5.2 and BuddyPress
 * 15.0.0-alpha. The file states each value that occurs twice once, in `shared`, and refers to it by `{ "$": <position> }`.
 *
 * @param keeps which namespaces the index has
 */
export function readShopIndex(keeps: (namespace: string) => boolean = () => true): JsonObject {
  const { index, routes } = readWholeShop();
  const kept = Object.entries(isJsonObject(routes) ? routes : {}).filter(
    ([, route]) => isJsonObject(route) && keeps(String(route['namespace'])),
  );
  return {
    ...(isJsonObject(index) ? index : {}),
    namespaces: [...new Set(kept.map(([, route]) => Object(route).namespace))].filter((name) => name !== ''),
    routes: Object.fromEntries(kept),
  };
}

/** The document of the index with all namespaces. */
export const wholeShopDocument: () => JsonObject = shared(() => generateFrom(readShopIndex()).document);

const readWholeShop: () => JsonObject = shared(() => {
  const { index = null, routes, shared: recorded } = readRecorded('shop-index.json');
  const values: readonly Json[] = Array.isArray(recorded) ? recorded : [];
  const expand = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(expand);
    if (!isJsonObject(value)) return value;
    const { $: position } = value;
    return typeof position === 'number'
      ? expand(values[position] ?? null)
      : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member)]));
  };
  return { index, routes: expand(routes ?? {}) };
});

export function readRecorded(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));
}

/** The indexes in the folder that `WAYGATE_INDEXES` names, e.g. those of strangers' sites, which are in no repository. */
export function readOtherIndexes(): readonly (readonly [file: string, index: JsonObject])[] {
  const folder = process.env['WAYGATE_INDEXES'];
  if (folder === undefined) return [];
  return readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))]);
}
