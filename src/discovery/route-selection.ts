import { parseRouteGlob } from '../glob.ts';
import type { RuleReporter } from './rules.ts';

/**
 * Selects routes by globs. A glob that begins with `/` is compared with the route's pattern, and with that pattern
 * written as a template (`/wp/v2/posts/{id}`). Every other glob is compared with the route's namespace. `*` matches any
 * characters, including slashes; all other characters match themselves, case-sensitively. A glob must match completely.
 *
 *     wp/v2             the routes of one namespace
 *     wc/*              the routes of every namespace that begins with wc/
 *     /wp/v2/posts*     posts, their items and all routes below
 *
 * A route is selected if it matches a glob of `include`, or `include` is empty, and it matches no glob of `exclude`.
 */
export interface RouteSelection {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** `include "wp/v2" and exclude "/wp/v2/posts*"` */
export function describeSelection({ exclude = [], include = [] }: RouteSelection): string {
  return Object.entries({ include, exclude })
    .filter(([, globs]) => globs.length > 0)
    .map(([list, globs]) => `${list} ${globs.map((glob) => `"${glob}"`).join(', ')}`)
    .join(' and ');
}

/** A compiled `RouteSelection`. */
export interface RouteSelector {
  readonly matches: (pattern: string, namespace: string) => boolean;
  /** Reports each glob that has matched no route so far. */
  readonly reportUnusedGlobs: () => void;
}

export function createRouteSelector(selection: RouteSelection, report: RuleReporter): RouteSelector {
  const { include = [], exclude = [] } = selection;
  const included = include.map((pattern) => compilePattern(pattern, 'include'));
  const excluded = exclude.map((pattern) => compilePattern(pattern, 'exclude'));
  const some = (patterns: readonly SelectionPattern[], route: SelectableRoute): boolean =>
    // No short circuit: each glob has to record whether it matches anything.
    patterns.map((pattern) => pattern.matches(route)).some(Boolean);
  return {
    matches: (pattern, namespace) => {
      const route = { pattern, namespace, template: toTemplate(pattern) };
      const isIn = some(included, route);
      const isOut = some(excluded, route);
      return (isIn || include.length === 0) && !isOut;
    },
    reportUnusedGlobs: () => {
      for (const pattern of [...included, ...excluded].filter((candidate) => !candidate.isUsed())) {
        report(
          'pattern-matches-nothing',
          { pointer: '/routes' },
          `The pattern is "${pattern.text}" of ${pattern.list}.`,
        );
      }
    },
  };
}

interface SelectableRoute {
  readonly pattern: string;
  readonly namespace: string;
  readonly template: string;
}

interface SelectionPattern {
  readonly text: string;
  readonly list: string;
  readonly matches: (route: SelectableRoute) => boolean;
  readonly isUsed: () => boolean;
}

function compilePattern(text: string, list: string): SelectionPattern {
  const glob = parseRouteGlob(text);
  let used = false;
  return {
    text,
    list,
    isUsed: () => used,
    matches: ({ pattern, namespace, template }) => {
      const fits = glob.isForRoutes
        ? glob.matches(pattern) || glob.matches(template)
        : glob.matches(namespace);
      used ||= fits;
      return fits;
    },
  };
}

/** Converts a pattern to an approximate path template: each group becomes `{name}`, all other characters are copied. */
function toTemplate(pattern: string): string {
  let template = '';
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const start = at;
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (isInClass) {
      isInClass = character !== ']' || pattern[at - 1] === '[' || pattern.startsWith('[^', at - 2);
    } else if (character === '[') isInClass = true;
    else if (character === '(') {
      if (depth === 0) template += `{${/^\(\?P?<(\w{1,64})>/.exec(pattern.slice(at, at + 70))?.[1] ?? ''}}`;
      depth += 1;
    } else if (character === ')') {
      depth = Math.max(0, depth - 1);
      continue;
    }
    if (depth === 0) template += pattern.slice(start, at + 1);
  }
  return template;
}
