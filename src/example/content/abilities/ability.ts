import { isJsonObject, type JsonObject } from '../../../json.ts';
import { createSchemaValidator } from '../../../validation/wordpress/index.ts';
import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { ContentRequest } from '../model/state.ts';

/** A named operation with a JSON Schema for its input. Clients run it directly, the assistant as a tool. */
export interface Ability {
  /** The group and the name: `content/count-words`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The schema of the input object. */
  readonly inputSchema: JsonObject;
  /** Whether it changes the site. The assistant needs approval for such an ability. */
  readonly changesSite: boolean;
  readonly run: (input: JsonObject, request: ContentRequest) => JsonObject | SiteError;
}

/** Serializes an ability as a tool of the assistant. */
export function serializeAsTool({ name, title, description, inputSchema, changesSite }: Ability): JsonObject {
  return { name, title, description, input_schema: inputSchema, needs_approval: changesSite };
}

/** Validates and sanitizes the input as WordPress does with parameters, then runs the ability. */
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
