import { EXTENSION_NAMES, extensionOf, getStatedPatternProperties, hasMark } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt } from '../json.ts';
import { dereference, resolveReference } from '../openapi/document-references.ts';
import { choicesOf } from '../openapi/schema-view.ts';
import { shorten, toValueText } from '../ui/text.ts';

/** A change that made the description of a parameter or a field valid. */
export interface Repair {
  /** Name of the parameter, or path of the field: `modifiers[].args`. */
  readonly field: string;
  /** An English sentence. */
  readonly text: string;
}

const MAX_REPAIRS = 40;
const MAX_DEPTH = 6;
const MAX_NODES = 2_000;

/**
 * Lists what the generator repaired in the site's description of an operation's parameters and request body. The
 * extensions of the document state it, so the documentation of a stored document has it too. At most 40 repairs.
 */
export function listRepairs(
  operation: JsonObject,
  statedParameters: readonly Json[],
  document: JsonObject,
): readonly Repair[] {
  const repairs: Repair[] = [];
  let nodes = 0;

  function walk(stated: Json | undefined, field: string, depth: number): void {
    nodes += 1;
    if (!isJsonObject(stated) || depth > MAX_DEPTH || nodes > MAX_NODES) return;
    const reference = stated['$ref'];
    if (typeof reference === 'string') {
      walk(resolveReference(document, reference), field, depth + 1);
      return;
    }
    for (const text of describeSchema(stated)) repairs.push({ field: field === '' ? 'body' : field, text });
    for (const [name, property] of jsonMembers(stated['properties']).slice(0, 500)) {
      const member = shorten(name, 120);
      walk(property, field === '' ? member : `${field}.${member}`, depth + 1);
    }
    walk(stated['items'], `${field}[]`, depth + 1);
    for (const choice of choicesOf(stated).slice(0, 20)) walk(choice, field, depth + 1);
  }

  for (const stated of statedParameters) {
    const parameter = dereference(stated, document);
    const name = parameter?.['name'];
    if (parameter === undefined || typeof name !== 'string') continue;
    const field = shorten(name, 120);
    repairs.push(...describeParameter(parameter).map((text) => ({ field, text })));
    walk(parameter['schema'], field, 0);
  }
  const body = dereference(operation['requestBody'], document);
  const [media] = jsonMembers(body?.['content']).slice(0, 1);
  walk(memberAt(media?.[1], 'schema'), '', 0);
  return repairs.slice(0, MAX_REPAIRS);
}

function describeParameter(parameter: JsonObject): readonly string[] {
  const whole = parameter[EXTENSION_NAMES.partOf];
  if (typeof whole === 'string') {
    return [`It is a part of the site's parameter ${shorten(whole, 120)}, which contains a slash.`];
  }
  return hasMark(parameter, 'unnamed')
    ? ['The route of the site does not name it, so its name is made up.']
    : [];
}

function describeSchema(schema: JsonObject): readonly string[] {
  const texts: string[] = [];
  const preset = schema[EXTENSION_NAMES.default];
  if (preset !== undefined && preset !== null) {
    texts.push(`The site's default ${toValueText(preset)} is none of the values that the site allows.`);
  }
  const type = extensionOf(schema, 'type');
  if (type === null) texts.push('The site states no type. The document derives it from the other rules.');
  else if (type !== undefined) texts.push(`The site states the type ${toValueText(type)}.`);
  const pattern = extensionOf(schema, 'pcre');
  if (pattern !== undefined) {
    texts.push(
      schema['pattern'] === undefined
        ? `The site's pattern ${toValueText(pattern)} has no equivalent in JavaScript and is left out.`
        : `Its pattern is a translation of the site's ${toValueText(pattern)}.`,
    );
  }
  if (getStatedPatternProperties(schema) !== undefined) {
    texts.push("The patterns of its keys are translations of the site's.");
  }
  const format = extensionOf(schema, 'format');
  if (format !== undefined) {
    texts.push(`The site states the format ${toValueText(format)}, which its values do not have.`);
  }
  return texts;
}
