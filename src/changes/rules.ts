import type { Json } from '../json.ts';

/**
 * What a change means for the clients of the interface.
 * - `breaking`: a program that worked, or compiled, may fail now.
 * - `risky`: a program fails only if it cannot handle what it does not know.
 * - `compatible`: programs are not affected.
 * - `cosmetic`: only a text for people changed.
 */
export type ChangeSeverity = 'breaking' | 'risky' | 'compatible' | 'cosmetic';

/** The values of a change, before and after. */
export interface ChangeValues {
  readonly from?: Json | undefined;
  readonly to?: Json | undefined;
  /** The keyword of JSON Schema or OpenAPI, or the name, that the change is about. */
  readonly name?: string | undefined;
}

/**
 * Every kind of change between two documents. The key is the stable `rule` of a change. The values are its severity in what a
 * client sends, its severity in what a client receives, and the change as an English clause, in which `{from}`, `{to}` and
 * `{name}` stand for {@link ChangeValues}.
 *
 * A site that accepts fewer values breaks clients that send them, and one that sends more values breaks clients that do not
 * expect them. Where the severity is not certain, the safe one is stated: `breaking`.
 */
export const CHANGE_RULES = {
  // The document
  'title-changed': ['cosmetic', 'cosmetic', 'the title changed from {from} to {to}'],
  'site-description-changed': ['cosmetic', 'cosmetic', 'the description changed'],
  'version-changed': ['compatible', 'compatible', 'the version changed from {from} to {to}'],
  'server-changed': ['compatible', 'compatible', 'the server changed from {from} to {to}'],
  'schema-added': ['compatible', 'compatible', 'it was added'],
  // Programs name the types of schemas.
  'schema-removed': ['breaking', 'breaking', 'it was removed'],
  'schema-renamed': ['breaking', 'breaking', 'the name changed from {from} to {to}'],
  'not-comparable': ['breaking', 'breaking', 'it nests too deeply to be compared'],
  'order-changed': ['compatible', 'compatible', 'only the order changed'],
  'other-changed': ['compatible', 'compatible', '{name} changed'],

  // An operation
  'operation-added': ['compatible', 'compatible', 'it was added'],
  'operation-removed': ['breaking', 'breaking', 'it was removed'],
  // Programs that call by path are not affected, but those that name the operation's types are.
  'operation-renamed': ['breaking', 'breaking', 'the name changed from {from} to {to}'],
  'operation-deprecated': ['compatible', 'compatible', 'it was deprecated'],
  'operation-undeprecated': ['compatible', 'compatible', 'it is no longer deprecated'],
  'security-changed': ['breaking', 'breaking', 'the authentication changed from {from} to {to}'],
  'extension-changed': ['compatible', 'compatible', 'the data for the gateway changed ({name})'],

  // A parameter, and the request body
  'parameter-added': ['compatible', 'compatible', 'it was added'],
  'required-parameter-added': ['breaking', 'breaking', 'it was added, and it is required'],
  'parameter-removed': ['breaking', 'breaking', 'it was removed'],
  // Programs state path parameters by name.
  'parameter-renamed': ['breaking', 'breaking', 'the name changed from {from} to {to}'],
  'serialization-changed': ['breaking', 'breaking', 'the serialization changed from {from} to {to}'],
  'body-added': ['compatible', 'compatible', 'it was added'],
  'required-body-added': ['breaking', 'breaking', 'it was added, and it is required'],
  'body-removed': ['breaking', 'breaking', 'it was removed'],
  'media-type-added': ['compatible', 'compatible', 'the media type {to} was added'],
  'media-type-removed': ['breaking', 'breaking', 'the media type {from} was removed'],

  // A response
  'success-status-added': ['compatible', 'compatible', 'the status {to} was added'],
  'success-status-removed': ['breaking', 'breaking', 'the status {from} was removed'],
  'error-status-added': ['compatible', 'compatible', 'the error status {to} was added'],
  'error-status-removed': ['compatible', 'compatible', 'the error status {from} was removed'],
  // A site may send codes that the document does not list.
  'error-code-added': ['compatible', 'compatible', 'the error code {to} was added'],
  'error-code-removed': ['compatible', 'compatible', 'the error code {from} was removed'],
  'context-added': ['compatible', 'compatible', 'the context {to} was added'],
  'context-removed': ['breaking', 'breaking', 'the context {from} was removed'],
  'header-added': ['compatible', 'compatible', 'it was added'],
  'header-removed': ['breaking', 'breaking', 'it was removed'],

  // A schema
  'type-widened': ['compatible', 'breaking', 'the type changed from {from} to {to}'],
  'type-narrowed': ['breaking', 'compatible', 'the type changed from {from} to {to}'],
  'type-changed': ['breaking', 'breaking', 'the type changed from {from} to {to}'],
  'null-added': ['compatible', 'breaking', 'it can be null now'],
  'null-removed': ['breaking', 'compatible', 'it can no longer be null'],
  // A list of values is rarely final: plugins register statuses and types.
  'value-added': ['compatible', 'risky', 'the value {to} was added'],
  'value-removed': ['breaking', 'compatible', 'the value {from} was removed'],
  'values-restricted': ['breaking', 'compatible', 'only these values are stated now: {to}'],
  'values-unrestricted': ['compatible', 'breaking', 'no longer only these values are stated: {from}'],
  // A response within wider bounds has the same type.
  'bound-tightened': ['breaking', 'compatible', '{name} changed from {from} to {to}'],
  'bound-loosened': ['compatible', 'compatible', '{name} changed from {from} to {to}'],
  'constraint-added': ['breaking', 'compatible', '{name} {to} was added'],
  'constraint-removed': ['compatible', 'breaking', '{name} {from} was removed'],
  'constraint-changed': ['breaking', 'breaking', '{name} changed from {from} to {to}'],
  'alternative-added': ['compatible', 'breaking', 'the alternative {to} was added'],
  'alternative-removed': ['breaking', 'compatible', 'the alternative {from} was removed'],
  // A request without the value means something else now. The default of a response means nothing to a client.
  'default-added': ['breaking', 'cosmetic', 'the default {to} was added'],
  'default-removed': ['breaking', 'cosmetic', 'the default {from} was removed'],
  'default-changed': ['breaking', 'cosmetic', 'the default changed from {from} to {to}'],
  'became-required': ['breaking', 'compatible', 'it became required'],
  'became-optional': ['compatible', 'breaking', 'it became optional'],
  'member-added': ['compatible', 'compatible', 'it was added'],
  'required-member-added': ['breaking', 'compatible', 'it was added, and it is required'],
  'member-removed': ['breaking', 'breaking', 'it was removed'],
  'other-members-accepted': ['compatible', 'compatible', 'members of other names are possible now'],
  'other-members-refused': ['breaking', 'compatible', 'members of other names are no longer possible'],
  'other-members-typed': ['breaking', 'compatible', 'the type of members of other names is stated now'],
  'other-members-untyped': [
    'compatible',
    'breaking',
    'the type of members of other names is no longer stated',
  ],
  'schema-deprecated': ['compatible', 'compatible', 'it was deprecated'],
  'schema-undeprecated': ['compatible', 'compatible', 'it is no longer deprecated'],
  'text-changed': ['cosmetic', 'cosmetic', 'the {name} changed'],
} as const;

/** The stable name of a kind of change. */
export type ChangeRuleName = keyof typeof CHANGE_RULES;

/** Describes a change by its rule, as an English clause. */
export function describeChange(rule: ChangeRuleName, { from, name = '', to }: ChangeValues): string {
  const values: Readonly<Record<string, string>> = { from: printValue(from), to: printValue(to), name };
  return CHANGE_RULES[rule][2].replace(/\{(from|to|name)\}/g, (_, key: string) => values[key] ?? '');
}

/** Maximum number of characters of a value in a text. */
const MAX_VALUE_LENGTH = 80;

/**
 * Prints a value for a person, in one line. Strings are quoted and escaped as in JSON, because the text of a site may contain
 * line breaks.
 */
function printValue(value: Json | undefined): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return truncateText(value.map((item) => JSON.stringify(item)).join(', '));
  return truncateText(JSON.stringify(value));
}

/** Quotes a name of the document, in one line. */
export function printName(name: string): string {
  return truncateText(JSON.stringify(name));
}

/** Prints a keyword: without quotes if it is a word. */
export function printKeyword(name: string): string {
  return /^[\w$-]{1,60}$/.test(name) ? name : printName(name);
}

function truncateText(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
