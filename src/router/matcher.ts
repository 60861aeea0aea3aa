import { getOrCreate } from '../memoize.ts';
import type { Operation, ServedApi, ServedRoute } from '../openapi/index.ts';
import { compileRoute, hasTopLevelAlternation, type RouteMatcher } from '../pcre/index.ts';
import { trimTrailingSlashes } from '../php/request.ts';
import { type Steps, visitInSteps } from '../steps.ts';

export type OperationMatch =
  | {
      readonly kind: 'found';
      readonly route: ServedRoute;
      readonly operation: Operation;
      /** The pattern's named groups as `preg_match` fills them: byte strings. */
      readonly params: Readonly<Record<string, string>>;
      /** `false` if a tried pattern was approximated, so the site can run another route. */
      readonly isCertain: boolean;
    }
  /** Routes match, but none has the method. */
  | { readonly kind: 'method-not-allowed'; readonly route: ServedRoute; readonly methods: readonly string[] }
  | { readonly kind: 'none' };

const NO_MATCH: OperationMatch = { kind: 'none' };

/** Steps for one path: later candidates count as matching. */
const MAX_WORK = 2_000_000;
const STEPS_TO_COMPILE = 64;

const UNREAD: RouteMatcher = { exact: false, stepsPerCharacter: 0, match: () => ({}) };

/** Finds operations as WordPress does. Patterns are compiled on first use. */
export class OperationMatcher {
  readonly #routes: readonly ServedRoute[];
  readonly #namespaces: readonly string[];
  readonly #namespacePositions: readonly number[];
  readonly #compiled: (RouteMatcher | undefined)[] = [];
  readonly #tree: RouteTree;

  private constructor({ namespaces, routes }: ServedApi, tree: RouteTree) {
    this.#namespaces = [...new Set(namespaces)];
    const positions = new Map(this.#namespaces.map((namespace, position) => [namespace, position]));
    this.#routes = routes;
    this.#namespacePositions = routes.map((route) => positions.get(route.namespace) ?? -1);
    this.#tree = tree;
  }

  static *create(api: ServedApi): Steps<OperationMatcher> {
    const tree = new RouteTree();
    yield* tree.fill(api.routes.map((route) => route.pattern));
    return new OperationMatcher(api, tree);
  }

  /** `match_request_to_handler()`. @param method after overrides, upper case @param path a byte string */
  match(method: string, path: string): OperationMatch {
    const matching: ServedRoute[] = [];
    let isCertain = true;
    let work = 0;
    for (const index of this.#listCandidates(path)) {
      const route = this.#routes[index];
      if (route === undefined) continue;
      work += STEPS_TO_COMPILE * route.pattern.length;
      const matcher = work > MAX_WORK ? UNREAD : this.#getMatcher(index, route);
      work += matcher.stepsPerCharacter * path.length;
      isCertain &&= matcher.exact;
      const params = matcher.match(path);
      if (params === null) continue;
      const { operations } = route;
      const operation = operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);
      if (operation !== undefined) return { kind: 'found', route, operation, params, isCertain };
      matching.push(route);
    }
    const [route] = matching;
    if (route === undefined) return NO_MATCH;
    const methods = [...new Set(matching.flatMap((other) => [...other.operations.keys()]))];
    return { kind: 'method-not-allowed', route, methods };
  }

  /** In WordPress's order: only routes of namespaces that are a byte prefix, `wp/v2` of `/wp/v20/x`. */
  #listCandidates(path: string): number[] {
    const slashed = `${trimTrailingSlashes(path.replace(/^\/+/, ''))}/`;
    const namespaces: number[] = [];
    for (const [position, namespace] of this.#namespaces.entries())
      if (slashed.startsWith(namespace)) namespaces.push(position);
    const positions = this.#namespacePositions;
    const candidates = this.#tree.findCandidates(path);
    const eligible =
      namespaces.length === 0
        ? candidates
        : candidates.filter((index) => namespaces.includes(positions[index] ?? -1));
    if (eligible.length < 2) return eligible;
    // WordPress merges get_routes() of one namespace after another.
    return namespaces.length < 2
      ? eligible.sort((a, b) => a - b)
      : eligible.sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0) || a - b);
  }

  #getMatcher(index: number, route: ServedRoute): RouteMatcher {
    const known = this.#compiled[index];
    if (known !== undefined) return known;
    const matcher = compileRoute(route.pattern);
    this.#compiled[index] = matcher;
    return matcher;
  }
}

