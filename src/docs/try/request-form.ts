import type { Json, JsonObject } from '../../json.ts';
import type { FileUpload } from '../details/operation-details.ts';
import type { ValueTypes } from '../details/parameter-row.ts';

/** What the form of an operation needs. The server sends it for all operations of a page. */
export interface RequestForm {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly RequestField[];
  /** Example of a JSON body; `undefined` if the operation takes none. */
  readonly body: JsonObject | undefined;
  /** How the request carries a file; `undefined` if the operation takes none. */
  readonly upload: FileUpload | undefined;
  /** Whether each request needs credentials, as far as it is known. */
  readonly needsCredentials: boolean;
}

/** A parameter in a form. */
export interface RequestField {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether every operation has the parameter. */
  readonly isCommon: boolean;
  /** The allowed values; empty if there is no list. */
  readonly allowed: readonly string[];
  /** Whether several values may be chosen, which are sent separated by commas. */
  readonly isList: boolean;
  /** What the site uses without a value, as text; empty if it is unknown. */
  readonly default: string;
  /** Value that the field has at first: an example where the parameter is required. */
  readonly value: Json | undefined;
  readonly mayContainSlashes: boolean;
  readonly valueTypes: ValueTypes;
}

/** The forms of a page by anchor. */
export type RequestForms = Readonly<Record<string, RequestForm>>;
