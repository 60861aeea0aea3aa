import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../../base/errors.ts';
import type { WaygateConfig } from '../../base/option-types.ts';
import { loadModule } from './load-module.ts';
import { GENERATE } from './schema.ts';
import { type ReferenceSource, readSettings, resolveReferences, SETTINGS } from './settings.ts';

/** The first existing file is read. */
export const CONFIG_FILE_NAMES = [
  'waygate.config.ts',
  'waygate.config.mts',
  'waygate.config.js',
  'waygate.config.mjs',
] as const;

export interface LoadedGenerateConfig {
  readonly file: string;
  readonly config: WaygateConfig;
}

/** @returns `null` if no file is given and the folder has no configuration */
export async function loadGenerateConfig(
  folder: string,
  file: string | undefined,
  env: ReferenceSource['env'] = process.env,
): Promise<LoadedGenerateConfig | null> {
  const names = CONFIG_FILE_NAMES.map((name) => join(folder, name));
  const path = file === undefined ? names.find(existsSync) : requireModule(folder, file);
  if (path === undefined) return null;
  const exports = await loadModule(path);
  const { default: value = exports } = exports;
  const references = resolveReferences(value, SETTINGS.generate, { folder: dirname(path), env });
  const read = readSettings(references, GENERATE, 'the default export');
  if (read.ok) return { file: path, config: read.value };
  const { errors: issues } = read;
  throw new ConfigurationError(`${path} is invalid\n${issues.map((issue) => `  ${issue}`).join('\n')}`);
}

function requireModule(folder: string, file: string): string {
  const path = resolve(folder, file);
  if (!existsSync(path)) throw new ConfigurationError(`--config ${file}: there is no such file`);
  if (!/\.(?:ya?ml|json)$/i.test(file)) return path;
  throw new ConfigurationError(
    `--config ${file}: waygate generate reads a module such as waygate.config.ts; YAML and JSON are for waygate serve`,
  );
}
