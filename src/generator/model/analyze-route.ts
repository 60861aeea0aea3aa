import type { DiagnosticReporter } from '../../base/diagnostics.ts';
import { toPointerSegment } from '../../base/json.ts';
import type { IndexEndpoint, IndexRoute } from '../discovery/site.ts';
import { expandRoute, type RouteExpansion, type RouteParameter, type RouteVariant } from './expand-route.ts';

export interface AnalyzedRoute {
  readonly route: IndexRoute;
  readonly variants: readonly RouteVariant[];
  readonly endpoints: readonly ReachableEndpoint[];
  readonly methods: ReadonlySet<string>;
  readonly hasCoreSchema?: boolean;
}

export function analyzeRoute(route: IndexRoute, report: DiagnosticReporter): AnalyzedRoute {
  const expansion = expandRoute(route.pattern);
  const endpoints = listReachableEndpoints(route, report);
  const variants = expansion.variants.map(({ template, ...variant }) => ({
    ...variant,
    template: template.replace(/^(?!\/)/, '/'),
  }));
  reportPattern(route, expansion, report);
  const parameters = variants.flatMap((variant) => variant.parameters);
  const distinct = new Map(parameters.map((each) => [`${each.name} ${each.pcre}`, each]));
  for (const parameter of distinct.values()) reportParameter(route, parameter, report);
  return { route, variants, endpoints, methods: new Set(endpoints.flatMap(({ methods }) => methods)) };
}

function reportPattern(route: IndexRoute, expansion: RouteExpansion, report: DiagnosticReporter): void {
  const { defect, isUnreachable, variants } = expansion;
  const position = { route: route.pattern, pointer: rootIndexPointer(route) };
  if (defect !== undefined) {
    report({
      ...position,
      rule: isUnreachable ? 'route-dead' : 'route-pattern-unreadable',
      severity: 'warning',
      message: defect,
      action: `Kept the readable part of the route in the document${isUnreachable ? '; the site never handles it' : ''}.`,
    });
  } else if (variants.some(({ template }) => template.includes('%'))) {
    report({
      ...position,
      rule: 'route-encoded',
      severity: 'info',
      message: 'The site does not decode a path: it finds this route as `?rest_route=` only.',
      action: 'Listed the encoded path; requests are matched by the pattern itself.',
    });
  }
}

function reportParameter(route: IndexRoute, parameter: RouteParameter, report: DiagnosticReporter): void {
  const position = { route: route.pattern, pointer: rootIndexPointer(route) };
  const { name, isExact, wideningReasons } = parameter;
  if (!isExact) {
    report({
      ...position,
      rule: 'path-pattern-widened',
      severity: 'warning',
      message: `The group "${name}" has no exact form in ECMA-262: ${wideningReasons.join('; ')}.`,
      action: 'Used the narrowest pattern that accepts every value the site accepts.',
    });
  }
}

export interface ReachableEndpoint {
  readonly endpoint: IndexEndpoint;
  readonly methods: readonly string[];
}

/** WordPress calls the first endpoint of a method (`WP_REST_Server::match_request_to_handler`). */
function listReachableEndpoints(route: IndexRoute, report: DiagnosticReporter): readonly ReachableEndpoint[] {
  const handlers = new Map<string, IndexEndpoint>();
  const reachable: { endpoint: IndexEndpoint; methods: string[] }[] = [];
  for (const endpoint of route.endpoints) {
    const methods: string[] = [];
    for (const method of endpoint.methods) {
      const handler = handlers.get(method) ?? (method === 'HEAD' ? handlers.get('GET') : undefined);
      if (handler === undefined || handler === endpoint) {
        methods.push(method);
        handlers.set(method, endpoint);
        continue;
      }
      report({
        rule: 'dead-endpoint',
        severity: 'warning',
        route: route.pattern,
        pointer: rootIndexPointer(route, endpoint),
        message: `Endpoint ${handler.listIndex} of the same route comes first and handles ${method}.`,
        action: 'Left this endpoint out for the method: the site never calls it.',
      });
      if (method === 'HEAD' && !handlers.has('HEAD')) {
        reachable.find((each) => each.endpoint === handler)?.methods.push(method);
        handlers.set(method, handler);
      }
    }
    if (methods.length > 0) reachable.push({ endpoint, methods });
  }
  return reachable;
}

export function rootIndexPointer(route: IndexRoute, endpoint?: IndexEndpoint): string {
  const routePointer = `/routes${toPointerSegment(route.pattern)}`;
  return endpoint === undefined ? routePointer : `${routePointer}/endpoints/${endpoint.listIndex}`;
}
