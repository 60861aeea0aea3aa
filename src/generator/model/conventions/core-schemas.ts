import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  toJsonObject,
} from '../../../base/json.ts';
import type { IndexRoute } from '../../discovery/site.ts';
import type { AnalyzedRoute } from '../analyze-route.ts';
import { removeParameterNames } from '../templates.ts';
import data from './core-schemas.json' with { type: 'json' };

/** The schema of WordPress's own routes, as version 7.1 states it with `context=help`. */
interface CoreSchema {
  readonly routes: string;
  /** A route that came with the schema or later; older sites send something else. */
  readonly since?: string;
  /** Members that came after WordPress 5.0, by a route of that time. */
  readonly later?: { readonly [name: string]: string };
  readonly schema: JsonObject;
}

const SCHEMAS: ReadonlyMap<string, CoreSchema> = new Map(
  (data as unknown as readonly CoreSchema[]).flatMap((each) =>
    each.routes.split(' ').map((route) => [route, each] as const),
  ),
);

/** Adds WordPress's schemas where the site states none. Other routes of the index tell its version. */
export function withCoreSchemas(routes: readonly AnalyzedRoute[]): readonly AnalyzedRoute[] {
  const templates = new Map(routes.map((route) => [templateOf(route), route]));
  return routes.map((analyzed) => {
    const core = analyzed.route.schema === undefined ? SCHEMAS.get(templateOf(analyzed)) : undefined;
    if (core === undefined || (core.since !== undefined && !templates.has(core.since))) return analyzed;
    const { later = {} } = core;
    // Arguments of a resource are those of the route that creates one.
    const writing = templates.get(templateOf(analyzed).replace(/(?:\/\{\})+$/, '')) ?? analyzed;
    const properties = changeMembers(toJsonObject(core.schema['properties']), (property, name) =>
      later[name] === undefined || templates.has(later[name]) ? property : undefined,
    );
    const schema = { ...core.schema, properties: withSiteMembers(properties, writing.route) };
    return { ...analyzed, route: { ...analyzed.route, schema } };
  });
}

function templateOf({ route, variants }: AnalyzedRoute): string {
  return removeParameterNames(variants[0]?.template ?? route.pattern);
}

/** Adds the site's taxonomies, meta fields and settings, which are arguments too. */
function withSiteMembers(properties: JsonObject, { endpoints, pattern }: IndexRoute): JsonObject {
  const isSettings = pattern === '/wp/v2/settings';
  const args = endpoints.find(({ methods }) => methods.includes('POST'))?.args ?? [];
  const members = new Map<string, Json>(Object.entries(properties));
  for (const { declaration, name } of args) {
    const known = members.get(name);
    const isTerms = declaration['type'] === 'array' && memberAt(declaration['items'], 'type') === 'integer';
    if (isSettings || (known === undefined && isTerms && members.has('link')))
      members.set(name, { ...declaration, context: ['view', 'edit'] });
    else if (isJsonObject(known) && (name === 'meta' || (known['enum'] && declaration['enum'])))
      members.set(name, {
        ...declaration,
        ...(known['context'] === undefined ? {} : { context: known['context'] }),
      });
  }
  return Object.fromEntries(members);
}
