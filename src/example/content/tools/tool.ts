import { isJsonObject, type JsonObject } from '../../../json.ts';
import { createSchemaValidator } from '../../../validation/wordpress/index.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError, SiteRequest } from '../../site/declare.ts';
import type { ContentState } from '../state.ts';

/** Something that the assistant, or a program, may have the site do. */
export interface Tool {
  /** `content/count-posts`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The schema of its input, an object. */
  readonly input: JsonObject;
  /** Whether it changes the site: such a tool is not called without an approval. */
  readonly changes: boolean;
  readonly run: (input: JsonObject, request: SiteRequest<ContentState>) => JsonObject | SiteError;
}

/** How a tool is shown to who chooses among them. */
export function describeTool({ name, title, description, input, changes }: Tool): JsonObject {
  return { name, title, description, input_schema: input, needs_approval: changes };
}

/** Judges an input as WordPress judges parameters, and runs the tool on it. */
export function runTool(
  tool: Tool,
  input: JsonObject,
  request: SiteRequest<ContentState>,
): JsonObject | SiteError {
  const judge = createSchemaValidator(tool.input);
  const refusal = judge.validate(input, 'input');
  if (refusal !== null) return refuse(400, 'rest_invalid_param', refusal.message);
  const sanitized = judge.sanitize(input, 'input');
  return tool.run(sanitized.ok && isJsonObject(sanitized.value) ? sanitized.value : input, request);
}
