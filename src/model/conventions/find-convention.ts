import { ownMember } from '../../discovery/index-values.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { CONTENT_RESOURCES } from './content-resources.ts';
import { DESIGN_RESOURCES } from './design-resources.ts';
import type { ResourceConvention } from './resource-convention.ts';
import { SITE_RESOURCES } from './site-resources.ts';

/** Every convention about a resource, in the order in which they are tried. */
export const RESOURCE_CONVENTIONS: readonly ResourceConvention[] = [
  ...CONTENT_RESOURCES,
  ...SITE_RESOURCES,
  ...DESIGN_RESOURCES,
];

/**
 * Finds the convention of a resource by the title and the properties of its schema, so that it is found in a renamed
 * namespace too.
 *
 * @param schema the schema as the site states it
 */
export function findResourceConvention(schema: JsonObject): ResourceConvention | undefined {
  const { properties, title } = schema;
  if (!isJsonObject(properties)) return undefined;
  return RESOURCE_CONVENTIONS.find(
    ({ titles, signature }) =>
      (titles === undefined || (typeof title === 'string' && titles.some((each) => hasTitle(title, each)))) &&
      signature.every((name) => ownMember(properties, name) !== undefined),
  );
}

function hasTitle(title: string, expected: string): boolean {
  return expected.startsWith('*') ? title.endsWith(expected.slice(1)) : title === expected;
}
