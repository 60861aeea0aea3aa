import type { Diagnostic } from '../diagnostics.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import { unsaidAuthentication } from './authentication.ts';
import { assignNames, summaryOf } from './naming/index.ts';
import {
  type NamelessOperation,
  operationsAt,
  prepareRoute,
  type Surroundings,
  titledShapes,
} from './operations.ts';
import { createResources } from './resources.ts';
import type { KnownGroups } from './route.ts';
import { type ReadRoute, type RoutePath, readRoute } from './routes.ts';
import { createNormalizer } from './schema/index.ts';
import type { RouteOperation, Site, SiteCounts, SiteOperation, SitePath } from './site.ts';
import { groupByTemplate } from './templates.ts';

export type * from './site.ts';

/**
 * Describes a site's interface by paths and operations. Pure, and total: whatever the index holds becomes an operation,
 * an argument or a diagnostic.
 */
export function toModel(discovered: DiscoveredSite): Site {
  const { address, index } = discovered;
  const diagnostics: Diagnostic[] = [...discovered.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const groups: KnownGroups = new Map();
  const routes = index.routes.map((route) => readRoute(route, report, groups));
  const normalizer = createNormalizer(report);
  const around: Surroundings = {
    normalizer,
    resources: createResources(normalizer),
    titled: new Set(routes.flatMap(titledShapes)),
  };
  const drafts = draftsOf(routes, around);
  const operations = named(drafts);
  unsaidAuthentication(index.authentication, report);
  const paths = pathsOf(drafts, operations);
  return {
    address,
    name: index.name,
    description: index.description,
    namespaces: index.namespaces,
    authentication: index.authentication,
    routes: index.routes.map(({ pattern, namespace }) => ({ pattern, namespace })),
    paths,
    diagnostics,
    counts: countsOf(routes, paths),
  };
}

/** An operation with its template and where it stands in the site's order. */
interface Draft extends NamelessOperation {
  readonly template: string;
  readonly order: number;
}

function draftsOf(routes: readonly ReadRoute[], around: Surroundings): readonly Draft[] {
  const prepared = new Map(routes.map((read) => [read, prepareRoute(read, around)]));
  const order = new Map(routes.map((read, index) => [read, index]));
  const variants = routes.flatMap((of) =>
    of.variants.map((variant) => ({ route: { of, variant } satisfies RoutePath, variant })),
  );
  const groups = groupByTemplate(variants, ({ of }) => of.methods);
  return groups.flatMap((group) =>
    group.members.flatMap((member) => {
      const its = prepared.get(member.route.of);
      if (its === undefined) return [];
      return operationsAt(member, group, its, around.titled).map((draft) => ({
        ...draft,
        template: group.template,
        order: order.get(member.route.of) ?? 0,
      }));
    }),
  );
}

/** Names are given in the site's order, so that a route that is added at the end renames nothing. */
function named(drafts: readonly Draft[]): ReadonlyMap<Draft, RouteOperation> {
  const ordered = [...drafts].sort((a, b) => a.order - b.order);
  const ids = assignNames(ordered.map(({ facts, operation }) => ({ facts, pattern: operation.pattern })));
  return new Map(
    ordered.map((draft, index) => [
      draft,
      { id: ids[index] ?? '', summary: summaryOf(draft.facts), ...draft.operation },
    ]),
  );
}

function pathsOf(
  drafts: readonly Draft[],
  operations: ReadonlyMap<Draft, RouteOperation>,
): readonly SitePath[] {
  const paths = new Map<string, Map<string, [RouteOperation, ...RouteOperation[]]>>();
  for (const draft of drafts) {
    const operation = operations.get(draft);
    if (operation === undefined) continue;
    const methods = paths.get(draft.template) ?? new Map<string, [RouteOperation, ...RouteOperation[]]>();
    paths.set(draft.template, methods);
    const before = methods.get(operation.method);
    if (before === undefined) methods.set(operation.method, [operation]);
    else before.push(operation);
  }
  return [...paths].map(([template, methods]) => ({
    template,
    operations: [...methods].map(([method, routes]): SiteOperation => ({ method, routes })),
  }));
}

function countsOf(routes: readonly ReadRoute[], paths: readonly SitePath[]): SiteCounts {
  const carried = new Map<string, Set<string>>();
  for (const operation of paths.flatMap((path) => path.operations.flatMap((each) => each.routes))) {
    const names = namesOf(operation);
    const key = `${operation.method} ${operation.pattern}`;
    const before = carried.get(key);
    carried.set(key, before === undefined ? names : new Set([...before].filter((name) => names.has(name))));
  }
  let declared = 0;
  let found = 0;
  for (const { route, live } of routes) {
    for (const { endpoint, methods } of live) {
      for (const method of methods) {
        const names = carried.get(`${method} ${route.pattern}`);
        declared += endpoint.args.length;
        found += endpoint.args.filter(({ name }) => names?.has(name) === true).length;
      }
    }
  }
  return {
    routes: routes.length,
    endpoints: routes.reduce((sum, { route }) => sum + route.endpoints.length, 0),
    operations: paths.reduce((sum, path) => sum + path.operations.length, 0),
    arguments: { declared, carried: found },
  };
}

function namesOf({ path, query, body }: RouteOperation): Set<string> {
  const properties = body?.fields['properties'];
  const fields = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const inPath = path.flatMap(({ siteName, partOf }) => partOf ?? siteName ?? []);
  return new Set([...inPath, ...query.map(({ name }) => name), ...fields]);
}
