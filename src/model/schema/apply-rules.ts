import type { Diagnostic } from '../../diagnostics.ts';
import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import { compareKeywords, KEYWORD_KINDS } from './keywords.ts';
import {
  createMutableSchema,
  getOriginPointer,
  type MutableSchema,
  type ReportRepair,
  type SchemaRule,
} from './mutable-schema.ts';
import { createPatternTranslator, type PatternTranslator } from './patterns.ts';
import { resolveLocalReference } from './references.ts';
import { RULES_AFTER_SUBSCHEMAS, RULES_BEFORE_SUBSCHEMAS } from './rules/index.ts';
import { NON_OBJECT_RULES } from './rules/non-object-schemas.ts';
import * as structure from './rules/rule-descriptors.ts';

/** A diagnostic whose pointer is relative to the normalized schema, without a route. */
export type RelativeDiagnostic = Omit<Diagnostic, 'route'>;

/** A normalized schema and the diagnostics of its normalization. */
export interface NormalizationResult {
  readonly schema: JsonObject;
  readonly diagnostics: readonly RelativeDiagnostic[];
}

/** Maximum nesting depth, and maximum number of schemas in one schema. Schemas beyond are left open and reported. */
const MAX_DEPTH = 64;
const MAX_SCHEMAS = 10_000;

/**
 * Counts the schemas below references in all schemas of a site. Each reference can double the schema that refers to it, so
 * that an index of 100 KB would otherwise become a document of 100 MB.
 */
export interface ReferenceBudget {
  remaining: number;
}

/** Creates the budget of one site. No real site was seen to use references. */
export function createReferenceBudget(): ReferenceBudget {
  return { remaining: 50_000 };
}

/** The state of one traversal of a schema. */
interface Traversal {
  readonly budget: ReferenceBudget;
  readonly root: JsonObject;
  readonly diagnostics: RelativeDiagnostic[];
  readonly translatePattern: PatternTranslator;
  schemaCount: number;
}

/** The position of the traversal. */
interface SchemaPosition {
  /** JSON pointer into the site's schema. */
  readonly pointer: string;
  readonly depth: number;
  /** The type of the schema whose `oneOf` or `anyOf` contains this one. */
  readonly inheritedType?: Json;
  /** Pointers of the references that were followed to this position, to detect cycles. */
  readonly followedReferences: readonly string[];
}

/**
 * Applies all rules to a schema and its subschemas. Some rules run before the subschemas are visited, the others after.
 * Never throws.
 */
