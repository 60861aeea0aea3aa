import { readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { messageOf } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import type { Setting } from './setting-notation.ts';
import { type ResolvedReferences, resolve } from './settings.ts';
import { refusePipe } from './structured-file.ts';

/** Where the texts of a configuration file get what they refer to. */
export interface ReferenceSource {
  /** Folder of the file. Paths in it are relative to this folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Replaces what the texts of a configuration refer to, and makes its paths absolute. Whatever is no text stays as it is.
 *
 * | text | value |
 * |---|---|
 * | `${NAME}` | the environment variable; an error if it is not set |
 * | `${NAME:-text}` | the same; `text` if it is not set or empty |
 * | `$${NAME}` | `${NAME}`, unchanged |
 * | `file:path` | the content of the file |
 *
 * A text may contain several variables. One that is a variable alone may stand for a number or a Boolean. The last line break of a text
 * is removed: files of secrets end with one.
 *
 * @param input unchecked content of the file
 */
export function resolveReferences(
  input: unknown,
  setting: Setting,
  source: ReferenceSource,
): ResolvedReferences {
  const errors = new Map<string, string>();
  const value = resolveValue(input, setting, '', source, errors);
  return { value, errors };
}

function resolveValue(
  input: unknown,
  stated: Setting,
  path: string,
  source: ReferenceSource,
  errors: Map<string, string>,
): unknown {
  const setting = resolve(stated);
  const forms = [setting, ...(setting.anyOf ?? []).map(resolve)];
  if (typeof input === 'string') {
    try {
      return resolveText(input, forms, source);
    } catch (error) {
      errors.set(path, messageOf(error));
      return undefined;
    }
  }
  if (Array.isArray(input)) {
    const items = forms.find((form) => form.items !== undefined)?.items ?? {};
    return input.map((item, at) => resolveValue(item, items, `${path}[${at}]`, source, errors));
  }
  if (!isJsonObject(input)) return input;
  const { additionalProperties = {}, properties = {} } =
    forms.find((form) => form.properties !== undefined || form.additionalProperties !== undefined) ?? {};
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const place = path === '' ? name : `${path}.${name}`;
      return [name, resolveValue(value, member ?? additionalProperties, place, source, errors)];
    }),
  );
}

/** Removes the last line break of a text. */
export function trimLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** @throws {Error} when a variable or a file is missing */
function resolveText(text: string, forms: readonly Setting[], source: ReferenceSource): unknown {
  const { env, folder } = source;
  if (text.startsWith('file:')) {
    const path = resolvePath(folder, text.slice('file:'.length));
    refusePipe(path);
    return trimLineBreak(readFileSync(path, 'utf8'));
  }
  const replaced = trimLineBreak(
    text.replace(/\$(\$?)\{([^}]*\}?)/g, (reference, escaped: string, body: string) =>
      escaped === '' ? readVariable(body, env) : reference.slice(1),
    ),
  );
  const [{ isPath = false, keyword = '' } = {}] = forms;
  if (isPath) return replaced === keyword || replaced === '' ? replaced : resolvePath(folder, replaced);
  return /^\$\{[^}]*\}$/.test(text) ? convert(replaced, forms) : replaced;
}

function readVariable(body: string, env: ReferenceSource['env']): string {
  const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?\}$/s.exec(body) ?? [];
  if (fallback?.includes('${') === true)
    throw new Error(`the default of \${${name}} may not contain a variable`);
  if (name === '') {
    throw new Error(`\${${body} names no environment variable; write $\${${body} for the text itself`);
  }
  const value = env[name];
  if (fallback !== undefined) return value || fallback;
  if (value !== undefined) return value;
  throw new Error(`the environment variable ${name} is not set; \${${name}:-text} states a default`);
}

/** Converts a text where the setting takes no text. */
function convert(text: string, forms: readonly Setting[]): unknown {
  const isType = (name: string): boolean => forms.some(({ type }) => type === name);
  if (isType('string')) return text;
  if ((isType('integer') || isType('number')) && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return isType('boolean') && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
