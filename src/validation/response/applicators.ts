import { getStatedPatternProperties } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import { compileBoundedPattern } from './bounded-pattern.ts';
import { jsonTypeOf } from './finding.ts';
import type { ResponseWalk, SchemaCheck, SchemaNode, SchemaRegistry } from './schema-node.ts';

/** A keyword in its schema, from which a check is compiled. */
export interface KeywordContext {
  readonly keywordValue: Json;
  /** The schema that contains the keyword. */
  readonly schema: JsonObject;
  /** JSON Pointer to the schema. */
  readonly pointer: string;
  readonly schemas: SchemaRegistry;
}

type CheckFactory<Value extends Json> = (context: KeywordContext) => SchemaCheck<Value> | null;

/** Members of HAL that the site adds to every resource. Schemas do not declare them. */
export const HAL_MEMBERS: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** Keywords that apply schemas to the items of an array. */
export const ARRAY_APPLICATORS: Readonly<Record<string, CheckFactory<readonly Json[]>>> = {
  prefixItems: ({ keywordValue, pointer, schemas }) => {
    const nodes = toArray(keywordValue).map((each, index) =>
      schemas.get(each, `${pointer}/prefixItems${toPointerSegment(index)}`),
    );
    return (value, walk) => {
      for (const [index, node] of nodes.entries()) {
        const item = value[index];
        if (item !== undefined) walk.validateChild('*', node, item);
      }
    };
  },
  items: ({ keywordValue, schema, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/items`);
    const context = toArray(schema['prefixItems'] ?? []).length;
    return (value, walk) => {
      for (let index = context; index < value.length; index += 1)
        walk.validateChild('*', node, value[index] ?? null);
    };
  },
  contains: ({ keywordValue, schema, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/contains`);
    const least = numberOr(schema['minContains'], 1);
    const most = numberOr(schema['maxContains'], Number.POSITIVE_INFINITY);
    return (value, walk) => {
      const count = value.filter((item) => matchesNode(walk, node, item)).length;
      if (count < least || count > most) walk.report('other', 'contains', 'array', pointer);
    };
  },
};

/** Keywords that apply schemas to the members of an object. */
export const OBJECT_APPLICATORS: Readonly<Record<string, CheckFactory<JsonObject>>> = {
  required: ({ keywordValue, pointer }) => {
    const names = toArray(keywordValue).map(String);
    return (value, walk) => {
      if (!walk.isPartial) reportMissing(names, value, walk, { keyword: 'required', pointer });
    };
  },
  dependentRequired: ({ keywordValue, pointer }) => {
    const dependencies = toEntries(keywordValue).map(
      ([name, names]) => [name, toArray(names).map(String)] as const,
    );
    return (value, walk) => {
      if (walk.isPartial) return;
      for (const [name, names] of dependencies) {
        if (Object.hasOwn(value, name))
          reportMissing(names, value, walk, { keyword: 'dependentRequired', pointer });
      }
    };
  },
  properties: ({ keywordValue, pointer, schemas }) => {
    const nodes = toEntries(keywordValue).map(
      ([name, each]) => [name, schemas.get(each, `${pointer}/properties${toPointerSegment(name)}`)] as const,
    );
    return (value, walk) => {
      walk.spend(nodes.length >> 2);
      for (const [name, node] of nodes) {
        if (Object.hasOwn(value, name)) walk.validateChild(name, node, value[name] ?? null);
      }
    };
  },
  patternProperties: ({ keywordValue, schema, pointer, schemas }) => {
    const nodes = toEntries(keywordValue).map(([source, each]) => ({
      matches: compileBoundedPattern(getOriginPattern(schema, source)),
      node: schemas.get(each, `${pointer}/patternProperties${toPointerSegment(source)}`),
    }));
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        for (const { matches, node } of nodes)
          if (matches?.(name, walk) === true) walk.validateChild('*', node, member);
      }
    };
  },
  additionalProperties: ({ keywordValue, schema, pointer, schemas }) => {
    const named = new Set(toEntries(schema['properties']).map(([name]) => name));
    const patterns = toEntries(schema['patternProperties']).map(([source]) =>
      compileBoundedPattern(getOriginPattern(schema, source)),
    );
    const node = schemas.get(keywordValue, `${pointer}/additionalProperties`);
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        // A pattern that cannot be matched may declare the name.
        if (named.has(name) || patterns.some((each) => each === null || each(name, walk))) continue;
        if (keywordValue !== false) walk.validateChild('*', node, member);
        else if (!HAL_MEMBERS.has(name)) {
          walk.report('forbidden', 'additionalProperties', jsonTypeOf(member), pointer, redactName(name));
        }
      }
    };
  },
  propertyNames: ({ keywordValue, pointer, schemas }) => {
    const node = schemas.get(keywordValue, `${pointer}/propertyNames`);
    return (value, walk) => {
      const isWrong = Object.keys(value).some(
        (name) => !HAL_MEMBERS.has(name) && !matchesNode(walk, node, name),
      );
      if (isWrong) walk.report('other', 'propertyNames', 'object', pointer);
    };
  },
  dependentSchemas: ({ keywordValue, pointer, schemas }) => {
    const nodes = toEntries(keywordValue).map(
      ([name, each]) =>
        [name, schemas.get(each, `${pointer}/dependentSchemas${toPointerSegment(name)}`)] as const,
    );
    return (value, walk) => {
      for (const [name, node] of nodes) if (Object.hasOwn(value, name)) walk.validate(node, value);
    };
  },
};

/** Returns the limit that a keyword states, or the default for a value that is not a number. */
function numberOr(keywordValue: Json | undefined, otherwise: number): number {
  return typeof keywordValue === 'number' ? keywordValue : otherwise;
}

export function matchesNode(walk: ResponseWalk, node: SchemaNode, value: Json): boolean {
  const { wrongCount, toleratedCount } = walk.attempt(node, value);
  return wrongCount === 0 && toleratedCount === 0;
}

function reportMissing(
  names: readonly string[],
  value: JsonObject,
  walk: ResponseWalk,
  { keyword, pointer }: { readonly keyword: string; readonly pointer: string },
): void {
  for (const name of names) {
    if (!Object.hasOwn(value, name)) walk.report('missing', keyword, 'nothing', pointer, name);
  }
}

/** Replaces a name from a response by `*` unless it looks like a property name, so that no content is reported. */
export function redactName(name: string): string {
  return /^[A-Za-z_][\w.:-]{0,63}$/.test(name) ? name : '*';
}

/** Returns the site's own pattern for a key of `patternProperties`, which can be a translation. */
function getOriginPattern(schema: JsonObject, source: string): Json {
  const patterns = getStatedPatternProperties(schema);
  return patterns !== undefined && Object.hasOwn(patterns, source) ? (patterns[source] ?? source) : source;
}

export function toArray(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

export function toEntries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