export function applySchemaRules(
  raw: Json,
  translatePattern: PatternTranslator = createPatternTranslator(),
  budget: ReferenceBudget = createReferenceBudget(),
): NormalizationResult {
  const traversal: Traversal = {
    budget,
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
  if (position.followedReferences.length > 0) traversal.budget.remaining -= 1;
  if (position.depth >= MAX_DEPTH || traversal.schemaCount > MAX_SCHEMAS) {
    return leaveOpen(raw, position, traversal);
  }
  const object = coerceToObject(raw, position, traversal);
  if (Object.hasOwn(object, '$ref')) return followReference(object, position, traversal);
  const schema = createMutableSchema(object, position.inheritedType, traversal.translatePattern);
  runRules(RULES_BEFORE_SUBSCHEMAS, schema, position, traversal);
  visitSubschemas(schema, position, traversal);
  runRules(RULES_AFTER_SUBSCHEMAS, schema, position, traversal);
  return toOrderedSchema(schema);
}

/** Writes the keywords in their fixed order. Unknown keywords, such as `__proto__`, were removed before. */
function toOrderedSchema({ keywords }: MutableSchema): JsonObject {
  const schema: { [keyword: string]: Json } = {};
  for (const keyword of [...keywords.keys()].sort(compareKeywords)) {
    schema[keyword] = keywords.get(keyword) ?? null;
  }
  return schema;
}

function report(
  traversal: Traversal,
  { name, severity }: structure.RuleDescriptor,
  pointer: string,
  message: string,
  action: string,
): void {
  traversal.diagnostics.push({ rule: name, severity, pointer, message, action });
}

/** Replaces a schema beyond a limit by an open one. */
function leaveOpen(raw: Json, position: SchemaPosition, traversal: Traversal): JsonObject {
  const open = isJsonObject(raw) && Object.keys(raw).length === 0;
  if (!open && position.depth >= MAX_DEPTH) {
    report(
      traversal,
      structure.DEPTH_BOUND_RULE,
      position.pointer,
      'The schema exceeds the nesting limit.',
      'Left open from this level.',
    );
  } else if (traversal.schemaCount === MAX_SCHEMAS + 1) {
    // Reported once, because a diagnostic for each remaining schema would be as large as the input.
    report(
      traversal,
      structure.SIZE_BOUND_RULE,
      position.pointer,
      'The schema contains too many schemas.',
      'Left the remaining ones open.',
    );
  }
  return {};
}

/** Converts a value in the position of a schema to an object. */
function coerceToObject(raw: Json, position: SchemaPosition, traversal: Traversal): JsonObject {
  if (isJsonObject(raw)) return raw;
  const rule = NON_OBJECT_RULES.find((subschema) => subschema.matches(raw));
  if (rule === undefined) return {};
  if (!rule.isSilent) report(traversal, rule, position.pointer, rule.message, rule.action);
  return rule.toSchema(raw);
}

function runRules(
  rules: readonly SchemaRule[],
  schema: MutableSchema,
  position: SchemaPosition,
  traversal: Traversal,
): void {
  let current: SchemaRule | undefined;
  const reportRepair: ReportRepair = (pointer, message, action) => {
    if (current !== undefined) report(traversal, current, position.pointer + pointer, message, action);
  };
  for (const rule of rules) {
    if (!isTriggered(rule.triggers, schema)) continue;
    current = rule;
    rule.apply(schema, reportRepair);
  }
}

/** Called about fifty times for each schema, so it allocates no closure. */
function isTriggered(triggers: SchemaRule['triggers'], { keywords }: MutableSchema): boolean {
  if (triggers.length === 0) return true;
  for (const keyword of triggers) if (keywords.has(keyword)) return true;
  return false;
}

/** Normalizes the subschemas, each with its pointer into the site's schema. */
function visitSubschemas(schema: MutableSchema, position: SchemaPosition, traversal: Traversal): void {
  // Members of `oneOf` and `anyOf` inherit only a type that the site states.
  const type = schema.keywords.has(EXTENSION_NAMES.type) ? undefined : schema.keywords.get('type');
  for (const [keyword, value] of schema.keywords) {
    const kind = KEYWORD_KINDS.get(keyword);
    if (kind !== 'schema' && kind !== 'schemas' && kind !== 'schemas-by-name') continue;
    const inherits = type !== undefined && (keyword === 'oneOf' || keyword === 'anyOf');
    const childPosition: Omit<SchemaPosition, 'pointer'> = {
      depth: position.depth + 1,
      followedReferences: position.followedReferences,
      ...(inherits ? { inheritedType: type } : {}),
    };
    const pointer = position.pointer + getOriginPointer(schema, keyword);
    const member = (token: string | number, subschema: Json): JsonObject =>
      visit(subschema, { ...childPosition, pointer: pointer + toPointerSegment(token) }, traversal);
    if (kind === 'schema') {
      if (keyword === 'additionalProperties' && typeof value === 'boolean') continue;
      schema.keywords.set(keyword, visit(value, { ...childPosition, pointer }, traversal));
    } else if (kind === 'schemas' && Array.isArray(value)) {
      const members: readonly Json[] = value;
      schema.keywords.set(
        keyword,
        members.map((subschema, at) => member(at, subschema)),
      );
    } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
      const members = Object.entries(value).map(([name, subschema]) => [name, member(name, subschema)]);
      schema.keywords.set(keyword, Object.fromEntries(members));
    }
    if (keyword === 'not' && isOpen(schema.keywords.get('not')) && !isOpen(value)) {
      schema.keywords.delete('not');
      report(
        traversal,
        structure.NEGATION_OPEN_RULE,
        pointer,
        'The negated schema is open after normalization.',
        'Dropped.',
      );
    }
  }
}

function isOpen(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 0;
}

/** Replaces a local reference by its target, because its pointer would be wrong in the document. */
function followReference(object: JsonObject, position: SchemaPosition, traversal: Traversal): JsonObject {
  const { $ref: reference, ...siblings } = object;
  const target = typeof reference === 'string' ? resolveLocalReference(traversal.root, reference) : undefined;
  const pointer = `${position.pointer}/$ref`;
  const isExhausted = traversal.budget.remaining <= 0;
  if (target === undefined || isExhausted || position.followedReferences.includes(target.pointer)) {
    const message =
      target === undefined
        ? 'The reference has no target in this schema.'
        : isExhausted
          ? 'The references of the site lead to too many schemas.'
          : 'The reference is circular.';
    report(traversal, structure.REFERENCE_NOT_USABLE_RULE, pointer, message, 'Dropped; nothing was fetched.');
    return visit(siblings, position, traversal);
  }
  report(
    traversal,
    structure.REFERENCE_LOCAL_RULE,
    pointer,
    'The schema is a reference.',
    'Replaced it by its target.',
  );
  const followedReferences = [...position.followedReferences, target.pointer];
  return visit(target.schema, { ...position, pointer: target.pointer, followedReferences }, traversal);
}
