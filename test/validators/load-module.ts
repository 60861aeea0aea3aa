import ts from 'typescript';
import * as zod from 'zod';
import type { StandardSchemaV1 } from '../../src/validators/runtime.ts';

/** The validators of one operation, as a generated module has them. */
export interface LoadedOperation {
  readonly path?: StandardSchemaV1;
  readonly query?: StandardSchemaV1;
  readonly body?: StandardSchemaV1;
  readonly response?: StandardSchemaV1;
  readonly contexts?: Readonly<Record<string, StandardSchemaV1>>;
}

export interface LoadedModule {
  readonly validators: Readonly<Record<string, LoadedOperation>>;
  /** The validators of components, by constant. */
  readonly constants: Readonly<Record<string, StandardSchemaV1>>;
}

/** Runs a generated module. It may import zod only. */
export function loadModule(text: string): LoadedModule {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported: { validators?: LoadedModule['validators'] } & Record<string, unknown> = {};
  const load = (specifier: string): unknown => {
    if (specifier === 'zod') return zod;
    throw new Error(`the module imports ${specifier}`);
  };
  new Function('require', 'exports', outputText)(load, exported);
  const { validators = {}, ...constants } = exported;
  return { validators, constants: constants as LoadedModule['constants'] };
}

/** The paths of a value's issues; `null` if the value is valid. */
export function issuesOf(schema: StandardSchemaV1 | undefined, value: unknown): readonly string[] | null {
  const result = schema?.['~standard'].validate(value);
  if (result === undefined) throw new Error('there is no such validator');
  return result.issues === undefined ? null : result.issues.map(({ path }) => path.join('.'));
}
