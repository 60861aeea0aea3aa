import { type Ambiguity, ambiguityOf } from '../pcre/ambiguity.ts';
import type { PcreNode } from '../pcre/ast.ts';
import { toEcma } from '../pcre/ecma.ts';
import { isolate, type Surroundings } from '../pcre/isolate.ts';
import { literalPrefix } from '../pcre/literal-prefix.ts';
import { parseRoute } from '../pcre/php.ts';
import { isSlash, type Slashes, slashesOf } from '../pcre/slashes.ts';
import { pcreOf } from '../pcre/source.ts';
import { expandPaths, type Path } from './route-expansion.ts';
import { templateText, tidyTemplate } from './route-template.ts';

/** What a site's route pattern comes to in a document. */
export type RouteExpansion =
  | { readonly ok: true; readonly variants: readonly RouteVariant[]; readonly notes: readonly string[] }
  | {
      /** The pattern could not be read, or PCRE itself refuses it; the variants are wide and never empty. */
      readonly ok: false;
      readonly message: string;
      /** Whether the site cannot compile it either, so that it never answers there. */
      readonly dead: boolean;
      readonly variants: readonly RouteVariant[];
      readonly notes: readonly string[];
    };

/** One path of a route. */
export interface RouteVariant {
  /** An OpenAPI path template: `/wp/v2/posts/{id}`. */
  readonly template: string;
  /** In the order of the template. */
  readonly parameters: readonly RouteParameter[];
}

export interface RouteParameter {
  /** Its name in the template, unique there. */
  readonly name: string;
  /** The name of the site's group; absent where the site gave it none. Differs from `name` when that was taken. */
  readonly group?: string;
  /** The site's pattern of it, without the parentheses and the name. */
  readonly pcre: string;
  /** The same as an anchored ECMA-262 pattern, case-insensitivity spelled out. */
  readonly pattern: string;
  /** Whether `pattern` accepts exactly what the site accepts; else it accepts more, for `reasons`. */
  readonly exact: boolean;
  readonly reasons: readonly string[];
  /** Whether its values contain a `/`. */
  readonly slashes: Slashes;
  /** Whether a backtracking engine can be kept busy by it. */
  readonly ambiguity: Ambiguity;
  /** The part of the site's pattern that it stands for, read. */
  readonly node: PcreNode;
  /** The pattern of the whole route that `node` was read from. */
  readonly source: string;
}

/** What the pattern of a group comes to, wherever it stands. */
type GroupFacts = Pick<RouteParameter, 'pattern' | 'exact' | 'reasons' | 'slashes' | 'ambiguity'>;

/** What is known of groups, by their patterns and what stands beside them: most groups of a site are `[\d]+`. */
export type KnownGroups = Map<string, GroupFacts>;

/**
 * Turns a route pattern into paths. Never throws: what cannot be read is carried as its literal beginning.
 *
 * @param known is filled, so that the routes of one site share what they have in common
 */
export function expandRoute(pattern: string, known?: KnownGroups): RouteExpansion {
  const parsed = parseRoute(pattern);
  if (!parsed.ok) {
    // The offset is that in the pattern as the site frames it, with `^` before.
    const note = `the pattern cannot be read (${parsed.message}, at ${parsed.offset - 1})`;
    const dead = parsed.reason === 'invalid';
    return { ok: false, message: parsed.message, dead, variants: [wideVariant(pattern)], notes: [note] };
  }
  const { paths, notes } = expandPaths(parsed.root);
  const found = [...notes];
  const source: Source = { text: parsed.source, known: setsFlags(parsed.source) ? undefined : known };
  if (parsed.root.kind === 'alternation') {
    found.push(
      'an alternative at the top of the pattern escapes the anchors: the site matches more than these paths',
    );
  }
  const listed = distinct(paths.map((path) => variantOf(path, source, found)));
  const variants = withoutRunTogether(listed, found);
  if (parsed.refused === undefined) return { ok: true, variants, notes: [...new Set(found)] };
  found.push(`the site cannot compile the pattern (${parsed.refused}) and never answers it`);
  return { ok: false, message: parsed.refused, dead: true, variants, notes: [...new Set(found)] };
}

/** The pattern of a route, and what is known of groups like those in it. */
interface Source {
  readonly text: string;
  readonly known?: KnownGroups | undefined;
}

