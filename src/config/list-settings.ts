import { isJsonObject } from '../json.ts';
import type { Setting } from './setting-notation.ts';
import { resolve } from './settings.ts';

/** A value of a configuration that contains no further settings. */
export interface ListedSetting {
  /** Names and positions that lead to it. */
  readonly path: readonly (string | number)[];
  readonly setting: Setting;
  /** As stated, or the default: durations and sizes are texts. */
  readonly value: unknown;
}

/** Lists what a configuration states, and the defaults of the rest. */
export function* listSettings(
  input: unknown,
  stated: Setting,
  path: ListedSetting['path'] = [],
): Generator<ListedSetting> {
  const declared = resolve(stated);
  const value = input === undefined ? declared.default : input;
  if (value === undefined) return;
  const forms = [declared, ...(declared.anyOf ?? []).map(resolve)];
  const { additionalProperties, properties = {} } =
    forms.find((form) => form.properties !== undefined || form.additionalProperties !== undefined) ?? {};
  if (Array.isArray(value) && value.length > 0) {
    const items = forms.find((form) => form.items !== undefined)?.items ?? {};
    for (const [at, item] of value.entries()) yield* listSettings(item, items, [...path, at]);
  } else if (isJsonObject(value) && Object.keys({ ...value, ...properties }).length > 0) {
    for (const name of new Set([...Object.keys(value), ...Object.keys(properties)])) {
      const member = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      yield* listSettings(value[name], member ?? {}, [...path, name]);
    }
  } else yield { path, setting: declared, value };
}

/** Writes a path as messages do: `sites[0].url`. */
export function writePath(path: ListedSetting['path']): string {
  return path
    .map((name, at) => (typeof name === 'number' ? `[${name}]` : `${at === 0 ? '' : '.'}${name}`))
    .join('');
}
