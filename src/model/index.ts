import { createBoundedReporter, type DiagnosticReporter } from '../diagnostics.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import { groupBy } from '../group-by.ts';
import { mapInSteps, type Steps } from '../steps.ts';
import { type AnalyzedRoute, analyzeRoute } from './analyze-route.ts';
import { resolveBulkLists } from './conventions/bulk-routes.ts';
import { assignOperationNames, toSchemaName } from './naming/names.ts';
import { type NameOwner, NamespaceRanks, titleWords } from './naming/namespaces.ts';
import { createOperationSummary } from './naming/summary.ts';
import {
  createOperations,
  listTitledTemplates,
  type NormalizedRoute,
  normalizeRouteSchemas,
  type UnnamedOperation,
} from './operations.ts';
import { ResourceRegistry } from './resources.ts';
import { Normalizer } from './schema/normalizer.ts';
import type { RouteOperation, SiteModel, SitePath } from './site.ts';
import { groupByTemplate, removeParameterNames } from './templates.ts';

export type * from './site.ts';

/**
 * Converts a discovered site into paths and operations. Pure. Never throws: every part of the index becomes an
 * operation, an argument or a diagnostic. The work is done in steps of about one route.
 */
export function* toSiteModel(discovered: DiscoveredSite): Steps<SiteModel> {
  const { address, index } = discovered;
  const diagnostics = [...discovered.diagnostics];
  const report = createBoundedReporter(diagnostics);
  const routes = yield* mapInSteps(index.routes, (route) => analyzeRoute(route, report));
  const ranks = new NamespaceRanks(index.routes.map(({ namespace }) => namespace));
  const normalized = yield* normalizeRoutes(routes, ranks, report);
  const drafts = yield* createDrafts(normalized);
  const operations = yield* nameOperations(drafts, createOwnerSearch(normalized, ranks));
  yield;
  const grouped = groupIntoPaths(drafts, operations);
  yield;
  const paths = resolveBulkLists(grouped);
  yield;
  return {
    address,
    name: index.name,
    description: index.description,
    namespaces: index.namespaces,
    authentication: index.authentication,
    routes: index.routes.map(({ pattern, namespace }) => ({ pattern, namespace })),
    paths,
    diagnostics,
    counts: {
      routes: routes.length,
      endpoints: routes.reduce((sum, { route }) => sum + route.endpoints.length, 0),
      operations: paths.reduce((sum, path) => sum + path.operations.length, 0),
    },
  };
}

interface OperationDraft extends UnnamedOperation {
  readonly template: string;
  /** Position of the route in the site's order. */
  readonly order: number;
}

/** Normalizes the schemas of all routes. What equal schemas have in common needs memory until the function returns. */
function* normalizeRoutes(
  routes: readonly AnalyzedRoute[],
  ranks: NamespaceRanks,
  report: DiagnosticReporter,
): Steps<readonly NormalizedRoute[]> {
  const normalizer = new Normalizer(report);
  const resourceRegistry = new ResourceRegistry(normalizer, ranks);
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
    normalized.analyzed.variants.map((variant) => ({ route: { normalized, variant, order }, variant })),
  );
  yield;
  const groups = groupByTemplate(variants, ({ normalized }) => normalized.analyzed.methods);
  yield;
  const drafts = yield* mapInSteps(groups, (group) =>
    group.members.flatMap((member) =>
      createOperations(member, group, { lenders, titledTemplates }).map((operation) => ({
        ...operation,
        template: group.template,
        order: member.route.order,
      })),
    ),
  );
  return drafts.flat();
}

/**
 * Creates a search for the owners of operations' names. The routes of a post type or a taxonomy that a plugin adds to `wp/v2` are
 * qualified where its resource is: `listPostTypeProduct` beside `listProducts` of the shop.
 */
function createOwnerSearch(
  routes: readonly NormalizedRoute[],
  ranks: NamespaceRanks,
): (namespace: string, template: string) => NameOwner {
  const owners = new Map<string, NameOwner>();
  for (const { analyzed, resource } of routes) {
    const { namespace, schema } = analyzed.route;
    const [template = ''] = analyzed.variants.map((variant) => variant.template);
    const title = schema?.['title'];
    if (resource === undefined || typeof title !== 'string') continue;
    if (!/^[^/]+$/.test(template.slice(namespace.length + 2))) continue;
    const owner = ranks.ownerOfTitle(namespace, title, resource.convention?.kind);
    if (owner.id === ranks.ownerOf(namespace).id) continue;
    const [, ...qualifiers] = owner.qualifiers;
    const isPlain = resource.name === toSchemaName(titleWords(namespace, title, schema ?? {}));
    owners.set(template, isPlain ? owner : { ...owner, qualifiers });
  }
  return (namespace, template) => {
    const [first = ''] = template.slice(namespace.length + 2).split('/');
    return owners.get(`/${namespace}/${first}`) ?? ranks.ownerOf(namespace);
  };
}

/** Assigns names in the site's order, so that a route that is added at the end renames no operation. */
function* nameOperations(
  drafts: readonly OperationDraft[],
  findOwner: ReturnType<typeof createOwnerSearch>,
): Steps<ReadonlyMap<OperationDraft, RouteOperation>> {
  const ordered = [...drafts].sort((a, b) => a.order - b.order);
  const unnamed = yield* mapInSteps(ordered, ({ namingInput, operation: { namespace } }) => ({
    namingInput,
    owner: findOwner(namespace, namingInput.template),
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
