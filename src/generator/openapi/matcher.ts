import { getOrCreate } from '../../base/memoize.ts';
import { compileRoute, hasTopLevelAlternation, type RouteMatcher } from '../../base/pcre/index.ts';
import { trimTrailingSlashes } from '../../base/php/request.ts';
import { type Steps, visitInSteps } from '../../base/steps.ts';
import type { Operation, ServedApi, ServedRoute } from './index.ts';

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
  readonly namespaces: readonly string[];
  readonly #namespacePositions: readonly number[];
  readonly #compiled: (RouteMatcher | undefined)[] = [];
  readonly #starts: RouteStarts;

  private constructor({ namespaces, routes }: ServedApi, starts: RouteStarts) {
    this.namespaces = [...new Set(namespaces)];
    const positions = new Map(this.namespaces.map((namespace, position) => [namespace, position]));
    this.#routes = routes;
    this.#namespacePositions = routes.map((route) => positions.get(route.namespace) ?? -1);
    this.#starts = starts;
  }

  static *create(api: ServedApi): Steps<OperationMatcher> {
    const starts: RouteStarts = new Map();
    yield* visitInSteps(api.routes.entries(), ([position, { pattern }]) => {
      getOrCreate(starts, readStart(pattern), (): number[] => []).push(position);
    });
    return new OperationMatcher(api, starts);
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
    for (const [position, namespace] of this.namespaces.entries())
      if (slashed.startsWith(namespace)) namespaces.push(position);
    const positions = this.#namespacePositions;
    const candidates = findCandidates(this.#starts, path);
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

type RouteStarts = Map<string, number[]>;

const MAX_SEGMENTS = 12;

function findCandidates(starts: RouteStarts, path: string): number[] {
  // PCRE's `$` also matches before a final newline.
  const lower = toAsciiLowerCase(path).replace(/\n$/, '');
  const keys = new Set(['', lower]);
  for (let end = -1, segment = 0; segment < MAX_SEGMENTS; segment += 1) {
    end = lower.indexOf('/', end + 1);
    if (end < 0) break;
    keys.add(lower.slice(0, end + 1));
  }
  return [...keys].flatMap((key) => starts.get(key) ?? []);
}

function readStart(pattern: string): string {
  if (canHaveAlternatives(pattern)) return '';
  const [declared = ''] = /^(?:[\w/~-]|\\[/.-])*/.exec(pattern) ?? [];
  const text = toAsciiLowerCase(declared.replaceAll('\\', ''));
  if (declared.length === pattern.length) return text;
  // A quantifier makes the last character optional.
  const certain = /[?*+{]/.test(pattern.charAt(declared.length)) ? text.slice(0, -1) : text;
  return /^(?:[^/]*\/){0,12}/.exec(certain)?.[0] ?? '';
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
