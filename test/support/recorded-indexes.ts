import { readFileSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject } from '../../src/json.ts';

/**
 * Reads the index, with schemas and without descriptions, of a site with WordPress 6.9.1, WooCommerce 10.5.2 and BuddyPress
 * 15.0.0-alpha. The file states each value that occurs twice once, in `shared`, and refers to it by `{ "$": <position> }`.
 *
 * @param keeps which namespaces the index has
 */
export function readShopIndex(keeps: (namespace: string) => boolean = () => true): JsonObject {
  const { index, routes, shared } = readRecorded('shop-index.json');
  const values: readonly Json[] = Array.isArray(shared) ? shared : [];
  const expand = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(expand);
    if (!isJsonObject(value)) return value;
    const { $: position } = value;
    return typeof position === 'number'
      ? expand(values[position] ?? null)
      : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member)]));
  };
  const expanded = expand(routes ?? {});
  const kept = Object.entries(isJsonObject(expanded) ? expanded : {}).filter(
    ([, route]) => isJsonObject(route) && keeps(String(route['namespace'])),
  );
  return {
    ...(isJsonObject(index) ? index : {}),
    namespaces: [...new Set(kept.map(([, route]) => Object(route).namespace))].filter((name) => name !== ''),
    routes: Object.fromEntries(kept),
  };
}

export function readRecorded(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));
}
