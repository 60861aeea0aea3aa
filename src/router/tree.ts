import { outlinePattern, type PatternOutline, sketchPattern, toAsciiLowerCase } from './outline.ts';

/** Finds the few routes that a path can match, whatever their number. */
export interface RouteTree {
  /** A superset of the routes that match, by position, in no order, without repetition. */
  candidates(path: string): number[];
}

interface TreeNode {
  readonly literals: Map<string, TreeNode>;
  wildcard: TreeNode | null;
  /** Routes that end here. */
  readonly routes: number[];
  /** Routes with more to come, by what it begins with. */
  readonly routesByPrefix: Map<string, number[]>;
  /** The lengths of the keys of `rests`. */
  readonly prefixLengths: number[];
  /** Routes of which only the way to here has been read: the rest is read when a path comes by. */
  incomplete: number[];
}

/** @param patterns the site's route patterns */
export function createRouteTree(patterns: readonly string[]): RouteTree {
  const root = createNode();
  for (const [route, pattern] of patterns.entries()) {
    const { segments, complete } = sketchPattern(pattern);
    const node = segments.reduce(getOrCreateChild, root);
    if (complete) node.routes.push(route);
    else node.incomplete.push(route);
  }

  function completeSketches(node: TreeNode): void {
    const { incomplete } = node;
    node.incomplete = [];
    for (const route of incomplete) {
      const outline = outlinePattern(patterns[route] ?? '');
      if (outline !== null) insertRoute(root, route, outline);
    }
  }

  /** @param start where the next segment of the path begins; behind the path once the last has been taken */
  function collect(node: TreeNode, path: string, start: number, found: number[]): void {
    if (node.incomplete.length > 0) completeSketches(node);
    if (start > path.length) {
      appendAll(found, node.routes);
      return;
    }
    for (const length of node.prefixLengths) {
      if (start + length > path.length) continue;
      const routes = node.routesByPrefix.get(path.slice(start, start + length));
      if (routes !== undefined) appendAll(found, routes);
    }
    if (node.literals.size === 0 && node.wildcard === null) return;
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const literal = node.literals.get(path.slice(start, end));
    if (literal !== undefined) collect(literal, path, end + 1, found);
    if (node.wildcard !== null) collect(node.wildcard, path, end + 1, found);
  }

  return {
    candidates(path) {
      const found: number[] = [];
      const lower = toAsciiLowerCase(path);
      collect(root, lower, 0, found);
      // `$` also stands before a newline at the very end.
      if (!lower.endsWith('\n')) return found;
      collect(root, lower.slice(0, -1), 0, found);
      return [...new Set(found)];
    },
  };
}

function createNode(): TreeNode {
  return {
    literals: new Map(),
    wildcard: null,
    routes: [],
    routesByPrefix: new Map(),
    prefixLengths: [],
    incomplete: [],
  };
}

function insertRoute(root: TreeNode, route: number, { segments, prefix }: PatternOutline): void {
  const node = segments.reduce(getOrCreateChild, root);
  if (prefix === null) {
    node.routes.push(route);
    return;
  }
  const same = node.routesByPrefix.get(prefix);
  if (same === undefined) node.routesByPrefix.set(prefix, [route]);
  else same.push(route);
  if (!node.prefixLengths.includes(prefix.length)) node.prefixLengths.push(prefix.length);
}

function getOrCreateChild(node: TreeNode, segment: string | null): TreeNode {
  if (segment === null) {
    node.wildcard ??= createNode();
    return node.wildcard;
  }
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const next = createNode();
  node.literals.set(segment, next);
  return next;
}

function appendAll(found: number[], routes: readonly number[]): void {
  for (const route of routes) found.push(route);
}
