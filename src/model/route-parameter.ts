import { type Ambiguity, analyzeAmbiguity } from '../pcre/ambiguity.ts';
import {
  getSlashOccurrence,
  getSourceText,
  isSlash,
  type PcreNode,
  type SlashOccurrence,
} from '../pcre/ast.ts';
import { type GroupNeighbours, isolateGroup } from '../pcre/isolate-group.ts';
import { toEcmaPattern } from '../pcre/to-ecma.ts';

/** A parameter of a route's path template, with the pattern of its group. */
export interface RouteParameter {
  /** The name in the template, unique there. */
  readonly name: string;
  /** The name of the site's group; absent for an unnamed group. `name` may have a suffix that makes it unique. */
  readonly groupName?: string;
  /** The site's pattern of the group, without the parentheses and the name. */
  readonly pcre: string;
  /** `pcre` translated to ECMA-262, anchored and with explicit case-insensitivity. */
  readonly ecmaPattern: string;
  /** Whether `pattern` accepts exactly what the site accepts. If not, it accepts more, for `reasons`. */
  readonly isExact: boolean;
  readonly wideningReasons: readonly string[];
  /** Whether values always, never or sometimes contain a `/`. */
  readonly slashOccurrence: SlashOccurrence;
  /** The worst-case growth of the time that a backtracking engine takes on the pattern. */
  readonly ambiguity: Ambiguity;
  /** The syntax tree of the group. */
  readonly node: PcreNode;
  /** The pattern of the whole route, from which `node` was parsed. */
  readonly routePattern: string;
}

/** The properties of a group that do not depend on its route. */
type GroupAnalysis = Pick<
  RouteParameter,
  'ecmaPattern' | 'isExact' | 'wideningReasons' | 'slashOccurrence' | 'ambiguity'
>;

/**
 * Analyses of groups, by pattern and neighbours. The routes of one site share a cache, because most groups are equal
 * (`[\d]+`).
 */
export type GroupAnalysisCache = Map<string, GroupAnalysis>;

/** The pattern of a route, and the cache for its groups. */
export interface RouteSource {
  readonly pattern: string;
  readonly groupCache?: GroupAnalysisCache | undefined;
}

/** A group, or an unnamed part, at its position in a route. */
interface GroupOccurrence {
  readonly name: string;
  readonly groupName: string | undefined;
  readonly node: PcreNode;
  readonly source: RouteSource;
  readonly neighbours: GroupNeighbours;
}

/** Creates the parameter of a group, using the cache of its route's source. */
export function createRouteParameter({
  name,
  groupName,
  node,
  source,
  neighbours,
}: GroupOccurrence): RouteParameter {
  const pcre = getSourceText(node, source.pattern);
  const groupCache = node.kind === 'group' ? source.groupCache : undefined;
  const key = `${neighbours.precedingCharacter} ${neighbours.followingCharacter} ${pcre}`;
  const analysis = groupCache?.get(key) ?? analyzeGroup(node, neighbours);
  groupCache?.set(key, analysis);
  return {
    name,
    ...(groupName === undefined ? {} : { groupName }),
    pcre,
    ...analysis,
    routePattern: source.pattern,
    node,
  };
}

function analyzeGroup(node: PcreNode, neighbours: GroupNeighbours): GroupAnalysis {
  const body = node.kind === 'group' ? node.body : node;
  const isolated = isolateGroup(body, neighbours);
  const {
    pattern: ecmaPattern,
    exact,
    wideningReasons,
  } = toEcmaPattern(isolated.node, { unicode: false, matchesWhole: true });
  return {
    ecmaPattern,
    isExact: exact && isolated.exact,
    wideningReasons: isolated.exact
      ? wideningReasons
      : [...wideningReasons, 'it tests the characters beside it in the path'],
    slashOccurrence: getSlashOccurrence(body),
    ambiguity: analyzeAmbiguity(body, { matchesWhole: true }),
  };
}

/**
 * Splits a parameter at the first slash at the top level of its pattern, such as `[a-z-]+/[a-z-]+`.
 *
 * @returns the two parts; `null` if the pattern has no such slash
 */
export function splitAtSlash(parameter: RouteParameter): readonly [RouteParameter, RouteParameter] | null {
  let node = parameter.node;
  while (node.kind === 'group') node = node.body;
  if (node.kind !== 'sequence') return null;
  const at = node.items.findIndex(isSlash);
  if (at <= 0 || at === node.items.length - 1) return null;
  const parts = [node.items.slice(0, at), node.items.slice(at + 1)];
  const [before, after] = parts.map((items, i) => {
    const part: PcreNode = { kind: 'sequence', items };
    const name = i === 0 ? parameter.name : `${parameter.name}_2`;
    const neighbours: GroupNeighbours = {
      precedingCharacter: 'slash',
      followingCharacter: i === 0 ? 'slash' : 'other',
    };
    const source = { pattern: parameter.routePattern };
    return createRouteParameter({ name, groupName: parameter.groupName, node: part, source, neighbours });
  });
  return before === undefined || after === undefined ? null : [before, after];
}
