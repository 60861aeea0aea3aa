import { resolve as resolvePath } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { isJsonObject, mapMembers, ownMember } from '../../base/json.ts';
import { readUserFile } from '../../base/read-file.ts';
import { findMembers, type ResolvedReferences, type Setting } from './settings.ts';

export interface ReferenceSource {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Replaces variables and file references in a configuration, and makes its paths absolute.
 * - `${NAME}`: the environment variable; an error if it is not set. Without other text, it can stand for a number or a Boolean.
 * - `${NAME:-text}`: the same; `text` if it is not set or empty
 * - `$${NAME}`: `${NAME}`, unchanged
 * - `file:path`: the content of the file, without its final line break
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
  setting: Setting,
  path: string,
  source: ReferenceSource,
  errors: Map<string, string>,
): unknown {
  if (typeof input === 'string') {
    try {
      return resolveText(input, setting, source);
    } catch (error) {
      errors.set(path, messageOf(error));
      return undefined;
    }
  }
  const { additionalProperties, items = {}, properties = {} } = findMembers(setting);
  if (Array.isArray(input))
    return input.map((item, at) => resolveValue(item, items, `${path}[${at}]`, source, errors));
  if (!isJsonObject(input)) return input;
  return mapMembers(input, (name, value) => {
    const member = ownMember(properties, name) ?? (additionalProperties || {});
    return resolveValue(value, member, path === '' ? name : `${path}.${name}`, source, errors);
  });
}

/** Environment variables (`${NAME}`) or the file (`file:path`) in a text. */
export function listReferences(text: string): readonly string[] {
  if (text.startsWith('file:')) return [text];
  return (text.match(/(?<!\$)\$\{\w+/g) ?? []).map((start) => `${start}}`);
}

export function trimLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function resolveText(text: string, setting: Setting, source: ReferenceSource): unknown {
  const { env, folder } = source;
  if (text.startsWith('file:')) {
    return trimLineBreak(readUserFile(resolvePath(folder, text.slice('file:'.length))));
  }
  const replaced = trimLineBreak(
    text.replace(/\$(\$?)\{([^}]*\}?)/g, (reference, escaped: string, body: string) =>
      escaped === '' ? readVariable(body, env) : reference.slice(1),
    ),
  );
  if (setting.format === 'path') return replaced === '' ? replaced : resolvePath(folder, replaced);
  return /^\$\{[^}]*\}$/.test(text) ? convert(replaced, setting) : replaced;
}

function readVariable(body: string, env: ReferenceSource['env']): string {
  const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?\}$/s.exec(body) ?? [];
  if (fallback?.includes('${') === true)
    throw new Error(`the default of \${${name}} must not contain a variable`);
  if (name === '') {
    throw new Error(`\${${body} is not a variable; write $\${${body} for the literal text`);
  }
  const value = env[name];
  if (fallback !== undefined) return value || fallback;
  if (value !== undefined) return value;
  throw new Error(`the environment variable ${name} is not set; \${${name}:-text} gives it a default`);
}

function convert(text: string, { type }: Setting): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
