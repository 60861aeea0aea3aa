import { memoizeByString } from '../memoize.ts';

/** A member of `Accept-Language` (RFC 9110 §12.5.4). */
export interface LanguageRange {
  /** In lower case: `de-at`, or `*`. */
  readonly tag: string;
  /** Between 0 and 1. */
  readonly quality: number;
}

/** Parses `Accept-Language`: the highest quality first, equal ones in their order. An invalid quality counts as 1. */
export const parseAcceptLanguage: (field: string) => readonly LanguageRange[] = memoizeByString((field) =>
  field
    .split(',')
    .map(parseRange)
    .filter(({ tag }) => tag !== '')
    .sort((one, other) => other.quality - one.quality),
);

function parseRange(member: string): LanguageRange {
  const [tag = '', ...parameters] = member.toLowerCase().split(';');
  const quality = parameters.map(
    (parameter) => /^[ \t]*q[ \t]*=[ \t]*([01](?:\.\d{0,3})?)[ \t]*$/.exec(parameter)?.[1],
  );
  return { tag: tag.trim(), quality: Math.min(1, Number(quality.find((text) => text !== undefined) ?? 1)) };
}

/** Returns the language that a client prefers to all others; undefined if there is none, or if it is `*`. */
export function findPreferredLanguage(field: string): string | undefined {
  const [first, second] = parseAcceptLanguage(field);
  if (first === undefined || first.tag === '*' || first.quality === 0) return undefined;
  return second?.quality === first.quality ? undefined : first.tag;
}
