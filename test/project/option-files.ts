import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMMAND_NAMES,
  type CommandName,
  type CommandOption,
  createCommand,
  discovery,
  listOptions,
} from '../../src/cli/commands.ts';
import { SETTINGS, type Setting } from '../../src/config/settings.ts';
import { escapeText, toRow } from './reference-documents.ts';
import { ROOT } from './source-files.ts';

/** Creates `src/config/option-types.ts`: the types of configurations, with their comments, and of parsed options. */
export function createOptionTypes(): string {
  const declared = new Map<string, string>();
  toType(SETTINGS.serve, declared, 'stated');
  for (const setting of Object.values(SETTINGS)) toType(setting, declared, 'read');
  declareFlags('discovery', discovery(), declared);
  for (const name of COMMAND_NAMES) declareFlags(name, listOptions(name), declared);
  const head = '// npm run options makes this file from src/config/schema.ts and src/cli/commands.ts.';
  return `${[head, ...declared.values()].join('\n\n')}\n`;
}

/** As a person states a configuration, or as it was read: with numbers for amounts, and with its defaults. */
type Form = 'stated' | 'read';

/** The TypeScript type of a setting's value. Those with a title are declared. */
function toType(setting: Setting, declared: Map<string, string>, form: Form): string {
  const {
    additionalProperties = {},
    anyOf,
    const: constant,
    enum: choices,
    items,
    properties,
    title,
    type,
  } = setting;
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === 'integer' || (form === 'read' && isAmount(setting))) return 'number';
  if (choices !== undefined && title !== undefined) {
    declared.set(title, `export type ${title} =\n  | ${choices.map((each) => `'${each}'`).join('\n  | ')};`);
    return title;
  }
  if (choices !== undefined) return choices.map((each) => `'${each}'`).join(' | ');
  if (items !== undefined) {
    const item = toType(items, declared, form);
    return `readonly ${item.includes('|') ? `(${item})` : item}[]`;
  }
  if (properties !== undefined)
    return declareObject(title ?? '', setting, declared, isAlike(setting) ? 'read' : form);
  if (additionalProperties !== false && Object.keys(additionalProperties).length > 0)
    return `Readonly<Record<string, ${toType(additionalProperties, declared, form)}>>`;
  return type ?? (anyOf ?? []).map((each) => toType(each, declared, form)).join(' | ');
}

const isAmount = ({ format = '' }: Setting): boolean => /^(?:duration|seconds|size)$/.test(format);

/** Whether a configuration that was read has the members that a person states. */
function isAlike(setting: Setting): boolean {
  const { additionalProperties, anyOf = [], items, properties = {}, title = '' } = setting;
  const inner = [...Object.values(properties), ...anyOf, additionalProperties || undefined, items];
  return !isFilled(title) && !isAmount(setting) && inner.every((each) => each === undefined || isAlike(each));
}

/** Whether members with a default are present in a configuration that was read. */
const isFilled = (title: string): boolean => title.endsWith('Config') && title !== 'WaygateConfig';

/** Declares the interface of an object. The one that was read has the stated one's comments, as it extends it. */
function declareObject(type: string, setting: Setting, declared: Map<string, string>, form: Form): string {
  const { description = '', properties = {}, required = [] } = setting;
  const stated = `${type.replace(/(?:Config|Options)$/, '') || 'Gateway'}Settings`;
  const isStated = form === 'stated';
  const extendsStated = !isStated && !isAlike(setting);
  const title = isStated ? stated : type;
  // Members come before the types that they mention.
  declared.set(title, '');
  const omitted: string[] = [];
  const lines = Object.entries(properties).flatMap(([name, member]) => {
    const isRequired = required.includes(name);
    const isPresent = isRequired || (!isStated && isFilled(type) && member.default !== undefined);
    // The comment of a member that is an object says what its type would say.
    const isObject = member.properties !== undefined;
    const memberType = toType(isObject ? { ...member, description: '' } : member, declared, form);
    const line = toLine(name, memberType, isPresent);
    const comment = toComment(describeMember(member, isPresent, form), '  ');
    if (!extendsStated) return [...comment, line];
    if (memberType === toType(member, declared, 'stated')) return isPresent === isRequired ? [] : [line];
    omitted.push(`'${name}'`);
    return [...comment, line];
  });
  const names = omitted.join(' | ');
  const base = names === '' ? stated : `Omit<${stated}, ${names}>`;
  const head = extendsStated ? `export interface ${title} extends ${base} {` : `export interface ${title} {`;
  const comment = extendsStated ? [] : toComment(description, '');
  declared.set(title, [...comment, breakUnion(head), ...lines, '}'].join('\n'));
  return title;
}

