import { lowerCase, type Outline, outlineOf, sketchOf } from './outline.ts';

/** Finds the few routes that a path can match, whatever their number. */
export interface RouteTree {
  /** A superset of the routes that match, by position, in no order, without repetition. */
  candidates(path: string): number[];
}

interface Node {
  readonly literals: Map<string, Node>;
  any: Node | null;
  /** Routes that end here. */
  readonly ends: number[];
  /** Routes with more to come, by what it begins with. */
  readonly rests: Map<string, number[]>;
  /** The lengths of the keys of `rests`. */
  readonly restLengths: number[];
  /** Routes of which only the way to here has been read: the rest is read when a path comes by. */
  sketched: number[];
}

/** @param patterns the site's route patterns */
export function createRouteTree(patterns: readonly string[]): RouteTree {
  const root = createNode();
  for (const [route, pattern] of patterns.entries()) {
    const { segments, whole } = sketchOf(pattern);
    const node = segments.reduce(step, root);
    if (whole) node.ends.push(route);
    else node.sketched.push(route);
  }

  function finish(node: Node): void {
    const { sketched } = node;
    node.sketched = [];
    for (const route of sketched) {
      const outline = outlineOf(patterns[route] ?? '');
      if (outline !== null) place(root, route, outline);
    }
  }

  /** @param start where the next segment of the path begins; behind the path once the last has been taken */
  function collect(node: Node, path: string, start: number, found: number[]): void {
    if (node.sketched.length > 0) finish(node);
    if (start > path.length) {
      append(found, node.ends);
      return;
    }
    for (const length of node.restLengths) {
      if (start + length > path.length) continue;
      const routes = node.rests.get(path.slice(start, start + length));
      if (routes !== undefined) append(found, routes);
    }
    if (node.literals.size === 0 && node.any === null) return;
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const literal = node.literals.get(path.slice(start, end));
    if (literal !== undefined) collect(literal, path, end + 1, found);
    if (node.any !== null) collect(node.any, path, end + 1, found);
  }

  return {
    candidates(path) {
      const found: number[] = [];
      const lower = lowerCase(path);
      collect(root, lower, 0, found);
      // `$` also stands before a newline at the very end.
      if (!lower.endsWith('\n')) return found;
      collect(root, lower.slice(0, -1), 0, found);
      return [...new Set(found)];
    },
  };
}

function createNode(): Node {
  return { literals: new Map(), any: null, ends: [], rests: new Map(), restLengths: [], sketched: [] };
}

function place(root: Node, route: number, { segments, rest }: Outline): void {
  const node = segments.reduce(step, root);
  if (rest === null) {
    node.ends.push(route);
    return;
  }
  const same = node.rests.get(rest);
  if (same === undefined) node.rests.set(rest, [route]);
  else same.push(route);
  if (!node.restLengths.includes(rest.length)) node.restLengths.push(rest.length);
}

function step(node: Node, segment: string | null): Node {
  if (segment === null) {
    node.any ??= createNode();
    return node.any;
  }
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const next = createNode();
  node.literals.set(segment, next);
  return next;
}

function append(found: number[], routes: readonly number[]): void {
  for (const route of routes) found.push(route);
}