/** Whether one text may mean several things in a pattern: `(?x)` changes what follows it. */
function setsFlags(pattern: string): boolean {
  return /\(\?(?:[a-zA-OQ-Z^-]|P[^<])|\(\*/.test(pattern);
}

function distinct(variants: readonly RouteVariant[]): readonly RouteVariant[] {
  const seen = new Set<string>();
  return variants.filter(({ template }) => !seen.has(template) && seen.add(template));
}

/**
 * `/{id}/{field}` of `(?P<id>\w+)/?(?P<field>\w+)?` without `/{id}{field}`: nobody writes the two in one, and who did
 * would be taken for `/{id}`.
 */
function withoutRunTogether(variants: readonly RouteVariant[], notes: string[]): readonly RouteVariant[] {
  const together = new Set<string>();
  for (const { template } of variants) {
    for (const { index } of template.matchAll(/(?<=\})\/(?=\{)/g)) {
      together.add(template.slice(0, index) + template.slice(index + 1));
    }
  }
  const kept = variants.filter(({ template }) => !together.has(template));
  if (kept.length < variants.length) {
    notes.push('the path without the optional slash between two parameters is not listed');
  }
  return kept;
}

function variantOf(path: Path, source: Source, notes: string[]): RouteVariant {
  const parameters: RouteParameter[] = [];
  const nameOnce = uniqueNames();
  let template = '';
  for (const [i, piece] of path.entries()) {
    if (piece.kind === 'text') {
      template += templateText(piece.bytes);
      continue;
    }
    const name = nameOnce(piece.name ?? 'segment');
    if (piece.name !== undefined && name !== piece.name)
      notes.push(`the name ${piece.name} occurs twice in one path`);
    const before = path[i - 1];
    const after = path[i + 1];
    const beside: Surroundings = {
      before: before?.kind === 'text' && before.bytes.at(-1) === 0x2f ? 'slash' : 'other',
      after:
        after === undefined ? 'end' : after.kind === 'text' && after.bytes[0] === 0x2f ? 'slash' : 'other',
    };
    parameters.push(parameterOf(name, piece.name, piece.node, source, beside));
    template += `{${name}}`;
  }
  return { template: tidyTemplate(template), parameters };
}

function parameterOf(
  name: string,
  group: string | undefined,
  node: PcreNode,
  source: Source,
  beside: Surroundings,
): RouteParameter {
  const pcre = pcreOf(node, source.text);
  const known = node.kind === 'group' ? source.known : undefined;
  const key = `${beside.before} ${beside.after} ${pcre}`;
  const facts = known?.get(key) ?? factsOf(node, beside);
  known?.set(key, facts);
  return { name, ...(group === undefined ? {} : { group }), pcre, ...facts, source: source.text, node };
}

function factsOf(node: PcreNode, beside: Surroundings): GroupFacts {
  const body = node.kind === 'group' ? node.body : node;
  const alone = isolate(body, beside);
  const { pattern, exact, reasons } = toEcma(alone.node, { unicode: false, anchored: true });
  return {
    pattern,
    exact: exact && alone.exact,
    reasons: alone.exact ? reasons : [...reasons, 'it looks at what stands beside it in the path'],
    slashes: slashesOf(body),
    ambiguity: ambiguityOf(body, { anchored: true }),
  };
}

/**
 * Two parameters for one whose values always hold a slash that stands at the top of its pattern, such as
 * `[a-z-]+/[a-z-]+`; null for any other. Of several slashes the first counts.
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
    const beside: Surroundings = { before: 'slash', after: i === 0 ? 'slash' : 'other' };
    return parameterOf(name, parameter.group, part, { text: parameter.source }, beside);
  });
  return before === undefined || after === undefined ? null : [before, after];
}

/** A path for a pattern that cannot be read: its text up to the last slash, and one value that may be anything. */
function wideVariant(pattern: string): RouteVariant {
  const { text, name } = literalPrefix(pattern);
  const anything: PcreNode = { kind: 'opaque', what: 'a pattern that cannot be read' };
  const beside: Surroundings = { before: 'slash', after: 'end' };
  const parameter = parameterOf(name ?? 'segment', name, anything, { text: pattern }, beside);
  return { template: `${text}{${parameter.name}}`, parameters: [{ ...parameter, pcre: pattern }] };
}

/** Gives each name once: `id`, then `id_2`, … */
function uniqueNames(): (wanted: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (wanted) => {
    let name = wanted;
    for (let count = counts.get(wanted) ?? 1; taken.has(name); ) {
      count += 1;
      counts.set(wanted, count);
      name = `${wanted}_${count}`;
    }
    taken.add(name);
    return name;
  };
}