class TreeNode {
  readonly literals = new Map<string, TreeNode>();
  wildcard: TreeNode | null = null;
  readonly routes: number[] = [];
  /** Routes that continue with a segment of another form, which any path can match. */
  readonly continued: number[] = [];
}

/** A tree over the segments of route patterns, which finds the few routes that a path can match. */
class RouteTree {
  readonly #root = new TreeNode();

  *fill(patterns: readonly string[]): Steps<void> {
    yield* visitInSteps(patterns.entries(), ([route, pattern]) => {
      const { isComplete, segments } = readLeadingSegments(pattern);
      const node = segments.reduce(getOrCreateChild, this.#root);
      (isComplete ? node.routes : node.continued).push(route);
    });
  }

  /** The positions of all routes that match, and possibly of others; unordered. */
  findCandidates(path: string): number[] {
    const found: number[] = [];
    const lower = toAsciiLowerCase(path);
    this.#collect(this.#root, lower, 0, found);
    // PCRE's `$` also matches before a final newline.
    if (!lower.endsWith('\n')) return found;
    this.#collect(this.#root, lower.slice(0, -1), 0, found);
    return [...new Set(found)];
  }

  /** @param start of the next segment; beyond the path after the last one */
  #collect(node: TreeNode, path: string, start: number, found: number[]): void {
    if (start > path.length) {
      appendAll(found, node.routes);
      return;
    }
    appendAll(found, node.continued);
    if (node.literals.size === 0 && node.wildcard === null) return;
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const literal = node.literals.get(path.slice(start, end));
    if (literal !== undefined) this.#collect(literal, path, end + 1, found);
    if (node.wildcard !== null) this.#collect(node.wildcard, path, end + 1, found);
  }
}

function getOrCreateChild(node: TreeNode, segment: string | null): TreeNode {
  if (segment === null) {
    node.wildcard ??= new TreeNode();
    return node.wildcard;
  }
  return getOrCreate(node.literals, segment, () => new TreeNode());
}

function appendAll(found: number[], routes: readonly number[]): void {
  for (const route of routes) found.push(route);
}

const MAX_SEGMENTS = 12;

/** Literal text, or a named group of a class without slash. The range `.-0` would contain one. */
const COMMON_SEGMENT =
  /\/(?:([\w-]+)|\(\?P<\w+>(?:\[(?:\\[dws-]|[A-Za-z0-9](?:-[A-Za-z0-9])?|_)+-?\]|\\[dw])\+?\))(?=\/(?![?*+{])|$)/y;

function readLeadingSegments(pattern: string): {
  /** Literal text in lower case; `null` for any text without a slash. */
  readonly segments: readonly (string | null)[];
  /** Whether the path ends after these segments. */
  readonly isComplete: boolean;
} {
  if (pattern === '/') return { segments: ['', ''], isComplete: true };
  if (!pattern.startsWith('/') || /^\/[?*+{]/.test(pattern) || canHaveAlternatives(pattern)) {
    return { segments: [], isComplete: false };
  }
  const segments: (string | null)[] = [''];
  for (let at = 0; at < pattern.length; at = COMMON_SEGMENT.lastIndex) {
    COMMON_SEGMENT.lastIndex = at;
    const found = COMMON_SEGMENT.exec(pattern);
    if (found === null || segments.length === MAX_SEGMENTS) return { segments, isComplete: false };
    segments.push(found[1] === undefined ? null : toAsciiLowerCase(found[1]));
  }
  return { segments, isComplete: true };
}

/** Whether a `|` can be outside of all groups, so the first segments belong to one alternative. */
function canHaveAlternatives(pattern: string): boolean {
  if (!pattern.includes('|')) return false;
  // Only the parser handles quotations, comments and nested classes.
  return /\\Q|\(\?#|\[\[/.test(pattern) || hasTopLevelAlternation(pattern);
}

/** PCRE folds bytes without the `u` flag. */
function toAsciiLowerCase(bytes: string): string {
  return /[A-Z]/.test(bytes) ? bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : bytes;
}
