import { type LiteralPath, readLeadingSegments, readLiteralPath, toAsciiLowerCase } from './literal-path.ts';

/** Finds the few routes that a path can match. */
export interface RouteTree {
  /** Returns the positions of all routes that match, and possibly of others; unordered, each once. */
  findCandidates(path: string): number[];
}

interface TreeNode {
  readonly literals: Map<string, TreeNode>;
  wildcard: TreeNode | null;
  /** Routes whose last segment leads to this node. */
  readonly routes: number[];
  /** Routes that continue with other than literal or wildcard segments, by the literal prefix of the remainder. */
  readonly routesByPrefix: Map<string, number[]>;
  /** Lengths of the keys of `routesByPrefix`. */
  readonly prefixLengths: number[];
  /** Routes whose leading segments end at this node. Their literal path is read when a path reaches the node. */
  incomplete: number[];
}

/**
 * Creates a tree over the segments of route patterns.
 *
 * @param patterns route patterns in registration order
 */
export function createRouteTree(patterns: readonly string[]): RouteTree {
  const root = createNode();
  for (const [route, pattern] of patterns.entries()) {
    const { segments, isComplete } = readLeadingSegments(pattern);
    const node = segments.reduce(getOrCreateChild, root);
    if (isComplete) node.routes.push(route);
    else node.incomplete.push(route);
  }

  function insertIncompleteRoutes(node: TreeNode): void {
    const { incomplete } = node;
    node.incomplete = [];
    for (const route of incomplete) {
      const literalPath = readLiteralPath(patterns[route] ?? '');
      if (literalPath !== null) insertRoute(root, route, literalPath);
    }
  }

  /** @param start start of the next segment; greater than the path's length after the last one */
  function collect(node: TreeNode, path: string, start: number, found: number[]): void {
    if (node.incomplete.length > 0) insertIncompleteRoutes(node);
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
    findCandidates(path) {
      const found: number[] = [];
      const lower = toAsciiLowerCase(path);
      collect(root, lower, 0, found);
      // PCRE's `$` also matches before a final newline.
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

function insertRoute(root: TreeNode, route: number, { segments, remainderPrefix }: LiteralPath): void {
  const node = segments.reduce(getOrCreateChild, root);
  if (remainderPrefix === null) {
    node.routes.push(route);
    return;
  }
  const existing = node.routesByPrefix.get(remainderPrefix);
  if (existing === undefined) node.routesByPrefix.set(remainderPrefix, [route]);
  else existing.push(route);
  if (!node.prefixLengths.includes(remainderPrefix.length)) node.prefixLengths.push(remainderPrefix.length);
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
