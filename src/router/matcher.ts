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
      /** Values of the pattern's named groups, as byte strings, as `preg_match` fills them. */
      readonly params: Readonly<Record<string, string>>;
      /** `false` if a tried pattern could only be approximated, so the site can run another route. */
      readonly isCertain: boolean;
    }
  /** Routes match the path, but none has the method. `OPTIONS` also gives this: WordPress describes the first route. */
  | { readonly kind: 'method-not-allowed'; readonly route: ServedRoute; readonly methods: readonly string[] }
  | { readonly kind: 'none' };

const NO_MATCH: OperationMatch = { kind: 'none' };

/**
 * Maximum work for one path, in steps of some 30 ns: the candidates after it count as matching. A path of a real site has some
 * 300 characters of candidates, a hostile index has megabytes. It is the same each time, so a result does not depend on what was
 * compiled before.
 */
const MAX_WORK = 2_000_000;
/** Steps to compile a character of a pattern. */
const STEPS_TO_COMPILE = 64;

const UNREAD: RouteMatcher = { exact: false, stepsPerCharacter: 0, match: () => ({}) };

/** Finds operations as WordPress does. It has read the leading segments of all patterns, and compiles a pattern on first use. */
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

  /**
   * Finds the operation for a request, as `WP_REST_Server::match_request_to_handler()` does.
   *
   * @param method the effective method, upper case
   * @param path the route path as WordPress matches it: a byte string without trailing slash
   */
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

  /**
   * Routes that can match a path, in the order in which WordPress tries them: only those of the namespaces that are a byte prefix of
   * the path, if there are any (`0 === strpos( trailingslashit( ltrim( $path, '/' ) ), $namespace )`). Segment boundaries are ignored:
   * `wp/v2` is a prefix of `/wp/v20/x`.
   */
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
    // WordPress merges get_routes() of one namespace after another, each in registration order.
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
  /** Routes whose last segment leads to this node. */
  readonly routes: number[] = [];
  /** Routes that continue with a segment of another form. Any path that reaches the node can match them. */
  readonly continued: number[] = [];
}

/** A tree over the segments of route patterns. It finds the few routes that a path can match. */
class RouteTree {
  readonly #root = new TreeNode();

  /** @param patterns route patterns in registration order */
  *fill(patterns: readonly string[]): Steps<void> {
    yield* visitInSteps(patterns.entries(), ([route, pattern]) => {
      const { isComplete, segments } = readLeadingSegments(pattern);
      const node = segments.reduce(getOrCreateChild, this.#root);
      (isComplete ? node.routes : node.continued).push(route);
    });
  }

  /** Returns the positions of all routes that match, and possibly of others; unordered, each once. */
  findCandidates(path: string): number[] {
    const found: number[] = [];
    const lower = toAsciiLowerCase(path);
    this.#collect(this.#root, lower, 0, found);
    // PCRE's `$` also matches before a final newline.
    if (!lower.endsWith('\n')) return found;
    this.#collect(this.#root, lower.slice(0, -1), 0, found);
    return [...new Set(found)];
  }

  /** @param start start of the next segment; greater than the path's length after the last one */
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

/** Maximum number of segments that are told apart. Each is a node of the tree. */
const MAX_SEGMENTS = 12;

/**
 * A segment of a common form: literal text, or one named group of a character class without slash. Only ranges between
 * letters and digits are accepted: the range `.-0` would contain the slash.
 */
const COMMON_SEGMENT =
  /\/(?:([\w-]+)|\(\?P<\w+>(?:\[(?:\\[dws-]|[A-Za-z0-9](?:-[A-Za-z0-9])?|_)+-?\]|\\[dw])\+?\))(?=\/(?![?*+{])|$)/y;

/** Reads the leading segments that have a common form; most patterns have no others. */
function readLeadingSegments(pattern: string): {
  /** Literal text in lower case, because WordPress matches routes without case; `null` for any text without a slash. */
  readonly segments: readonly (string | null)[];
  /** Whether these are all segments and the path ends with them. */
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

/** Whether the pattern can have a `|` outside of all groups. Its first segments then belong to one alternative only. */
function canHaveAlternatives(pattern: string): boolean {
  if (!pattern.includes('|')) return false;
  // Only the parser handles quotations, comments and nested classes.
  return /\\Q|\(\?#|\[\[/.test(pattern) || hasTopLevelAlternation(pattern);
}

/** Converts ASCII letters to lower case, as PCRE folds bytes without the `u` flag. */
function toAsciiLowerCase(bytes: string): string {
  return /[A-Z]/.test(bytes) ? bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : bytes;
}
