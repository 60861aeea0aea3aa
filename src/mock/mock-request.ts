import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { decodeByteString, encodeByteString } from '../php/byte-string.ts';
import { parsePhpQuery } from '../php/variables.ts';
import { phpArrayToJsonMembers } from '../php/variables-to-json.ts';

/** A request to one operation, with decoded parameters. */
export interface MockRequest {
  readonly method: string;
  readonly route: string;
  readonly query: JsonObject;
  /** The fields of the body; empty if it has none. */
  readonly body: JsonObject;
}

/** Maximum size of a body, in bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export function readQuery(query: string): JsonObject {
  return Object.fromEntries(phpArrayToJsonMembers(parsePhpQuery(query)));
}

/** Reads the fields of a JSON body or a form. The name of an uploaded file becomes the title, as WordPress does it. */
export async function readBodyFields(request: Request): Promise<JsonObject> {
  if (request.body === null) return {};
  const type = request.headers.get('content-type') ?? '';
  if (/^multipart\/form-data/i.test(type)) return readForm(await request.formData());
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BODY_BYTES) return {};
  const text = new TextDecoder().decode(bytes);
  if (/^application\/x-www-form-urlencoded/i.test(type)) return readQuery(encodeByteString(text));
  if (/^application\/(?:[\w.-]+\+)?json/i.test(type)) return parseObject(text);
  const name = /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(
    request.headers.get('content-disposition') ?? '',
  )?.[1];
  return name === undefined ? {} : { title: toTitle(decodeByteString(name)) };
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function readForm(form: FormData): JsonObject {
  const fields: [string, Json][] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value]);
    else fields.unshift(['title', toTitle(value.name)]);
  }
  return Object.fromEntries(fields);
}

function toTitle(fileName: string): string {
  return fileName.replace(/\.[^.]*$/, '');
}
