import { lowerCase, type Outline } from './outline.ts';

/** Finds the few routes that a path can match, whatever their number. */
export interface RouteTree {
  add(route: number, outline: Outline): void;
  /** A superset of the routes that match, in no order, without repetition. */
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
}

export function createRouteTree(): RouteTree {
  const root = createNode();
  return {
    add(route, { segments, rest }) {
      const node = segments.reduce(step, root);
      if (rest === null) {
        node.ends.push(route);
        return;
      }
      const same = node.rests.get(rest);
      if (same !== undefined) same.push(route);
      else node.rests.set(rest, [route]);
      if (!node.restLengths.includes(rest.length)) node.restLengths.push(rest.length);
    },
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
  return { literals: new Map(), any: null, ends: [], rests: new Map(), restLengths: [] };
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

/** @param start where the next segment of the path begins; behind the path once the last has been taken */
function collect(node: Node, path: string, start: number, found: number[]): void {
  if (start > path.length) {
    push(found, node.ends);
    return;
  }
  for (const length of node.restLengths) {
    if (start + length > path.length) continue;
    const routes = node.rests.get(path.slice(start, start + length));
    if (routes !== undefined) push(found, routes);
  }
  if (node.literals.size === 0 && node.any === null) return;
  const slash = path.indexOf('/', start);
  const end = slash < 0 ? path.length : slash;
  const literal = node.literals.get(path.slice(start, end));
  if (literal !== undefined) collect(literal, path, end + 1, found);
  if (node.any !== null) collect(node.any, path, end + 1, found);
}

function push(found: number[], routes: readonly number[]): void {
  for (const route of routes) found.push(route);
}
