import type { Diagnostic, DiagnosticReporter } from '../../base/diagnostics.ts';
import { toPointerSegment } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  ANYTHING,
  childrenOf,
  getOccurrence,
  isNullable,
  isolateGroup,
  type PcreNode,
  QUESTION_MARK,
  SLASH,
} from '../../base/pcre/ast.ts';
import { DOT } from '../../base/pcre/charset.ts';
import { extractLiteralPrefix } from '../../base/pcre/matcher.ts';
import { parseRoutePattern } from '../../base/pcre/parser.ts';
import { toEcmaPattern } from '../../base/pcre/to-ecma.ts';
import { escapeByte, trimTrailingSlashes } from '../../base/php/request.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import type { IndexEndpoint, IndexRoute } from '../discovery/site.ts';

export interface AnalyzedRoute {
  readonly route: IndexRoute;
  readonly variants: readonly RouteVariant[];
  readonly endpoints: readonly ReachableEndpoint[];
  readonly methods: ReadonlySet<string>;
  readonly hasCoreSchema?: boolean;
}

export function analyzeRoute(route: IndexRoute, report: DiagnosticReporter): AnalyzedRoute {
  const { defect, isUnreachable, variants } = expandRoute(route.pattern);
  const endpoints = listReachableEndpoints(route, report);
  const reportRoute = (
    rule: string,
    severity: Diagnostic['severity'],
    message: string,
    action: string,
  ): void =>
    report({ route: route.pattern, pointer: rootIndexPointer(route), rule, severity, message, action });
  if (defect !== undefined) {
    const action = `Kept the readable part of the route in the document${isUnreachable ? '; the site never handles it' : ''}.`;
    reportRoute(isUnreachable ? 'route-dead' : 'route-pattern-unreadable', 'warning', defect, action);
  } else if (variants.some(({ template }) => template.includes('%'))) {
    const message = 'The site does not decode a path: it finds this route as `?rest_route=` only.';
    const action = 'Listed the encoded path; requests are matched by the pattern itself.';
    reportRoute('route-encoded', 'info', message, action);
  }
  const parameters = variants
    .flatMap((variant) => variant.parameters)
    .filter(({ wideningReasons }) => wideningReasons.length > 0);
  for (const { name, wideningReasons } of new Map(
    parameters.map((each) => [`${each.name} ${each.ecmaPattern}`, each]),
  ).values()) {
    const message = `The group "${name}" has no exact form in ECMA-262: ${wideningReasons.join('; ')}.`;
    const action = 'Used the narrowest pattern that accepts every value the site accepts.';
    reportRoute('path-pattern-widened', 'warning', message, action);
  }
  return { route, variants, endpoints, methods: new Set(endpoints.flatMap(({ methods }) => methods)) };
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

interface RouteExpansion {
  readonly variants: readonly RouteVariant[];
  readonly defect?: string;
  readonly isUnreachable: boolean;
}

export interface RouteVariant {
  readonly template: string;
  readonly parameters: readonly RouteParameter[];
}

/** Expands a route pattern into paths. An unreadable pattern becomes its literal prefix and a parameter. */
function expandRoute(pattern: string): RouteExpansion {
  const parsed = parseRoutePattern(pattern);
  if (!parsed.ok) {
    // The parser counts the `^` that WordPress puts before the pattern.
    const defect = `The pattern cannot be read (${parsed.message}, at ${parsed.offset - 1}).`;
    return { variants: [fallbackVariant(pattern)], defect, isUnreachable: parsed.reason === 'invalid' };
  }
  const { rejectionReason, root } = parsed;
  const paths = expandToPaths(root);
  const isUnreachable = rejectionReason !== undefined;
  if (paths.flat().filter(({ kind }) => kind === 'value').length > MAX_PARAMETERS) {
    const defect = `Its paths have more than ${MAX_PARAMETERS} parameters.`;
    return { variants: [fallbackVariant(pattern)], defect, isUnreachable };
  }
  const variants = withoutAdjacentParameters(distinctTemplates(paths.map(toVariant)));
  const defect =
    rejectionReason &&
    `The site cannot compile the pattern (${rejectionReason}) and never handles the route.`;
  return { variants, ...omitUndefined({ defect }), isUnreachable };
}

function distinctTemplates(variants: readonly RouteVariant[]): readonly RouteVariant[] {
  const seen = new Set<string>();
  return variants.filter(({ template }) => !seen.has(template) && seen.add(template));
}

/** Removes `/{id}{field}` beside `/{id}/{field}`: the site would read such a request as `/{id}`. */
function withoutAdjacentParameters(variants: readonly RouteVariant[]): readonly RouteVariant[] {
  const adjacent = new Set<string>();
  for (const { template } of variants) {
    for (const { index } of template.matchAll(/(?<=\})\/(?=\{)/g)) {
      adjacent.add(template.slice(0, index) + template.slice(index + 1));
    }
  }
  return variants.filter(({ template }) => !adjacent.has(template));
}

/** Variables of functions that orval generates with the template's parameter names. No name is sent. */
const VARIABLES: readonly string[] = ['body', 'data', 'options', 'res'];

function toVariant(path: ExpandedPath): RouteVariant {
  const parameters: RouteParameter[] = [];
  const taken = new UniqueNames(VARIABLES, { separator: '_' });
  let template = '';
  for (const piece of path) {
    if (piece.kind === 'text') {
      template += encodeTemplateText(piece.bytes);
      continue;
    }
    const wanted = piece.name ?? 'segment';
    const name = taken.claim(wanted, ...(VARIABLES.includes(wanted) ? [`${wanted}_value`] : []));
    parameters.push(createRouteParameter(name, piece.name, piece.node));
    template += `{${name}}`;
  }
  const rooted = template.startsWith('/') ? template : `/${template}`;
  return { template: trimTrailingSlashes(rooted) || '/', parameters };
}

function fallbackVariant(pattern: string): RouteVariant {
  const { text, groupName } = extractLiteralPrefix(pattern);
  const anything: PcreNode = { kind: 'widened', what: 'a pattern that cannot be read', body: ANYTHING };
  const parameter = createRouteParameter(groupName ?? 'segment', groupName, anything);
  const rooted = text.startsWith('/') ? text : `/${text}`;
  return {
    template: `${rooted}{${parameter.name}}`,
    parameters: [groupName === undefined ? parameter : { ...parameter, pcre: pattern }],
  };
}

function encodeTemplateText(bytes: readonly number[]): string {
  // RFC 3986 §3.3, pchar, without the percent sign.
  return String.fromCharCode(...bytes).replace(/[^\w.~!$&'()*+,;=:@/-]/g, escapeByte);
}

type PathPiece =
  | { readonly kind: 'text'; readonly bytes: readonly number[] }
  | { readonly kind: 'value'; readonly name?: string; readonly node: PcreNode };

type ExpandedPath = readonly PathPiece[];

const MAX_PATHS = 16;
/** For all paths together: translating the pattern of one can take milliseconds. */
const MAX_PARAMETERS = 100;
const MAX_OPTIONS = 8;

function expandToPaths(root: PcreNode): readonly ExpandedPath[] {
  const expanded = expand(root).flatMap((path) => withEmptyEnd(mergeNeighbours(path)));
  const requestable = expanded.filter(isRequestable);
  return (requestable.length > 0 ? requestable : expanded).slice(0, MAX_PATHS);
}

/** A last value that can be empty, e.g. `(?P<path>.*)`, can be absent. */
function withEmptyEnd(path: ExpandedPath): readonly ExpandedPath[] {
  const last = path.at(-1);
  return last?.kind === 'value' && isNullable(last.node) ? [path.slice(0, -1), path] : [path];
}

/** WordPress trims trailing slashes of a request. */
function isRequestable(path: ExpandedPath): boolean {
  const last = path.at(-1);
  if (last?.kind !== 'text' || last.bytes.at(-1) !== SLASH) return true;
  return path.length === 1 && last.bytes.length === 1;
}

function expand(node: PcreNode): readonly ExpandedPath[] {
  switch (node.kind) {
    case 'set':
      return expandSet(node);
    case 'sequence':
      return expandSequence(node.items);
    case 'alternation':
      return expandAlternation(node.options, node);
    case 'group':
      return node.name === undefined ? expand(node.body) : [[{ kind: 'value', name: node.name, node }]];
    case 'repeat':
      return expandRepeat(node);
    case 'assert':
      return [[]];
    case 'widened':
      if (node.body === ANYTHING) return [[{ kind: 'value', node }]];
      return expand(node.body).map((path) =>
        path.map((piece) =>
          piece.kind === 'value' && piece.node === node.body ? { ...piece, node } : piece,
        ),
      );
  }
}

function expandSequence(items: readonly PcreNode[]): readonly ExpandedPath[] {
  let paths: PathPiece[][] = [[]];
  for (const item of items) {
    const tails = limitTails(expand(item), item, Math.floor(MAX_PATHS / paths.length));
    const [only] = tails;
    if (only !== undefined && tails.length === 1) for (const path of paths) path.push(...only);
    else paths = paths.flatMap((path) => tails.map((tail) => [...path, ...tail]));
  }
  return paths;
}

/** Makes an item without named groups one value. Of others, the alternatives with the most pieces stay. */
function limitTails(
  tails: readonly ExpandedPath[],
  item: PcreNode,
  maxTails: number,
): readonly ExpandedPath[] {
  if (tails.length <= Math.max(maxTails, 1)) return tails;
  if (listGroupNames(item).length === 0) return [[{ kind: 'value', node: item }]];
  return [...tails].sort((a, b) => b.length - a.length).slice(0, Math.max(maxTails, 1));
}

function expandSet(node: PcreNode & { kind: 'set' }): readonly ExpandedPath[] {
  if (node.literal !== undefined) return [[{ kind: 'text', bytes: [node.literal] }]];
  // An unescaped `.` is meant as a dot.
  if (node.exact === DOT.exact) return [[{ kind: 'text', bytes: [0x2e] }]];
  const options = node.members.size <= 2 * MAX_OPTIONS ? listBytes(node) : [];
  if (options.length === 0 || options.length > MAX_OPTIONS) return [[{ kind: 'value', node }]];
  return options.map((byte) => [{ kind: 'text', bytes: [byte] }]);
}

function expandAlternation(all: readonly PcreNode[], node: PcreNode): readonly ExpandedPath[] {
  const reachable = all.filter((option) => !needsQuestionMark(option));
  const options = reachable.length > 0 ? reachable : all;
  const expanded = options.flatMap(expand);
  const isLiteral = expanded.every((path) => path.every((piece) => piece.kind === 'text'));
  const isListed = options.some((option) => listGroupNames(option).length > 0);
  if (isListed || (isLiteral && expanded.length <= MAX_OPTIONS)) return expanded;
  const value: PcreNode = options.length < all.length ? { kind: 'alternation', options } : node;
  return [[{ kind: 'value', node: value }]];
}

function expandRepeat(node: PcreNode & { kind: 'repeat' }): readonly ExpandedPath[] {
  if (node.max === 0 || (node.min === 0 && needsQuestionMark(node.body))) return [[]];
  if (node.min === 1 && node.max === 1) return expand(node.body);
  const isText = literalLength(node.body) > 0;
  if (node.max === 1) {
    // An optional part without named groups, e.g. `\w?`, is one parameter.
    const isUnnamed = !isText && listGroupNames(node).length === 0 && !startsWithSlash(node.body);
    return isUnnamed ? [[{ kind: 'value', node }]] : [[], ...expand(node.body)];
  }
  if (isText && node.min === node.max && node.max <= MAX_OPTIONS) {
    const [once = []] = expand(node.body);
    return [Array.from({ length: node.max }, () => once).flat()];
  }
  // The site reads the last of the values that a repeated group has.
  const [name] = listGroupNames(node.body);
  return [[{ kind: 'value', node, ...omitUndefined({ name }) }]];
}

/** A `?` begins the query. Jetpack ends routes in `(\?.*)?`. */
function needsQuestionMark(node: PcreNode): boolean {
  return getOccurrence(node, QUESTION_MARK) === 'always';
}

function listGroupNames(node: PcreNode): readonly string[] {
  const ownName = node.kind === 'group' && node.name !== undefined ? [node.name] : [];
  return [...ownName, ...childrenOf(node).flatMap(listGroupNames)];
}

function listBytes(node: PcreNode & { kind: 'set' }): readonly number[] {
  const bytes = [...node.members];
  return bytes.filter((byte) => !(byte >= 0x41 && byte <= 0x5a && bytes.includes(byte + 32)));
}

function literalLength(node: PcreNode): number {
  if (node.kind === 'set') return node.literal === undefined ? 0 : 1;
  if (node.kind === 'group' && node.name !== undefined) return 0;
  if (node.kind !== 'sequence' && node.kind !== 'group') return 0;
  const sizes = childrenOf(node).map(literalLength);
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : 0;
}

function startsWithSlash(node: PcreNode): boolean {
  if (node.kind === 'set') return node.literal === 0x2f;
  const [first] = childrenOf(node);
  return first !== undefined && node.kind !== 'repeat' && startsWithSlash(first);
}

function mergeNeighbours(path: ExpandedPath): ExpandedPath {
  const groups: PathPiece[][] = [];
  for (const piece of path) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isSame =
      piece.kind === 'text'
        ? first?.kind === 'text'
        : piece.name === undefined && first?.kind === 'value' && first.name === undefined;
    if (isSame) group?.push(piece);
    else groups.push([piece]);
  }
  return groups.flatMap((group): readonly PathPiece[] => {
    if (group.length === 1) return group;
    const items = group.flatMap((piece) => (piece.kind === 'value' ? [piece.node] : []));
    if (items.length > 0) return [{ kind: 'value', node: { kind: 'sequence', items } }];
    return [{ kind: 'text', bytes: group.flatMap((piece) => (piece.kind === 'text' ? piece.bytes : [])) }];
  });
}

export interface RouteParameter {
  readonly name: string;
  readonly groupName?: string;
  /** The site's text of a named group. */
  readonly pcre?: string;
  /** ECMA-262, anchored, explicitly case-insensitive. */
  readonly ecmaPattern: string;
  readonly wideningReasons: readonly string[];
  readonly canContainSlash: boolean;
}

function createRouteParameter(name: string, groupName: string | undefined, node: PcreNode): RouteParameter {
  const body = node.kind === 'group' ? node.body : node;
  const isolated = isolateGroup(body);
  const { pattern, wideningReasons } = toEcmaPattern(isolated, { unicode: false, matchesWhole: true });
  return {
    name,
    ...omitUndefined({ groupName, pcre: groupName === undefined ? undefined : findGroupSource(node) }),
    ecmaPattern: pattern,
    wideningReasons,
    canContainSlash: getOccurrence(body, SLASH) !== 'never',
  };
}

function findGroupSource(node: PcreNode): string {
  if (node.kind === 'group' && node.name !== undefined) return node.source;
  return (
    childrenOf(node)
      .map(findGroupSource)
      .find((source) => source !== '') ?? ''
  );
}
