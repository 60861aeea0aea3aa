import type * as z from 'zod';
import { isJsonObject } from '../json.ts';

/**
 * Describes the errors of a validation in one sentence each that begins with its location (`sites[0].url: …`).
 *
 * @param root name of the whole value
 * @param hint text after the message of an error
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  root: string,
  hint: (issue: z.core.$ZodIssue) => string = () => '',
): readonly string[] {
  return issues.map((issue) => `${formatLocation(issue.path, root)}: ${issue.message}${hint(issue)}`);
}

function formatLocation(path: readonly PropertyKey[], root: string): string {
  if (path.length === 0) return root;
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

/**
 * Creates a hint that lists the known keys if the input has an unknown one.
 *
 * @param schema the JSON Schema of the whole value
 */
export function createKnownKeysHint(schema: unknown): (issue: z.core.$ZodIssue) => string {
  return ({ code, path }) => {
    if (code !== 'unrecognized_keys') return '';
    const keys = keysAt(schema, path);
    return keys.length === 0 ? '' : `; known keys: ${keys.join(', ')}`;
  };
}

/** Lists the property names of a JSON Schema at a path. */
function keysAt(schema: unknown, [key, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (!isJsonObject(schema)) return [];
  if (typeof key === 'number') return keysAt(schema['items'], rest);
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return key === undefined ? Object.keys(properties) : keysAt(properties[String(key)], rest);
}
