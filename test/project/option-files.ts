import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  COMMAND_NAMES,
  type CommandOption,
  createCommand,
  GROUPS,
  listOptionGroups,
  listOptions,
  nameOption,
  withSetting,
} from '../../src/cli/options.ts';
import type { Setting } from '../../src/config/setting-notation.ts';
import { findSetting, resolve } from '../../src/config/settings.ts';
import { ROOT } from './source-files.ts';

/** Creates `generated/option-types.d.ts`: the types of what `src/options.json` declares. */
export function createOptionTypes(): string {
  const declared = new Declarations();
  for (const section of ['serve', 'generate']) toType(findSetting(section), declared);
  for (const [name, options] of Object.entries(GROUPS)) {
    const noun = `The parsed options of ${name}, which several commands share.`;
    declareFlags(toTitle(name), noun, '', options.map(withSetting), declared);
  }
  for (const name of COMMAND_NAMES) {
    const [group = ''] = listOptionGroups(name);
    const shared = new Map((GROUPS[group] ?? []).map((option) => [option.flag, withSetting(option)]));
    const own = listOptions(name).filter((option) => !isDeepStrictEqual(option, shared.get(option.flag)));
    const replaced = own.filter(({ flag }) => shared.has(flag)).map((option) => `'${nameOption(option)}'`);
    const base = replaced.length === 0 ? toTitle(group) : `Omit<${toTitle(group)}, ${replaced.join(' | ')}>`;
    const heritage = group === '' ? '' : ` extends ${base}`;
    declareFlags(toTitle(name), `The parsed options of \`waygate ${name}\`.`, heritage, own, declared);
  }
  const head = '// npm run options makes this file from options.json.';
  return `${[head, ...declared.values()].join('\n\n')}\n`;
}

/** The texts of declarations by name, and the settings of those that are interfaces of objects. */
class Declarations extends Map<string, string> {
  readonly settings = new Map<string, Setting>();
}

/** The TypeScript type of a setting's value. Those of objects are declared. */
function toType(stated: Setting, declared: Declarations): string {
  const setting = resolve(stated);
  const {
    additionalProperties,
    anyOf,
    const: constant,
    enum: choices,
    items,
    title = '',
    type,
    unit,
  } = setting;
  if (constant !== undefined) return JSON.stringify(constant);
  if (unit !== undefined || type === 'integer') return 'number';
  if (choices !== undefined && title !== '') {
    declared.set(title, `export type ${title} =\n  | ${choices.map((each) => `'${each}'`).join('\n  | ')};`);
    return title;
  }
  if (choices !== undefined) return choices.map((each) => `'${each}'`).join(' | ');
  if (items !== undefined) {
    const item = toType(items, declared);
    return `readonly ${item.includes('|') ? `(${item})` : item}[]`;
  }
  if (setting.properties !== undefined) return declareObject(title, setting, declared);
  if (additionalProperties !== undefined)
    return `Readonly<Record<string, ${toType(additionalProperties, declared)}>>`;
  return type ?? (anyOf ?? []).map((each) => toType(each, declared)).join(' | ');
}

/** Declares the interface of an object. Members with a default are present in a configuration that was read. */
function declareObject(title: string, setting: Setting, declared: Declarations): string {
  const { properties = {}, required = [] } = setting;
  const members = Object.entries(properties).map(([name, stated]) => [name, resolve(stated)] as const);
  const isFilled = title.endsWith('Config') && title !== 'WaygateConfig';
  // Members come before the types that they mention.
  declared.set(title, '');
  const [base = '', inherited = []] = isFilled ? [] : (findBase(setting, declared) ?? []);
  if (!isFilled) declared.settings.set(title, setting);
  const toMember = ([name, member]: (typeof members)[number]): string => {
    const isPresent = required.includes(name) || (isFilled && member.default !== undefined);
    return [
      // Nobody but the commands sees what a configuration becomes.
      ...(isFilled ? [] : toComment(describeMember(member, isPresent), '  ')),
      toLine(name, toType(member, declared), isPresent),
    ].join('\n');
  };
  const internal = members.filter(([, { internal: isInternal }]) => isInternal === true);
  const own = members.filter((member) => !internal.includes(member) && !inherited.includes(member[0]));
  const names = inherited.map((name) => `'${name}'`).join(' | ');
  const lines =
    base !== '' && own.length === 0
      ? [`export type ${title} = Pick<${base}, ${names}>;`]
      : wrap(base === '' ? title : `${title} extends Pick<${base}, ${names}>`, own.map(toMember));
  declared.set(title, [...toComment(setting.description ?? '', ''), ...lines].join('\n'));
  const others = internal.map(([name, member]) => `readonly ${name}: ${toType(member, declared)}`);
  return others.length === 0 ? title : `${title} & { ${others.join('; ')} }`;
}

