import type { Report } from '../diagnostics.ts';
import type { IndexRoute } from '../discovery/site.ts';
import { type LiveEndpoint, liveEndpoints, pointerOf } from './endpoints.ts';
import {
  expandRoute,
  type KnownGroups,
  type RouteExpansion,
  type RouteParameter,
  type RouteVariant,
} from './route.ts';

/** A route with what its pattern comes to and the endpoints that can answer. */
export interface ReadRoute {
  readonly route: IndexRoute;
  readonly variants: readonly RouteVariant[];
  readonly live: readonly LiveEndpoint[];
  /** The methods of the live endpoints. */
  readonly methods: ReadonlySet<string>;
}

/** One path of one route. */
export interface RoutePath {
  readonly of: ReadRoute;
  readonly variant: RouteVariant;
}

/** @param known is filled: what groups come to that other routes of the site may have as well */
export function readRoute(route: IndexRoute, report: Report, known?: KnownGroups): ReadRoute {
  const expansion = expandRoute(route.pattern, known);
  const live = liveEndpoints(route, report);
  const variants = expansion.variants.map(rooted);
  reportPattern(route, expansion, report);
  for (const parameter of parametersOf(variants)) reportParameter(route, parameter, report);
  return { route, variants, live, methods: new Set(live.flatMap(({ methods }) => methods)) };
}

/** A path of a document begins with a slash; a pattern that does not can match no request, but is shown all the same. */
function rooted(variant: RouteVariant): RouteVariant {
  return variant.template.startsWith('/') ? variant : { ...variant, template: `/${variant.template}` };
}

/** Each group once, though every path of the route may have it. */
function parametersOf(variants: readonly RouteVariant[]): readonly RouteParameter[] {
  const parameters = variants.flatMap((variant) => variant.parameters);
  return [...new Map(parameters.map((each) => [`${each.name} ${each.pcre}`, each])).values()];
}

function reportPattern(route: IndexRoute, expansion: RouteExpansion, report: Report): void {
  const place = { route: route.pattern, pointer: pointerOf(route) };
  if (!expansion.ok && expansion.dead) {
    report({
      rule: 'route-dead',
      severity: 'warning',
      ...place,
      message: expansion.notes.map(sentence).join(' '),
      action: 'The site never answers it. It stands in the document by what could be read of it.',
    });
    return;
  }
  for (const note of expansion.notes) {
    report({
      rule: expansion.ok ? 'route-pattern' : 'route-pattern-unreadable',
      severity: expansion.ok ? 'info' : 'warning',
      ...place,
      message: sentence(note),
      action: expansion.ok
        ? 'The paths of the document are as near as OpenAPI can say; requests are matched by the pattern itself.'
        : 'The route stands in the document by what could be read of it.',
    });
  }
}

function reportParameter(route: IndexRoute, parameter: RouteParameter, report: Report): void {
  const common = { route: route.pattern, pointer: pointerOf(route) };
  const { name, exact, reasons, ambiguity } = parameter;
  if (!exact) {
    report({
      ...common,
      rule: 'path-pattern-widened',
      severity: 'warning',
      message: `The group "${name}" has no exact form in ECMA-262: ${reasons.join('; ')}.`,
      action: 'Its `pattern` is the narrowest safe one that accepts everything the site accepts.',
    });
  }
  if (ambiguity === 'exponential' || ambiguity === 'polynomial') {
    report({
      ...common,
      rule: 'path-pattern-backtracks',
      severity: 'warning',
      message: `The group "${name}" can keep a backtracking engine busy (${ambiguity}).`,
      action: 'Requests are matched by means that stay linear.',
    });
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
