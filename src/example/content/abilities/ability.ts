import { isJsonObject, type JsonObject } from '../../../json.ts';
import { createSchemaValidator } from '../../../validation/wordpress/index.ts';
import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { ContentRequest } from '../model/state.ts';

/** Something that the assistant, or a program, may have the site do. */
export interface Ability {
  /** `content/count-posts`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The schema of its input, an object. */
  readonly inputSchema: JsonObject;
  /** Whether it changes the site: such a tool is not called without an approval. */
  readonly changesSite: boolean;
  readonly run: (input: JsonObject, request: ContentRequest) => JsonObject | SiteError;
}

/** How a tool is shown to who chooses among them. */
export function serializeAsTool({ name, title, description, inputSchema, changesSite }: Ability): JsonObject {
  return { name, title, description, input_schema: inputSchema, needs_approval: changesSite };
}

/** Judges an input as WordPress judges parameters, and runs the tool on it. */
export function runAbility(
  ability: Ability,
  input: JsonObject,
  request: ContentRequest,
): JsonObject | SiteError {
  const validator = createSchemaValidator(ability.inputSchema);
  const violation = validator.validate(input, 'input');
  if (violation !== null) return restError(400, 'rest_invalid_param', violation.message);
  const sanitized = validator.sanitize(input, 'input');
  return ability.run(sanitized.ok && isJsonObject(sanitized.value) ? sanitized.value : input, request);
}
