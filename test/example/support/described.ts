import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { readOperations, type ServedOperation } from '../../../src/openapi/index.ts';
import { createResponseValidator, FINDING_SEVERITIES } from '../../../src/validation/response/index.ts';
import { object, resolve } from './documented.ts';

/** Whether a body is what a document says of an operation's answer: what is wrong with it, null where nothing is. */
export type Describes = (operation: string, status: number, body: unknown) => string | null;

/**
 * Where the document says nothing of an answer, anything is as described. The gateway's own judge has to say the same as
 * one that we did not write.
 */
export function describes(document: JsonObject): Describes {
  // Formats are remarks (JSON Schema 2020-12 §7.2.1): WordPress's own `date-time` has no zone.
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  const accepts = judgeOf(document);
  return (operation, status, body) => {
    const [method = '', path = ''] = operation.split(' ');
    const responses = object(
      object(object(object(document['paths'])[path])[method.toLowerCase()])['responses'],
    );
    const class_ = `${Math.floor(status / 100)}XX`;
    const stated = responses[status] ?? responses[class_];
    if (stated === undefined) return `the document says nothing of ${status}`;
    const schema = object(object(object(resolve(stated, document))['content'])['application/json'])['schema'];
    if (!isJsonObject(schema)) return null;
    const judge = ajv.compile({ ...schema, components: document['components'] ?? {} });
    const isRight = judge(body) === true;
    const ours = accepts(operation, status, body);
    if (ours !== null && ours !== isRight) return `Ajv says ${isRight}, the judge of answers ${ours}`;
    return isRight ? null : ajv.errorsText(judge.errors);
  };
}

/** What the gateway's judge says of an answer; null where it does not judge it. */
function judgeOf(document: JsonObject): (operation: string, status: number, body: unknown) => boolean | null {
  const judge = createResponseValidator(document);
  const operations = new Map<string, ServedOperation>();
  for (const { operations: served } of readOperations(document).routes) {
    for (const each of served.values()) operations.set(`${each.method} ${each.path}`, each);
  }
  return (name, status, body) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`the document has no ${name}`);
    const judgement = judge.validate({
      operation,
      status,
      headers: ['content-type', 'application/json'],
      body: new TextEncoder().encode(JSON.stringify(body)),
      requested: { method: operation.method, context: null, hasFieldFilter: false, isEnveloped: false },
    });
    if (judgement.kind === 'skipped') return null;
    return judgement.findings.every(({ kind }) => FINDING_SEVERITIES[kind] === 'remark');
  };
}
