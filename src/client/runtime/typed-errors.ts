import type { ErrorCode } from './operations.ts';
import type { ClientErrorCode, ResponseError } from './types.ts';

interface ErrorBase<Code, Data> extends Omit<ResponseError, 'code' | 'data' | 'source'> {
  readonly source: 'site' | 'gateway';
  readonly code: Code;
  readonly data: Data;
}

/** Parameters have invalid values: `data.params` has a text for each. */
export interface InvalidParamError
  extends ErrorBase<
    'rest_invalid_param',
    {
      readonly status: number;
      readonly params: Readonly<Record<string, string>>;
      readonly details?: Readonly<
        Record<string, { readonly code: string; readonly message: string; readonly data: unknown }>
      >;
    }
  > {}

/** Required parameters are missing: `data.params` has their names. */
export interface MissingParamError
  extends ErrorBase<
    'rest_missing_callback_param',
    { readonly status: number; readonly params: readonly string[] }
  > {}

/** An error with a code that the site is known to send. Some codes have more data: `term_id` of `term_exists`. */
export interface KnownError<Code extends string>
  extends ErrorBase<
    Code,
    { readonly status: number; readonly params?: never; readonly [member: string]: unknown }
  > {}

/**
 * An error with any other code. Every code may be one of these, as TypeScript cannot exclude literals from `string`. Members
 * that an error with a known code has are `never` here, so that a comparison of `code` gives their type.
 */
export interface OtherError
  extends ErrorBase<
    string,
    {
      readonly status: number;
      readonly params: never;
      readonly details: never;
      readonly excerpt: never;
      readonly [member: string]: unknown;
    }
  > {}

/** The response does not come from a REST interface: an HTML page, an empty body, truncated JSON. */
export interface ClientError
  extends Omit<ErrorBase<ClientErrorCode, { readonly status: number; readonly excerpt?: string }>, 'source'> {
  readonly source: 'client';
}

/** Codes that WordPress sends for every route. */
type CommonCode =
  | 'rest_no_route'
  | 'rest_forbidden'
  | 'rest_invalid_json'
  | 'rest_cookie_invalid_nonce'
  | 'rest_not_logged_in'
  | 'incorrect_password'
  | 'invalid_username';

/** The errors of an operation, or of all of them, discriminated by `code`. */
export type SiteError<Code extends string = ErrorCode> =
  | InvalidParamError
  | MissingParamError
  | KnownError<CommonCode | Exclude<Code, 'rest_invalid_param' | 'rest_missing_callback_param'>>
  | ClientError
  | OtherError;