/** Another object that states some of the members by the same references, and their names. One in common may be chance. */
function findBase(
  { properties = {} }: Setting,
  { settings }: Declarations,
): readonly [title: string, names: readonly string[]] | undefined {
  return Array.from(settings, ([title, { properties: others = {} }]) => {
    const names = Object.keys(properties).filter(
      (name) => properties[name]?.$ref !== undefined && isDeepStrictEqual(properties[name], others[name]),
    );
    return [title, names] as const;
  }).find(([, names]) => names.length > 1);
}

function wrap(title: string, body: readonly string[]): readonly string[] {
  return [`export interface ${title} {`, ...body, '}'];
}

function toLine(name: string, type: string, isPresent: boolean): string {
  return `  readonly ${name}${isPresent ? '' : '?'}: ${type}${isPresent ? '' : ' | undefined'};`;
}

function describeMember(member: Setting, isPresent: boolean): string {
  const { default: preset, description = '', inPrograms, unit, unset } = member;
  const units: Readonly<Record<string, string>> = {
    ms: 'In milliseconds.',
    s: 'In seconds.',
    bytes: 'In bytes.',
  };
  const stated = inPrograms ?? unset ?? (preset === undefined ? undefined : toText(preset));
  return [
    description,
    units[unit ?? ''] ?? '',
    isPresent || stated === undefined || stated === '{}' ? '' : `@default ${stated}`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return 'none';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

const WIDTH = 128;

/** A comment in lines of bounded length. */
function toComment(text: string, indent: string): readonly string[] {
  if (text === '') return [];
  const line = `${indent}/** ${text} */`;
  if (line.length <= WIDTH) return [line];
  const lines: string[] = [];
  for (const word of text.replace(' @default', '\n@default').split(/(?<=\n)| /)) {
    const last = lines.at(-1);
    const isFull =
      last === undefined || last.endsWith('\n') || `${indent} * ${last} ${word}`.trimEnd().length > WIDTH;
    if (isFull) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return [`${indent}/**`, ...lines.map((each) => `${indent} * ${each.trimEnd()}`), `${indent} */`];
}

function toTitle(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Flags`;
}

/** Declares parsed options. */
function declareFlags(
  title: string,
  description: string,
  heritage: string,
  options: readonly CommandOption[],
  declared: Declarations,
): void {
  const members = new Map<string, { type: string; isPresent: boolean }>();
  for (const option of options) {
    const known = members.get(nameOption(option));
    // An option with a negation of its own may be `true`.
    const type =
      known === undefined ? toFlagType(option) : `${known.type} | boolean`.replace('boolean | ', '');
    const hasDefault =
      option.default !== undefined || (option.repeatable === true && option.unset !== undefined);
    const isPresent = hasDefault || option.mandatory === true || option.flag.startsWith('--no-');
    members.set(nameOption(option), { type, isPresent: known?.isPresent ?? isPresent });
  }
  const lines = Array.from(members, ([key, { isPresent, type }]) => toLine(key, type, isPresent));
  declared.set(title, [...toComment(description, ''), ...wrap(`${title}${heritage}`, lines)].join('\n'));
}

function toFlagType(option: CommandOption): string {
  if (option.repeatable === true) return 'readonly string[]';
  if (!/[<[]/.test(option.flag)) return 'boolean';
  if (option.setting !== undefined && option.unit !== undefined) return 'string';
  const { additionalProperties: _, anyOf: __, items: ___, ...single } = option;
  return toType({ ...single, type: single.type === 'integer' ? 'integer' : 'string' }, new Declarations());
}

const DOCUMENT = join(ROOT, 'docs/commands.md');

/** Creates `docs/commands.md` with the usage and the options of each command as `--help` prints them. */
export function createCommandsDocument(): string {
  return COMMAND_NAMES.reduce(
    (text, name) => {
      const command = createCommand(name);
      const help = command.createHelp();
      /** A `<` would begin an HTML element outside of code. */
      const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|');
      const rows = help
        .visibleOptions(command)
        .filter(({ long }) => long !== '--help')
        .map((option) => {
          const meaning = escapeCell(help.optionDescription(option)).replaceAll('<', '\\<');
          return `| \`${escapeCell(help.optionTerm(option))}\` | ${meaning} |\n`;
        });
      return text
        .replace(new RegExp(`^waygate ${name} .*$`, 'm'), () => `waygate ${name} ${command.usage()}`)
        .replace(
          new RegExp(`(?<=^## waygate ${name}\\n(?:(?!^## )[^])*?\\|---\\|---\\|\\n)(?:\\|.*\\n?)+`, 'm'),
          () => rows.join(''),
        );
    },
    readFileSync(DOCUMENT, 'utf8'),
  );
}
