import { createBoundedReporter, type DiagnosticReporter } from '../../base/diagnostics.ts';
import { groupBy } from '../../base/group-by.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { mapInSteps, type Steps } from '../../base/steps.ts';
import type { DiscoveredSite, IndexRoute } from '../discovery/site.ts';
import data from './conventions/core-schemas.json' with { type: 'json' };
import type { PluginSigns } from './conventions/resource-conventions.ts';
import { assignOperationNames, createOperationSummary } from './naming/names.ts';
import { ownerOf } from './naming/namespaces.ts';
import {
  createOperations,
  listTitledTemplates,
  type NormalizedRoute,
  normalizeRouteSchemas,
  type UnnamedOperation,
} from './operations.ts';
import { ResourceRegistry } from './resources.ts';
import { type AnalyzedRoute, analyzeRoute } from './routes.ts';
import { Normalizer } from './schema/normalizer.ts';
import { type RouteOperation, removeParameterNames, type SiteModel, type SitePath } from './site.ts';

export type * from './site.ts';

export function* toSiteModel(discovered: DiscoveredSite): Steps<SiteModel> {
  const { address, index } = discovered;
  const diagnostics = [...discovered.diagnostics];
  const report = createBoundedReporter(diagnostics);
  const analyzed = yield* mapInSteps(index.routes, (route) => analyzeRoute(route, report));
  const routes = withCoreSchemas(analyzed);
  yield;
  const normalized = yield* normalizeRoutes(routes, findPluginSigns(index), report);
  const drafts = yield* createDrafts(normalized);
  const operations = yield* nameOperations(drafts);
  yield;
  const paths = groupIntoPaths(drafts, operations);
  yield;
  return {
    address,
    name: index.name,
    description: index.description,
    icon: index.icon,
    namespaces: index.namespaces,
    authentication: index.authentication,
    routes: index.routes.map(({ pattern, namespace }) => ({ pattern, namespace })),
    paths,
    additions: discovered.additions,
    diagnostics,
    counts: {
      routes: routes.length,
      endpoints: routes.reduce((sum, { route }) => sum + route.endpoints.length, 0),
      operations: paths.reduce((sum, path) => sum + path.operations.length, 0),
    },
  };
}

function findPluginSigns({ namespaces, routes }: DiscoveredSite['index']): PluginSigns {
  const lists = routes.filter(({ namespace }) => namespace === 'wp/v2').flatMap(({ endpoints }) => endpoints);
  const reading = lists.filter(({ methods }) => methods.includes('GET'));
  const argumentNames = new Set(reading.flatMap(({ args }) => args.map(({ name }) => name)));
  return { namespaces: new Set(namespaces), argumentNames };
}

interface OperationDraft extends UnnamedOperation {
  readonly template: string;
  readonly order: number;
}

function* normalizeRoutes(
  routes: readonly AnalyzedRoute[],
  signs: PluginSigns,
  report: DiagnosticReporter,
): Steps<readonly NormalizedRoute[]> {
  const normalizer = new Normalizer(report);
  const resourceRegistry = new ResourceRegistry(normalizer, signs);
  const normalized = yield* mapInSteps(routes, (route) =>
    normalizeRouteSchemas(route, normalizer, resourceRegistry),
  );
  yield* resourceRegistry.complete();
  return normalized;
}

function* createDrafts(routes: readonly NormalizedRoute[]): Steps<readonly OperationDraft[]> {
  const titledTemplates = new Set(routes.flatMap(({ analyzed }) => listTitledTemplates(analyzed)));
  yield;
  const lenders = new Map(
    routes.flatMap((route) =>
      route.resource === undefined
        ? []
        : route.analyzed.variants.map(({ template }) => [removeParameterNames(template), route] as const),
    ),
  );
  yield;
  const variants = routes.flatMap((normalized, order) =>
    normalized.analyzed.variants.map((variant) => ({ normalized, variant, order })),
  );
  yield;
  const groups = groupBy(variants, ({ variant }) => removeParameterNames(variant.template));
  yield;
  const drafts = yield* mapInSteps(groups, ([anonymousTemplate, members]) => {
    const { template } = members[0].variant;
    return members.flatMap((member) =>
      createOperations(member, { template, anonymousTemplate }, { lenders, titledTemplates }).map(
        (operation) => ({ ...operation, template, order: member.order }),
      ),
    );
  });
  return drafts.flat();
}

/** In the site's order, so that routes added at the end rename nothing. */
function* nameOperations(
  drafts: readonly OperationDraft[],
): Steps<ReadonlyMap<OperationDraft, RouteOperation>> {
  const ordered = [...drafts].sort((a, b) => a.order - b.order);
  const unnamed = yield* mapInSteps(ordered, ({ namingInput, operation: { namespace } }) => ({
    namingInput,
    owner: ownerOf(namespace, namingInput.path.steps[0]?.words.join('_')),
  }));
  const ids = yield* assignOperationNames(unnamed);
  return new Map(
    yield* mapInSteps(ordered.entries(), ([index, draft]) => {
      const summary = createOperationSummary(draft.namingInput);
      return [draft, { id: ids[index] ?? '', summary, ...draft.operation }] as const;
    }),
  );
}

function groupIntoPaths(
  drafts: readonly OperationDraft[],
  operations: ReadonlyMap<OperationDraft, RouteOperation>,
): readonly SitePath[] {
  return Array.from(
    groupBy(drafts, (draft) => draft.template),
    ([template, ofPath]) => {
      const named = ofPath.flatMap((draft) => operations.get(draft) ?? []);
      const byMethod = groupBy(named, ({ method }) => method);
      return { template, operations: Array.from(byMethod, ([method, routes]) => ({ method, routes })) };
    },
  );
}

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

/** Adds schemas that the site doesn't state. Other routes of the index tell its version. */
function withCoreSchemas(routes: readonly AnalyzedRoute[]): readonly AnalyzedRoute[] {
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
    return { ...analyzed, route: { ...analyzed.route, schema }, hasCoreSchema: true };
  });
}

function templateOf({ route, variants }: AnalyzedRoute): string {
  return removeParameterNames(variants[0]?.template ?? route.pattern);
}

/** Taxonomies, meta fields and settings are arguments too. */
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
