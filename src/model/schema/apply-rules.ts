import type { Diagnostic } from '../../diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../json.ts';
import { EXTENSION } from '../../openapi/extensions.ts';
import { compareKeywords, KEYWORD_KINDS } from './keywords.ts';
import {
  createMutableSchema,
  type MutableSchema,
  originPointer,
  type ReportRepair,
  type SchemaRule,
} from './mutable-schema.ts';
import { createPatternTranslator, type PatternTranslator } from './patterns.ts';
import { resolveReference } from './references.ts';
import { RULES_AFTER_SUBSCHEMAS, RULES_BEFORE_SUBSCHEMAS } from './rules/index.ts';
import { SHAPE_RULES } from './rules/shapes.ts';
import * as structure from './rules/structure.ts';

/** A diagnostic whose pointer is relative to the schema that was normalised, and whose route is not yet known. */
export type RelativeDiagnostic = Omit<Diagnostic, 'route'>;

export interface AppliedRules {
  readonly schema: JsonObject;
  readonly diagnostics: readonly RelativeDiagnostic[];
}

/** How deep schemas may nest, and how many may stand in one: what lies beyond is left open and reported. */
const MAX_DEPTH = 64;
const MAX_SCHEMAS = 10_000;

/** What one walk over one schema knows. */
interface Traversal {
  readonly root: JsonObject;
  readonly diagnostics: RelativeDiagnostic[];
  readonly translatePattern: PatternTranslator;
  schemaCount: number;
}

/** Where the walk stands. */
interface SchemaPosition {
  /** JSON pointer relative to the root schema, at the site. */
  readonly pointer: string;
  readonly depth: number;
  /** The type of the schema whose `oneOf` or `anyOf` this is a member of. */
  readonly inheritedType?: Json;
  /** Pointers of the references that led here, against those that lead in a circle. */
  readonly followedReferences: readonly string[];
}

/** Carries out all rules on a schema and on those within it, from the outside in and back. Never throws. */
export function applyRules(
  raw: Json,
  translatePattern: PatternTranslator = createPatternTranslator(),
): AppliedRules {
  const traversal: Traversal = {
    root: isJsonObject(raw) ? raw : {},
    diagnostics: [],
    translatePattern,
    schemaCount: 0,
  };
  const schema = visit(raw, { pointer: '', depth: 0, followedReferences: [] }, traversal);
  return { schema, diagnostics: traversal.diagnostics };
}

function visit(raw: Json, position: SchemaPosition, traversal: Traversal): JsonObject {
  traversal.schemaCount += 1;
  if (position.depth >= MAX_DEPTH || traversal.schemaCount > MAX_SCHEMAS)
    return leaveOpen(raw, position, traversal);
  const shaped = coerceToObject(raw, position, traversal);
  if (Object.hasOwn(shaped, '$ref')) return followReference(shaped, position, traversal);
  const schema = createMutableSchema(shaped, position.inheritedType, traversal.translatePattern);
  runRules(RULES_BEFORE_SUBSCHEMAS, schema, position, traversal);
  visitSubschemas(schema, position, traversal);
  runRules(RULES_AFTER_SUBSCHEMAS, schema, position, traversal);
  return toOrderedSchema(schema);
}

/** In the vocabulary's order; no keyword is left by now that is not of it, such as `__proto__`. */
function toOrderedSchema({ keywords }: MutableSchema): JsonObject {
  const schema: { [keyword: string]: Json } = {};
  for (const keyword of [...keywords.keys()].sort(compareKeywords))
    schema[keyword] = keywords.get(keyword) ?? null;
  return schema;
}

function report(
  traversal: Traversal,
  { name, severity }: structure.StructureRule,
  pointer: string,
  message: string,
  action: string,
): void {
  traversal.diagnostics.push({ rule: name, severity, pointer, message, action });
}

/** What is too deep or too much is left open. */
function leaveOpen(raw: Json, position: SchemaPosition, traversal: Traversal): JsonObject {
  const open = isJsonObject(raw) && Object.keys(raw).length === 0;
  if (!open && position.depth >= MAX_DEPTH) {
    report(
      traversal,
      structure.DEPTH_BOUND,
      position.pointer,
      'The schema nests too deeply.',
      'Left open from here on.',
    );
  } else if (traversal.schemaCount === MAX_SCHEMAS + 1) {
    // Told once: one finding for each of what is left would be as much again.
    report(
      traversal,
      structure.SIZE_BOUND,
      position.pointer,
      'The schema holds too many.',
      'Those from here on are open.',
    );
  }
  return {};
}

