import type { Report } from '../../diagnostics.ts';
import type { IndexArgument } from '../../discovery/site.ts';
import type { Json, JsonObject } from '../../json.ts';
import { createNormalizer, type NormalArgument, type SchemaPlace } from './normalizer.ts';

export { createNormalizer, type NormalArgument, type Normalizer, type SchemaPlace } from './normalizer.ts';
export { RULE_SENTENCES } from './rules/index.ts';

/** One schema by itself. For the schemas of a whole site, {@link createNormalizer} does equal ones once. */
export function normalizeSchema(raw: Json, at: SchemaPlace & { readonly report: Report }): JsonObject {
  return createNormalizer(at.report).schema(raw, at);
}

/** The arguments of one endpoint by themselves; `at.pointer` is that of its `args`. */
export function normalizeArguments(
  args: readonly IndexArgument[],
  at: SchemaPlace & { readonly report: Report },
): readonly NormalArgument[] {
  return createNormalizer(at.report).arguments(args, at);
}
