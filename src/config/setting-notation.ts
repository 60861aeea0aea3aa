import { type Json, mapMembers } from '../json.ts';

/** A setting: a JSON Schema with a few keywords of our own. */
export interface Setting {
  readonly $ref?: string;
  readonly description?: string;
  readonly title?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: Json;
  readonly default?: Json;
  readonly pattern?: string;
  /** Only http and https. */
  readonly format?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Setting;
  readonly properties?: Readonly<Record<string, Setting>>;
  readonly additionalProperties?: Setting;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Setting[];
  /** What the text means: a duration that becomes milliseconds (`ms`) or seconds (`s`), or a size (`bytes`). */
  readonly unit?: string;
  /** Least duration. */
  readonly atLeast?: string;
  /** Greatest duration. */
  readonly atMost?: string;
  /** What an absent value means, in words. */
  readonly unset?: string;
  /** Whether the value is a secret, which is never printed. */
  readonly writeOnly?: boolean;
  readonly inPrograms?: string;
  /** Whether programs lack the setting. */
  readonly internal?: boolean;
  /** Whether the text is the path of a file or folder. In a configuration file it is relative to the folder of that file. */
  readonly isPath?: boolean;
  /** A text that is no path although others are. */
  readonly keyword?: string;
  /** Environment variable that has the value unless the configuration states it. */
  readonly env?: string;
  readonly message?: string;
  /** Replaces the message of a list that is too short. */
  readonly tooFew?: string;
}

/** A setting as its text states it, with what only options of commands have. */
export interface ExpandedSetting extends Setting {
  /** The setting whose description, type and choices an option has. */
  readonly setting?: string;
  readonly repeatable?: boolean;
  /** Whether it makes sense for one site only. */
  readonly single?: boolean;
  /** Whether `--help` leaves it out, so that the help of a command fits a screen. `--help --all` and docs/commands.md have it. */
  readonly advanced?: boolean;
}

/** A setting of `options.json`: its text, alone or as `is` beside further keywords. */
export type StatedSetting =
  | string
  | (Omit<Setting, 'additionalProperties' | 'anyOf' | 'items' | 'properties'> & {
      readonly is?: string;
      readonly items?: StatedSetting;
      readonly properties?: Readonly<Record<string, StatedSetting>>;
      readonly additionalProperties?: StatedSetting;
      readonly anyOf?: readonly StatedSetting[];
    });

/**
 * Expands a setting of `options.json`. Its text is `string(1..)[] = []: Description. Unset: what an absent value means.`: marks, a
 * type, its bounds, `[]` for a list (`[1..]` with bounds), the default, the description, and what is unset. Types are those of
 * JSON Schema, `text`, `flag` and `any` for none, `#name` of a definition, `serve.sites.url` of another setting, values such as
 * `json | text`, the names of {@link TYPES}, and for an object with properties its title.
 */
export function expandSetting(stated: StatedSetting): ExpandedSetting {
  if (typeof stated === 'string') return readText(stated, false);
  const { additionalProperties, anyOf, is, items, properties, ...keywords } = stated;
  return {
    ...(is === undefined ? {} : readText(is, properties !== undefined)),
    ...(properties && { properties: mapMembers(properties, (_, member) => expandSetting(member)) }),
    ...(additionalProperties && { additionalProperties: expandSetting(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(expandSetting) }),
    ...(items && { items: expandSetting(items) }),
    ...keywords,
  };
}

const TYPES: Readonly<Record<string, Setting>> = {
  duration: { type: 'string', unit: 'ms' },
  seconds: { type: 'string', unit: 's' },
  size: { type: 'string', unit: 'bytes' },
  rate: { unit: 'rate' },
  url: { type: 'string', format: 'uri' },
  path: { type: 'string', isPath: true, minLength: 1 },
  any: {},
  flag: {},
  text: {},
};

const TEXT =
  /^(?<marks>(?:(?:advanced|repeatable|single|writeOnly) )*)(?<name>[^([=:]+?)(?:\((?<least>[\d.]*)\.\.(?<most>\d*)\))?(?<list>\[(?:(?<minItems>\d+)\.\.)?\])?(?: = (?<initial>\S+))?(?:: (?<description>.*?))?(?: Unset: (?<unset>.*)\.)?$/;

function readText(text: string, isObject: boolean): ExpandedSetting {
  const stated = TEXT.exec(text)?.groups ?? {};
  const { description, initial, least, list, marks = '', minItems, most, name = '', unset } = stated;
  const base = isObject ? { title: name, type: 'object' } : readType(name);
  const [minimum, maximum] = [least, most].map((bound) => (bound ? Number(bound) : undefined));
  const isText = base.type === 'string';
  const one: ExpandedSetting = {
    ...base,
    ...(minimum === undefined ? {} : { [isText ? 'minLength' : 'minimum']: minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  return {
    ...(list === undefined ? one : { type: 'array', items: one }),
    ...(minItems === undefined ? {} : { minItems: Number(minItems) }),
    ...(initial === undefined ? {} : { default: readDefault(initial) }),
    ...(description === undefined ? {} : { description }),
    ...(unset === undefined ? {} : { unset }),
    ...Object.fromEntries((marks.match(/\w+/g) ?? []).map((mark) => [mark, true])),
  };
}

function readType(name: string): ExpandedSetting {
  if (name.startsWith('#')) return { $ref: `#/$defs/${name.slice(1)}` };
  if (name.includes(' | ')) return { type: 'string', enum: name.split(' | ') };
  return TYPES[name] ?? (name.includes('.') ? { setting: name } : { type: name });
}

/** A default in JSON, or a text without quotes. */
function readDefault(text: string): NonNullable<Setting['default']> {
  return /^(?:-?[\d.]+|true|false|\[\]|\{\}|".*")$/.test(text) ? JSON.parse(text) : text;
}
