import type { PcreNode } from '../pcre/ast.ts';
import type { GroupNeighbours } from '../pcre/isolate-group.ts';
import { extractLiteralPrefix } from '../pcre/matcher.ts';
import { parseRoutePattern } from '../pcre/parser.ts';
import { type ExpandedPath, expandToPaths } from './expand-paths.ts';
import {
  createRouteParameter,
  type GroupAnalysisCache,
  type RouteParameter,
  type RouteSource,
} from './route-parameter.ts';

/** The paths that a route pattern matches. `notes` are remarks in English, without capital and full stop. */
export type RouteExpansion =
  | { readonly ok: true; readonly variants: readonly RouteVariant[]; readonly notes: readonly string[] }
  | {
      /** `false`: the parser does not support the pattern, or PCRE rejects it. There is at least one variant. */
      readonly ok: false;
      readonly message: string;
      /** Whether PCRE rejects the pattern, so that the site never handles the route. */
      readonly isUnreachable: boolean;
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

/**
 * Expands a route pattern into paths. Never throws: an unreadable pattern becomes its literal prefix and a parameter.
 *
 * @param groupCache Filled with the groups of the route. Pass one map for all routes of a site.
 */
export function expandRoute(pattern: string, groupCache?: GroupAnalysisCache): RouteExpansion {
  const parsed = parseRoutePattern(pattern);
  if (!parsed.ok) {
    // The parser counts the `^` that WordPress puts before the pattern.
    const note = `the pattern cannot be read (${parsed.message}, at ${parsed.offset - 1})`;
    const isUnreachable = parsed.reason === 'invalid';
    return {
      ok: false,
      message: parsed.message,
      isUnreachable,
      variants: [fallbackVariant(pattern)],
      notes: [note],
    };
  }
  const { paths, notes } = expandToPaths(parsed.root);
  const collected = [...notes];
  const source: RouteSource = {
    pattern: parsed.source,
    groupCache: changesFlags(parsed.source) ? undefined : groupCache,
  };
  if (parsed.root.kind === 'alternation') {
    collected.push(
      'the anchors do not apply to a top-level alternative: the site matches more than these paths',
    );
  }
  const listed = distinctTemplates(paths.map((path) => toVariant(path, source, collected)));
  const variants = withoutAdjacentParameters(listed, collected);
  if (parsed.rejectionReason === undefined) return { ok: true, variants, notes: [...new Set(collected)] };
  collected.push(
    `the site cannot compile the pattern (${parsed.rejectionReason}) and never handles the route`,
  );
  return {
    ok: false,
    message: parsed.rejectionReason,
    isUnreachable: true,
    variants,
    notes: [...new Set(collected)],
  };
}

/** Whether a pattern contains options such as `(?x)`. They change the meaning of groups, which must not be cached then. */
function changesFlags(pattern: string): boolean {
  return /\(\?(?:[a-zA-OQ-Z^-]|P[^<])|\(\*/.test(pattern);
}

function distinctTemplates(variants: readonly RouteVariant[]): readonly RouteVariant[] {
  const seen = new Set<string>();
  return variants.filter(({ template }) => !seen.has(template) && seen.add(template));
}

/**
 * Removes paths with two adjacent parameters if the same path with a slash between them exists:
 * `(?P<id>\w+)/?(?P<field>\w+)?` is listed as `/{id}/{field}` and not as `/{id}{field}`. The site would read a request
 * for the latter as `/{id}`.
 */
function withoutAdjacentParameters(
  variants: readonly RouteVariant[],
  notes: string[],
): readonly RouteVariant[] {
  const adjacent = new Set<string>();
  for (const { template } of variants) {
    for (const { index } of template.matchAll(/(?<=\})\/(?=\{)/g)) {
      adjacent.add(template.slice(0, index) + template.slice(index + 1));
    }
  }
  const kept = variants.filter(({ template }) => !adjacent.has(template));
  if (kept.length < variants.length) {
    notes.push('the path without the optional slash between two parameters is not listed');
  }
  return kept;
}

function toVariant(path: ExpandedPath, source: RouteSource, notes: string[]): RouteVariant {
  const parameters: RouteParameter[] = [];
  const nameOnce = createUniqueNames();
  let template = '';
  for (const [i, piece] of path.entries()) {
    if (piece.kind === 'text') {
      template += encodeTemplateText(piece.bytes);
      continue;
    }
    const name = nameOnce(piece.name ?? 'segment');
    if (piece.name !== undefined && name !== piece.name) {
      notes.push(`the name ${piece.name} occurs twice in one path`);
    }
    const before = path[i - 1];
    const after = path[i + 1];
    const neighbours: GroupNeighbours = {
      precedingCharacter: before?.kind === 'text' && before.bytes.at(-1) === 0x2f ? 'slash' : 'other',
      followingCharacter:
        after === undefined ? 'end' : after.kind === 'text' && after.bytes[0] === 0x2f ? 'slash' : 'other',
    };
    parameters.push(
      createRouteParameter({ name, groupName: piece.name, node: piece.node, source, neighbours }),
    );
    template += `{${name}}`;
  }
  return { template: trimTemplate(template), parameters };
}

/** Creates the path of an unreadable pattern: its text up to the last slash, and one parameter with any value. */
function fallbackVariant(pattern: string): RouteVariant {
  const { text, groupName } = extractLiteralPrefix(pattern);
  const anything: PcreNode = { kind: 'opaque', what: 'a pattern that cannot be read' };
  const neighbours: GroupNeighbours = { precedingCharacter: 'slash', followingCharacter: 'end' };
  const parameter = createRouteParameter({
    name: groupName ?? 'segment',
    groupName,
    node: anything,
    source: { pattern },
    neighbours,
  });
  return { template: `${text}{${parameter.name}}`, parameters: [{ ...parameter, pcre: pattern }] };
}

/** Creates a function that returns each name once: `id`, then `id_2`, … */
function createUniqueNames(): (wanted: string) => string {
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

/** Encodes bytes for a path template: characters with a meaning in a template or a URL are percent-encoded. */
function encodeTemplateText(bytes: readonly number[]): string {
  return bytes
    .map((byte) => {
      const text = String.fromCharCode(byte);
      // RFC 3986 §3.3, pchar, without the percent sign.
      return /[\w.~!$&'()*+,;=:@/-]/.test(text)
        ? text
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Removes trailing slashes: WordPress trims them from the requested route, so only the root ends in one. */
function trimTemplate(template: string): string {
  const rooted = template.startsWith('/') ? template : `/${template}`;
  return rooted.replace(/(?<=.)\/+$/s, '');
}
