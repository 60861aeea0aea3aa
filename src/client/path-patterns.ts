import { hasMark } from '../document-extensions.ts';
import { parameterNamesOf } from '../model/templates.ts';
import type { Operation } from '../openapi/operations.ts';

/** Values of a path parameter without slashes. */
const SEGMENT = '[^/]+';

interface Template {
  readonly path: string;
  readonly segments: readonly string[];
  /** Number of segments without a parameter. */
  readonly literals: number;
  readonly values: readonly string[];
  readonly hasSlashes: boolean;
}

/**
 * Lists patterns of the paths that a path template stands for, with one group for each parameter, without
 * the paths of more specific templates (`/wp/v2/users/me` is none of `/wp/v2/users/{id}`).
 *
 * @returns patterns by template. A template is left out if its pattern is the one that any value gives
 */
export function listPathPatterns(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const templates = new Map<string, Template>();
  for (const operation of operations) {
    if (!templates.has(operation.path)) templates.set(operation.path, toTemplate(operation));
  }
  const all = [...templates.values()];
  return new Map(
    all.flatMap((template): [string, string][] => {
      if (template.values.length === 0) return [];
      const others = all
        .filter((other) => other.literals > template.literals && mayOverlap(template, other))
        .map((other) => printPattern(other, '(?:'));
      const own = printPattern(template, '(');
      const pattern = others.length === 0 ? own : `(?!(?:${others.join('|')})$)${own}`;
      const isDefault = own === pattern && template.values.every((value) => value === SEGMENT);
      return isDefault ? [] : [[template.path, pattern]];
    }),
  );
}

function toTemplate({ parameterObjects, path }: Operation): Template {
  const marked = parameterObjects.filter((parameter) => hasMark(parameter, 'slashes'));
  const slashes = new Set(marked.map((parameter) => parameter['name']));
  const names = parameterNamesOf(path);
  const segments = path.split('/');
  return {
    path,
    segments,
    literals: segments.filter((segment) => !segment.includes('{')).length,
    values: names.map((name) => (slashes.has(name) ? '.+' : SEGMENT)),
    hasSlashes: names.some((name) => slashes.has(name)),
  };
}

/** Whether a path may be one of both templates. Where this cannot be known cheaply, it may. */
function mayOverlap(template: Template, other: Template): boolean {
  const own = template.segments;
  if (template.hasSlashes) {
    const start = own.findIndex((segment) => segment.includes('{'));
    return own.slice(0, start).every((segment, at) => segment === other.segments[at]);
  }
  return (
    own.length === other.segments.length &&
    own.every((segment, at) => {
      const theirs = other.segments[at] ?? '';
      return segment.includes('{') || theirs.includes('{') || segment === theirs;
    })
  );
}

function printPattern({ path, values }: Template, open: string): string {
  let used = 0;
  return path
    .split(/(\{[^{}]*\})/)
    .map((part, at) =>
      at % 2 === 0 ? part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&') : `${open}${values[used++] ?? SEGMENT})`,
    )
    .join('');
}
