import { type CheckedSchema, type Dialect, findIssues } from '../model/schema/walk.ts';

/** The interface of Standard Schema 1 (https://standardschema.dev). Libraries for forms, routers and RPC accept it. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  /** Names and indexes that lead to the wrong part. */
  readonly path: readonly (string | number)[];
}

/** A validator, with the schema that others refer to. */
export interface Validator<Type> extends StandardSchemaV1<Type> {
  readonly schema: CheckedSchema | boolean;
}

/** Creates the validator of a schema. */
export function validator<Type>(schema: CheckedSchema | boolean): Validator<Type> {
  return {
    schema,
    '~standard': {
      version: 1,
      vendor: 'waygate',
      validate(value) {
        const found = findIssues(schema, value, dialect, 1_000_000);
        if (found === undefined)
          return { issues: [{ message: 'The value is too large to validate.', path: [] }] };
        if (found.length === 0) return { value: value as Type };
        return { issues: found.slice(0, 100).map(({ message, path }) => ({ message, path })) };
      },
    },
  };
}

const dialect: Dialect = {
  resolve: (reference) => (typeof reference === 'function' ? reference().schema : true),
  matches: (pattern, text) => toRegExp(pattern).test(text),
  hasFormat: (format, value) =>
    typeof value !== 'string' || Object.values(format).every((pattern) => toRegExp(pattern).test(value)),
  isMultiple: (value, divisor) => value % divisor === 0,
};

const patterns = /* @__PURE__ */ new Map<string, RegExp>();

function toRegExp(pattern: string): RegExp {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, compiled);
  return compiled;
}
