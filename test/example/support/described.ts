import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { object, resolve } from './documented.ts';

/** Whether a body is what a document says of an operation's answer: what is wrong with it, null where nothing is. */
export type Describes = (operation: string, status: number, body: unknown) => string | null;

/** Where the document says nothing of an answer, anything is as described. */
export function describes(document: JsonObject): Describes {
  // Formats are remarks (JSON Schema 2020-12 §7.2.1): WordPress's own `date-time` has no zone.
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
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
    return judge(body) ? null : ajv.errorsText(judge.errors);
  };
}
