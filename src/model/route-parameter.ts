import { type Ambiguity, analyzeAmbiguity } from '../pcre/ambiguity.ts';
import type { PcreNode } from '../pcre/ast.ts';
import { type GroupNeighbours, isolateGroup } from '../pcre/isolate-group.ts';
import { isSlash, type SlashOccurrence, slashOccurrence } from '../pcre/slashes.ts';
import { sourceText } from '../pcre/source-text.ts';
import { toEcma } from '../pcre/to-ecma.ts';

/** A parameter of a route's path template, with the pattern of its group. */
export interface RouteParameter {
  /** The name in the template, unique there. */
  readonly name: string;
  /** The name of the site's group; absent for an unnamed group. Differs from `name` if another parameter has that. */
  readonly group?: string;
  /** The site's pattern of the group, without the parentheses and the name. */
  readonly pcre: string;
  /** The same pattern for ECMA-262, anchored and with explicit case-insensitivity. */
  readonly pattern: string;
  /** Whether `pattern` accepts exactly what the site accepts. If not, it accepts more, for `reasons`. */
  readonly exact: boolean;
  readonly reasons: readonly string[];
  /** Whether the values contain a `/`. */
  readonly slashes: SlashOccurrence;
  /** How long a backtracking engine can take on the pattern. */
  readonly ambiguity: Ambiguity;
  /** The syntax tree of the group. */
  readonly node: PcreNode;
  /** The pattern of the whole route, from which `node` was parsed. */
  readonly source: string;
}

/** The properties of a group that do not depend on its route. */
type GroupAnalysis = Pick<RouteParameter, 'pattern' | 'exact' | 'reasons' | 'slashes' | 'ambiguity'>;

/**
 * Analyses of groups, by pattern and neighbours. The routes of one site share a cache, because most of their groups are
 * `[\d]+`.
 */
export type GroupCache = Map<string, GroupAnalysis>;

/** The pattern of a route, and the cache for its groups. */
export interface RouteSource {
  readonly text: string;
  readonly groupCache?: GroupCache | undefined;
}

/** A group, or an unnamed part, at its position in a route. */
interface GroupOccurrence {
  readonly name: string;
  readonly group: string | undefined;
  readonly node: PcreNode;
  readonly source: RouteSource;
  readonly neighbours: GroupNeighbours;
}

/** Creates the parameter of a group, using the cache of its route's source. */
export function createRouteParameter({
  name,
  group,
  node,
  source,
  neighbours,
}: GroupOccurrence): RouteParameter {
  const pcre = sourceText(node, source.text);
  const groupCache = node.kind === 'group' ? source.groupCache : undefined;
  const key = `${neighbours.precedingCharacter} ${neighbours.followingCharacter} ${pcre}`;
  const analysis = groupCache?.get(key) ?? analyzeGroup(node, neighbours);
  groupCache?.set(key, analysis);
  return { name, ...(group === undefined ? {} : { group }), pcre, ...analysis, source: source.text, node };
}

function analyzeGroup(node: PcreNode, neighbours: GroupNeighbours): GroupAnalysis {
  const body = node.kind === 'group' ? node.body : node;
  const isolated = isolateGroup(body, neighbours);
  const { pattern, exact, reasons } = toEcma(isolated.node, { unicode: false, anchored: true });
  return {
    pattern,
    exact: exact && isolated.exact,
    reasons: isolated.exact ? reasons : [...reasons, 'it tests the characters beside it in the path'],
    slashes: slashOccurrence(body),
    ambiguity: analyzeAmbiguity(body, { anchored: true }),
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
    const source = { text: parameter.source };
    return createRouteParameter({ name, group: parameter.group, node: part, source, neighbours });
  });
  return before === undefined || after === undefined ? null : [before, after];
}
