import type { ResponseExamples } from '../../example-values/response-examples.ts';
import type { Json } from '../../json.ts';
import type { OperationDetails } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import type { SchemaSource } from '../details/schema-tree.ts';

/** A response as JSON text. */
export interface ResponseSample {
  readonly status: string;
  readonly text: string;
}

const MAX_LENGTH = 6_000;
/** Values that a sample has at most, and how deep they are. A hostile example has millions. */
const MAX_VALUES = 1_500;
const MAX_DEPTH = 24;

/**
 * Creates the sample of the first successful response with an example.
 *
 * @returns `undefined` if there is none
 */
export function createResponseSample(
  { responses }: Pick<OperationDetails, 'responses'>,
  {
    responseExamples,
    source,
  }: { readonly responseExamples: ResponseExamples; readonly source: SchemaSource },
): ResponseSample | undefined {
  // A creation has 201 in WordPress, also where the document lists 200 first.
  const created = responses.filter(({ status }) => status === '201');
  for (const { contents, status } of [...created, ...responses]) {
    const content = contents.find(({ contentType }) => contentType === 'application/json');
    if (!status.startsWith('2') || content === undefined) continue;
    const example = responseExamples.create(content.media);
    if (example === undefined || !isSmall(example)) continue;
    const text = JSON.stringify(example, null, 2);
    return { status, text: shorten(source.localize(text.slice(0, 2 * MAX_LENGTH)), MAX_LENGTH) };
  }
  return undefined;
}

/** Whether a value can be serialized with little work. */
function isSmall(example: Json): boolean {
  let values = 0;
  const visit = (value: Json, depth: number): boolean => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((item: Json) => visit(item, depth + 1));
  };
  return visit(example, 0);
}
