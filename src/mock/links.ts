import type { ExampleFactory } from '../example-values/example-value.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import type { Collection } from './collection.ts';
import type { Relations } from './relations.ts';

/** Creates the `_links` of items. */
export interface ExampleLinks {
  /** Replaces the example of `_links`: to the item, to its collection, and to the items that properties refer to. */
  addTo(value: Json, schema: JsonObject, collection: Collection, id: string): Json;
}

/** @param rootUrl URL of the root index. A route without its first slash is appended to it. */
export function createExampleLinks(
  examples: Pick<ExampleFactory, 'flatten'>,
  relations: Relations,
  rootUrl: string,
): ExampleLinks {
  const toUrl = (route: string): string => rootUrl + route.slice(1);

  /** The route of the item that a relation leads to, by the property of the same name. */
  function linkTo(relation: string, value: JsonObject): string | undefined {
    const word = relation.replace(/^.*:/, '').replaceAll('_', '');
    const name = Object.keys(value).find((property) => property.replaceAll('_', '') === word);
    const id = name === undefined ? undefined : value[name];
    const target = name === undefined ? undefined : relations.targetOf(name);
    return typeof id === 'number' && id > 0 && target !== undefined
      ? `${target.served.path}/${id}`
      : undefined;
  }

  return {
    addTo(value, schema, { route, list }, id) {
      const stated = isJsonObject(schema['properties']) ? schema['properties']['_links'] : undefined;
      if (!isJsonObject(value) || stated === undefined || !isJsonObject(value['_links'])) return value;
      const { properties, required } = examples.flatten(stated);
      const names = new Set([
        ...Object.keys(isJsonObject(properties) ? properties : {}),
        ...jsonItems(required).map(String),
      ]);
      const links: [string, Json][] = [];
      for (const relation of names) {
        const target = linkTo(relation, value);
        if (relation === 'self')
          links.push([relation, [{ href: toUrl(list === undefined ? route : `${route}/${id}`) }]]);
        else if (target !== undefined) links.push([relation, [{ embeddable: true, href: toUrl(target) }]]);
        else if (relation === 'collection' || jsonItems(required).includes(relation))
          links.push([relation, [{ href: toUrl(route) }]]);
      }
      return { ...value, _links: Object.fromEntries(links) };
    },
  };
}
