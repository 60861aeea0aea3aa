import type { Json, JsonObject } from '../json.ts';
import { getStatedDefault } from '../openapi/extensions.ts';
import { escapeCommentText, toCodeSpan, toCommentText } from './comment.ts';
import type { TypeDirection } from './directions.ts';

/** A fact that takes more room than this is left to the document. */
const MAX_CONSTRAINT_LENGTH = 160;

/** Facts that TypeScript cannot say: by the keywords that state them and the types that they count for. */
const CONSTRAINTS: readonly {
  readonly keywords: readonly string[];
  readonly types?: readonly string[];
  readonly say: (schema: JsonObject) => string | undefined;
}[] = [
  {
    keywords: ['format'],
    say: ({ format }) => (isShortText(format) && format !== 'binary' ? `Format: ${format}.` : undefined),
  },
  {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    types: ['integer', 'number'],
    say: (schema) =>
      describeRange(
        numberAt(schema, 'minimum') ?? describeExclusiveBound('more', numberAt(schema, 'exclusiveMinimum')),
        numberAt(schema, 'maximum') ?? describeExclusiveBound('less', numberAt(schema, 'exclusiveMaximum')),
      ),
  },
  {
    keywords: ['minLength', 'maxLength'],
    types: ['string'],
    say: (schema) =>
      describeRange(numberAt(schema, 'minLength') || undefined, numberAt(schema, 'maxLength'), 'characters'),
  },
  {
    keywords: ['minItems', 'maxItems'],
    types: ['array'],
    say: (schema) =>
      describeRange(numberAt(schema, 'minItems') || undefined, numberAt(schema, 'maxItems'), 'items'),
  },
  {
    keywords: ['pattern'],
    types: ['string'],
    say: ({ pattern }) => (isShortText(pattern) ? `Pattern: ${toCodeSpan(pattern)}.` : undefined),
  },
];

const CONSTRAINT_KEYWORDS: ReadonlySet<string> = new Set(CONSTRAINTS.flatMap(({ keywords }) => keywords));

/**
 * What a person should read about a schema: its description, what its type leaves out, and its tags. Plain text with
 * line ends, made harmless for a comment; empty where there is nothing to say. That the site alone sets a property is
 * news only to who sends it.
 */
export function schemaDocumentation(schema: JsonObject, direction: TypeDirection): string {
  const description = toCommentText(schema['description']);
  const said = describeConstraints(schema);
  const apart = description.includes('\n') || description.length + said.length > 100 ? '\n\n' : ' ';
  const text = description !== '' && said !== '' ? description + apart + said : description + said;
  const marks = tsDocTags(schema, direction);
  return marks.length === 0 ? text : [...(text === '' ? [] : [text]), ...marks].join('\n');
}

function describeConstraints(schema: JsonObject): string {
  if (!Object.keys(schema).some((keyword) => CONSTRAINT_KEYWORDS.has(keyword))) {
    return '';
  }
  const said: string[] = [];
  for (const { keywords, types, say } of CONSTRAINTS) {
    const stated = keywords.some((keyword) => schema[keyword] !== undefined);
    const fact = stated && (types === undefined || hasType(schema, types)) ? say(schema) : undefined;
    if (fact !== undefined) {
      said.push(fact);
    }
  }
  return escapeCommentText(said.join(' '));
}

function tsDocTags(schema: JsonObject, direction: TypeDirection): string[] {
  const value = getStatedDefault(schema);
  const text = value === undefined || value === null || !isShallow(value) ? '' : JSON.stringify(value);
  return [
    ...(isShortText(text) ? [`@default ${escapeCommentText(text)}`] : []),
    ...(schema['readOnly'] === true && direction === 'write' ? ['@readonly'] : []),
    ...(schema['deprecated'] === true ? ['@deprecated'] : []),
  ];
}

/** `JSON.stringify` has no bottom, and a comment no room. */
function isShallow(value: Json, depth = 5): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1)))
  );
}

function isShortText(text: Json | undefined): text is string {
  return typeof text === 'string' && text !== '' && text.length <= MAX_CONSTRAINT_LENGTH;
}

function hasType({ type }: JsonObject, names: readonly string[]): boolean {
  return (Array.isArray(type) ? type : [type]).some((name) => names.includes(String(name)));
}

function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function describeExclusiveBound(word: 'more' | 'less', bound: number | undefined): string | undefined {
  return bound === undefined ? undefined : `${word} than ${bound}`;
}

function describeRange(
  from: number | string | undefined,
  to: number | string | undefined,
  unit = '',
): string | undefined {
  const of = unit === '' ? '' : ` ${unit}`;
  const least = typeof from === 'number' ? `at least ${from}` : from;
  const most = typeof to === 'number' ? `at most ${to}` : to;
  if (typeof from === 'number' && typeof to === 'number') {
    return from === to ? `Exactly ${from}${of}.` : `${from} to ${to}${of}.`;
  }
  const said = [least, most].filter((part) => part !== undefined).join(', ');
  return said === '' ? undefined : `${said.charAt(0).toUpperCase()}${said.slice(1)}${of}.`;
}