/** Anything that stands where a schema is expected, as an object. */
function coerceToObject(raw: Json, position: SchemaPosition, traversal: Traversal): JsonObject {
  if (isJsonObject(raw)) return raw;
  const rule = SHAPE_RULES.find((its) => its.fits(raw));
  if (rule === undefined) return {};
  if (!rule.isSilent) report(traversal, rule, position.pointer, rule.message, rule.action);
  return rule.schema(raw);
}

function runRules(
  rules: readonly SchemaRule[],
  schema: MutableSchema,
  position: SchemaPosition,
  traversal: Traversal,
): void {
  let at: SchemaRule | undefined;
  const report: ReportRepair = (where, message, action) => {
    if (at === undefined) return;
    const { name: rule, severity } = at;
    traversal.diagnostics.push({ rule, severity, pointer: position.pointer + where, message, action });
  };
  for (const rule of rules) {
    if (!isTriggered(rule.triggers, schema)) continue;
    at = rule;
    rule.apply(schema, report);
  }
}

/** Asked fifty times of each schema: hence no closure. */
function isTriggered(on: SchemaRule['triggers'], { keywords }: MutableSchema): boolean {
  if (on.length === 0) return true;
  for (const keyword of on) if (keywords.has(keyword)) return true;
  return false;
}

/** Normalises what the schema holds, each under the pointer where it stood at the site. */
function visitSubschemas(schema: MutableSchema, position: SchemaPosition, traversal: Traversal): void {
  // A type that is ours is none that the site's members inherit.
  const type = schema.keywords.has(EXTENSION.type) ? undefined : schema.keywords.get('type');
  for (const [keyword, value] of schema.keywords) {
    const kind = KEYWORD_KINDS.get(keyword);
    if (kind !== 'schema' && kind !== 'schemas' && kind !== 'schemas-by-name') continue;
    const inherits = type !== undefined && (keyword === 'oneOf' || keyword === 'anyOf');
    const below: Omit<SchemaPosition, 'pointer'> = {
      depth: position.depth + 1,
      followedReferences: position.followedReferences,
      ...(inherits ? { inheritedType: type } : {}),
    };
    const pointer = position.pointer + originPointer(schema, keyword);
    const member = (token: string | number, its: Json): JsonObject =>
      visit(its, { ...below, pointer: pointer + pointerToken(token) }, traversal);
    if (kind === 'schema') {
      if (keyword === 'additionalProperties' && typeof value === 'boolean') continue;
      schema.keywords.set(keyword, visit(value, { ...below, pointer }, traversal));
    } else if (kind === 'schemas' && Array.isArray(value)) {
      const members: readonly Json[] = value;
      schema.keywords.set(
        keyword,
        members.map((its, at) => member(at, its)),
      );
    } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
      const members = Object.entries(value).map(([name, its]) => [name, member(name, its)]);
      schema.keywords.set(keyword, Object.fromEntries(members));
    }
    if (keyword === 'not' && isOpen(schema.keywords.get('not')) && !isOpen(value)) {
      schema.keywords.delete('not');
      report(
        traversal,
        structure.NEGATION_OPEN,
        pointer,
        'Nothing is left of what is not allowed.',
        'Dropped.',
      );
    }
  }
}

function isOpen(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 0;
}

/** Puts what a reference within the schema leads to in its place: in a document it would lead elsewhere. */
function followReference(shaped: JsonObject, position: SchemaPosition, traversal: Traversal): JsonObject {
  const { $ref: reference, ...beside } = shaped;
  const target = typeof reference === 'string' ? resolveReference(traversal.root, reference) : undefined;
  const pointer = `${position.pointer}/$ref`;
  if (target === undefined || position.followedReferences.includes(target.pointer)) {
    const message =
      target === undefined ? 'The reference leads nowhere within.' : 'The reference leads in a circle.';
    report(traversal, structure.REFERENCE_NOT_USABLE, pointer, message, 'Dropped; nothing was fetched.');
    return visit(beside, position, traversal);
  }
  report(
    traversal,
    structure.REFERENCE_LOCAL,
    pointer,
    'The schema is a reference.',
    'What it refers to is put here.',
  );
  const followedReferences = [...position.followedReferences, target.pointer];
  return visit(target.schema, { ...position, pointer: target.pointer, followedReferences }, traversal);
}