/** A line, or several if it is too long because of a union. */
const breakUnion = (line: string): string =>
  line.length <= WIDTH ? line : line.replace(', ', ',\n    ').replaceAll(' | ', '\n    | ');

function toLine(name: string, type: string, isPresent: boolean): string {
  return `  readonly ${name}${isPresent ? '' : '?'}: ${type}${isPresent ? '' : ' | undefined'};`;
}

const UNITS: Readonly<Record<string, string>> = {
  duration: ' In milliseconds.',
  seconds: ' In seconds.',
  size: ' In bytes.',
};

function describeMember(
  { default: preset, description = '', format = '' }: Setting,
  isPresent: boolean,
  form: Form,
): string {
  const [text = '', unset] = description.split(/ ?\bUnset: (.*)\.(?= Prefer|$)/);
  const stated = unset ?? (preset === undefined ? undefined : toText(preset));
  const isStated = !isPresent && stated !== undefined && stated !== '{}';
  return `${text}${(form === 'read' && UNITS[format]) || ''}${isStated ? ` @default ${stated}` : ''}`;
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return 'none';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

const WIDTH = 110;

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

/** Declares parsed options. */
function declareFlags(name: string, options: readonly CommandOption[], declared: Map<string, string>): void {
  const members = new Map<string, { readonly type: string; readonly isPresent: boolean }>();
  for (const option of options) {
    const known = members.get(option.attributeName());
    // An option with a negation of its own may be `true`.
    const type =
      known === undefined ? toFlagType(option) : `${known.type} | boolean`.replace('boolean | ', '');
    const isPresent = option.defaultValue !== undefined || option.mandatory || option.negate;
    members.set(option.attributeName(), { type, isPresent: known?.isPresent ?? isPresent });
  }
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Flags`;
  const lines = Array.from(members, ([key, { isPresent, type }]) => toLine(key, type, isPresent));
  declared.set(title, [`export interface ${title} {`, ...lines, '}'].join('\n'));
}

function toFlagType(option: CommandOption): string {
  const { argChoices, isRepeatable, parseArg } = option;
  if (isRepeatable) return 'readonly string[]';
  if (option.isBoolean() || option.negate) return 'boolean';
  if (argChoices !== undefined) return argChoices.map((each) => `'${each}'`).join(' | ');
  return parseArg === undefined ? 'string' : 'number';
}

const DOCUMENT = join(ROOT, 'docs/reference/commands.md');

/** Creates `docs/reference/commands.md` with the usage and the options of each command as `--help` prints them. */
export function createCommandsDocument(): string {
  const shared = new Set(listRows('generate').filter((row) => listRows('diff').includes(row)));
  const text = COMMAND_NAMES.reduce(
    (document, name) => {
      const rows = listRows(name).filter((row) => !shared.has(row));
      return replaceRows(document, `waygate ${name}`, rows).replace(
        new RegExp(`^waygate ${name} .*$`, 'm'),
        () => `waygate ${name} ${createCommand(name).usage()}`,
      );
    },
    readFileSync(DOCUMENT, 'utf8'),
  );
  return replaceRows(text, 'Options that read a site', [...shared]);
}

/** The options of a command as rows of a table. */
function listRows(name: CommandName): readonly string[] {
  const command = createCommand(name);
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => toRow([`\`${help.optionTerm(option)}\``, escapeText(help.optionDescription(option))]));
}

function replaceRows(document: string, section: string, rows: readonly string[]): string {
  return document.replace(
    new RegExp(
      `(?<=^## ${section}\\n(?:(?!^## )[^])*?\\| option \\| meaning \\|\\n\\|---\\|---\\|\\n)(?:\\|.*\\n?)*`,
      'm',
    ),
    () => rows.join(''),
  );
}
