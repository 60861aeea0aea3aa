import { isJsonObject, type Json, type JsonStructure, parseJson } from '../../base/json.ts';
import type { ParameterRow } from './operation-details.ts';
import type { SampleRequest } from './sample-request.ts';

export interface RequestForm {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly RequestField[];
  readonly body: JsonStructure | undefined;
  /** Empty if it is the content. */
  readonly upload: string | undefined;
  readonly credentials: SampleRequest['credentials'];
}

export interface RequestField
  extends Pick<ParameterRow, 'name' | 'type' | 'isRequired' | 'allowed' | 'default' | 'mayContainSlashes'> {
  readonly in: 'path' | 'query';
  readonly isCommon: boolean;
  /** Initial value: an example of a required parameter. The path of a write has none. */
  readonly value: Json | undefined;
}

export type RequestForms = Readonly<Record<string, RequestForm>>;

/** `5` becomes a number, `1,2` a list. @param type `integer or null`, `list of strings` */
export function toTypedValue(text: string, type: string): Json {
  const scalar = toScalar(text, type);
  if (typeof scalar !== 'string') return scalar;
  if (/\blist\b/.test(type)) {
    const parsed = parseJson(text);
    return Array.isArray(parsed) ? parsed : text.split(',').map((item) => toScalar(item.trim(), type));
  }
  const parsed = /\bobject\b/.test(type) ? parseJson(text) : undefined;
  return isJsonObject(parsed) ? parsed : text;
}

function toScalar(text: string, type: string): string | number | boolean {
  // Numbers that another spelling would denote stay texts: 007, 1e3.
  if (/\b(?:integer|number)/.test(type) && String(Number(text)) === text) return Number(text);
  if (/\bboolean/.test(type) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
