export interface CacheDirective {
  readonly name: string;
  readonly argument: string | null;
}

export type CacheDirectives = readonly CacheDirective[];

export const NO_DIRECTIVES: CacheDirectives = [];

/** 2^31, to which RFC 9111 §1.2.2 limits delta-seconds. */
export const MAX_DELTA_SECONDS = 2_147_483_648;

export function parseDeltaSeconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELTA_SECONDS) : null;
}

/** An invalid argument is empty: it restricts, but never permits. */
export function parseCacheControl(field: string): CacheDirectives {
  const directives: CacheDirective[] = [];
  for (const [, name = '', quoted, token] of field.matchAll(DIRECTIVE)) {
    const argument = quoted?.replace(/\\(.)/gs, '$1') ?? token?.trimEnd() ?? null;
    const isInvalid = argument !== null && (/[ \t]$/.test(name) || /^[ \t]/.test(token ?? ''));
    const trimmed = name.trim().toLowerCase();
    if (trimmed !== '') directives.push({ name: trimmed, argument: isInvalid ? '' : argument });
  }
  return directives;
}

const DIRECTIVE = /([^=,]*)(?:=(?:"((?:\\.|[^"\\])*)"?|([^,]*)))?[^,]*,?/gs;

export function hasDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name);
}

/** The first occurrence (RFC 9111 §4.2.1): `undefined` if absent, `null` if it is not a number. */
export function parseDirectiveSeconds(directives: CacheDirectives, name: string): number | null | undefined {
  const first = directives.find((directive) => directive.name === name);
  return first === undefined ? undefined : parseDeltaSeconds(first.argument);
}

/** Whether a directive is present without field names (RFC 9111 §5.2.2.4, §5.2.2.7). */
export function hasUnqualifiedDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name && splitFieldNames(directive).length === 0);
}

export function listQualifiedFieldNames(directives: CacheDirectives, name: string): readonly string[] {
  return directives.flatMap((directive) => (directive.name === name ? splitFieldNames(directive) : []));
}

function splitFieldNames({ argument }: CacheDirective): readonly string[] {
  return (argument ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
