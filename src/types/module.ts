import { toTsDoc, toSingleLine } from './comment.ts';
import type { CompiledTypes } from './compile.ts';
import type { ComponentTypes } from './component-types.ts';
import type { ContentTypes, ResponseTypes } from './content-types.ts';
import type { TypeDeclaration } from './alias-cycles.ts';
import { toPropertyKey, toStringLiteral } from './names.ts';
import type { OperationTypes } from './operation-types.ts';
import { OPERATION_METHODS, PARAMETER_LOCATIONS } from './operations.ts';
import type { ModulePlan } from './plan.ts';
import { LINE_WIDTH, printMembers, printType } from './print.ts';
import type { ComponentSchema } from './references.ts';
import type { TypeShape } from './shape.ts';

/** The text of a module: what a reader looks for first, first. */
export function printModule(plan: ModulePlan, types: CompiledTypes): string {
  const declarations = (list: readonly TypeDeclaration[]): string =>
    list.map((declaration) => printDeclaration(declaration, types)).join('\n');
  const byTag = groupBy(plan.operations, ({ operation }) => operation.tag);
  const sections: readonly (readonly [title: string, text: string])[] = [
    ['Paths', printPaths(plan.operations)],
    ['Shared by operations', declarations(plan.shared)],
    ...[...byTag].map(
      ([tag, here]) =>
        [toSingleLine(tag) || 'Other', declarations(here.flatMap((typed) => typed.declarations))] as const,
    ),
    ['Schemas', declarations(plan.schemas)],
    ['Operations', printOperations(plan.operations, types)],
    ['Components', printComponents(plan.components.schemas, plan.components, types)],
  ];
  const printed = sections
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${printHeading(title)}\n${text}`);
  return [printBanner(plan.title), ...printed].join('\n');
}

function printBanner(title: string): string {
  return `/* eslint-disable */
/*
 * The REST interface of ${title === '' ? 'a site' : title}.
 *
 * Made by waygate from what the site says of itself. Do not edit: generate it anew.
 *
 *     import createClient from "openapi-fetch";
 *     import type { paths } from "./this-file";
 *
 *     const site = createClient<paths>({ baseUrl: "https://example.com/wp-json" });
 */
`;
}

/** `// ── title ───…`, as wide as the module. */
function printHeading(title: string): string {
  const start = `// ── ${title} `;
  return `${start}${'─'.repeat(Math.max(3, LINE_WIDTH - start.length))}\n`;
}

/** An interface where the type is an object with members, so that editors show its name; else an alias. */
function printDeclaration(
  { name, comment: text, shape, extends: base }: TypeDeclaration,
  types: CompiledTypes,
): string {
  const type = types(shape);
  const members = type.kind === 'object' ? type.members : [];
  const head = toTsDoc(text, '');
  if (members.some(({ key }) => !key.startsWith('['))) {
    const start = `export interface ${name}`;
    const inherits = base === undefined ? '' : `extends ${base} `;
    const space = `${start} ${inherits}{`.length > LINE_WIDTH ? '\n  ' : ' ';
    return `${head}${start}${space}${inherits}{\n${printMembers(members, shape, '  ')}}\n`;
  }
  const start = `export type ${name} =`;
  const right = base === undefined ? printType(type, shape, '', start.length + 1) : ` ${base}`;
  return `${head}${start}${right};\n`;
}

/** `paths`, as openapi-typescript makes it and openapi-fetch reads it. */
function printPaths(operations: readonly OperationTypes[]): string {
  const byPath = groupBy(operations, ({ operation }) => operation.path);
  const items = [...byPath].map(([path, here]) => {
    const present = here.map(
      ({ operation, comment: text }) =>
        `${toTsDoc(text.split('\n')[0] ?? '', '    ')}    ${operation.method}: operations[${toStringLiteral(operation.id)}];\n`,
    );
    const absent = OPERATION_METHODS
      .filter((method) => here.every(({ operation }) => operation.method !== method))
      .map((method) => `${method}?: never;`);
    const none = PARAMETER_LOCATIONS.map((place) => `${place}?: never`).join('; ');
    return `  ${toStringLiteral(path)}: {\n    parameters: { ${none} };\n${present.join('')}    ${absent.join(' ')}\n  };\n`;
  });
  return `export interface paths {\n${items.join('')}}\n`;
}

/** `operations`, by operation id. */
function printOperations(operations: readonly OperationTypes[], types: CompiledTypes): string {
  const entries = operations.map((typed) => {
    const parameters = PARAMETER_LOCATIONS.map((place) => {
      const type = typed.parameters[place];
      return type === undefined ? `${place}?: never` : `${place}${type.required ? '' : '?'}: ${type.name}`;
    });
    const { body } = typed;
    return [
      toTsDoc(typed.comment, '  '),
      `  ${toPropertyKey(typed.operation.id)}: {\n`,
      printMemberList('parameters', parameters),
      body === undefined
        ? '    requestBody?: never;\n'
        : `    requestBody${body.required ? '' : '?'}: {\n${printContent(body.content, types, '      ')}    };\n`,
      '    responses: {\n',
      ...typed.responses.map(([status, response]) => printResponse(status, response, types, '      ')),
      '    };\n  };\n',
    ].join('');
  });
  return `export interface operations {\n${entries.join('')}}\n`;
}

/** `components`, by the document's own names. */
function printComponents(
  schemas: readonly ComponentSchema[],
  { responses, parameters, requestBodies, headers }: ComponentTypes,
  types: CompiledTypes,
): string {
  const shape = ([key, of]: readonly [string, TypeShape]): string =>
    printEntry(toPropertyKey(key), of, types, '    ');
  const sections: readonly (readonly [name: string, entries: readonly string[]])[] = [
    ['schemas', schemas.map(({ component, name }) => `    ${toPropertyKey(component)}: ${name};\n`)],
    ['responses', responses.map(([key, response]) => printResponse(key, response, types, '    '))],
    ['parameters', parameters.map(shape)],
    [
      'requestBodies',
      requestBodies.map(
        ([key, content]) => `    ${toPropertyKey(key)}: {\n${printContent(content, types, '      ')}    };\n`,
      ),
    ],
    ['headers', headers.map(shape)],
    ['pathItems', []],
  ];
  const printed = sections.map(([name, entries]) =>
    entries.length === 0 ? `  ${name}: never;\n` : `  ${name}: {\n${entries.join('')}  };\n`,
  );
  return `export interface components {\n${printed.join('')}}\n`;
}

function printResponse(
  status: string,
  response: ResponseTypes,
  types: CompiledTypes,
  indent: string,
): string {
  const key = /^[1-9]\d\d$/.test(status) ? status : toPropertyKey(status);
  if ('component' in response) {
    return `${indent}${key}: components["responses"][${toStringLiteral(response.component)}];\n`;
  }
  const inner = `${indent}  `;
  const content =
    response.content === undefined
      ? `${inner}content?: never;\n`
      : printContent(response.content, types, inner);
  return `${toTsDoc(response.comment, indent)}${indent}${key}: {\n${printEntry('headers', response.headers, types, inner)}${content}${indent}};\n`;
}

function printContent(content: ContentTypes, types: CompiledTypes, indent: string): string {
  const entries = content.map(([mediaType, shape]) =>
    printEntry(toStringLiteral(mediaType), shape, types, `${indent}  `),
  );
  const line = `${indent}content: { ${entries.map((entry) => entry.trim().replace(/;$/, '')).join('; ')} };\n`;
  return entries.length === 1 && line.length <= LINE_WIDTH && !line.trimEnd().includes('\n')
    ? line
    : `${indent}content: {\n${entries.join('')}${indent}};\n`;
}

function printEntry(key: string, shape: TypeShape, types: CompiledTypes, indent: string): string {
  const head = `${indent}${key}:`;
  return `${head}${printType(types(shape), shape, indent, head.length + 1)};\n`;
}

function printMemberList(key: string, members: readonly string[]): string {
  const line = `    ${key}: { ${members.join('; ')} };\n`;
  return line.length <= LINE_WIDTH
    ? line
    : `    ${key}: {\n${members.map((member) => `      ${member};\n`).join('')}    };\n`;
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}
