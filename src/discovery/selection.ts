import type { Note } from './findings.ts';

/**
 * Which routes are read. A pattern that begins with `/` is compared with the route's own pattern, and with that
 * pattern written as a template (`/wp/v2/posts/{id}`); any other, with its namespace. `*` stands for any run of
 * characters, slashes too; everything else stands for itself, in its case, from the first character to the last.
 *
 *     wp/v2             the routes of one namespace
 *     wc/*              of every namespace that begins with wc/
 *     /wp/v2/posts*     posts, their items and all below
 *
 * A route is read if it matches one of `include`, or `include` is empty, and none of `exclude`.
 */
export interface Selection {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export interface Selector {
  readonly has: (pattern: string, namespace: string) => boolean;
  /** Notes each pattern that has matched nothing so far. */
  readonly noteUnused: () => void;
}

export function createSelector({ include = [], exclude = [] }: Selection, note: Note): Selector {
  const included = include.map((pattern) => createCase(pattern, 'include'));
  const excluded = exclude.map((pattern) => createCase(pattern, 'exclude'));
  const some = (cases: readonly Case[], subject: Subject): boolean =>
    // Every pattern is asked, so that each knows whether it was of use.
    cases.map((one) => one.matches(subject)).some(Boolean);
  return {
    has: (pattern, namespace) => {
      const subject = { pattern, namespace, template: toTemplate(pattern) };
      const isIn = some(included, subject);
      const isOut = some(excluded, subject);
      return (isIn || include.length === 0) && !isOut;
    },
    noteUnused: () => {
      for (const one of [...included, ...excluded].filter((candidate) => !candidate.isUsed())) {
        note('pattern-matches-nothing', {
          pointer: '/routes',
          detail: `It is "${one.text}" of ${one.list}.`,
        });
      }
    },
  };
}

interface Subject {
  readonly pattern: string;
  readonly namespace: string;
  readonly template: string;
}

interface Case {
  readonly text: string;
  readonly list: string;
  readonly matches: (subject: Subject) => boolean;
  readonly isUsed: () => boolean;
}

function createCase(text: string, list: string): Case {
  const isRoute = text.startsWith('/');
  const pieces = (isRoute ? text : text.replace(/\/$/, '')).split('*');
  let used = false;
  return {
    text,
    list,
    isUsed: () => used,
    matches: ({ pattern, namespace, template }) => {
      const fits = isRoute
        ? isGlobMatch(pieces, pattern) || isGlobMatch(pieces, template)
        : isGlobMatch(pieces, namespace);
      used ||= fits;
      return fits;
    },
  };
}

/** Leftmost fits of each piece: for a glob with `*` alone that decides, without going back. */
function isGlobMatch(pieces: readonly string[], text: string): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Groups as `{name}` and all else as it stands, in one pass: for people who write globs, not for matching. */
function toTemplate(pattern: string): string {
  let template = '';
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const start = at;
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (isInClass)
      isInClass = character !== ']' || pattern[at - 1] === '[' || pattern.startsWith('[^', at - 2);
    else if (character === '[') isInClass = true;
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
