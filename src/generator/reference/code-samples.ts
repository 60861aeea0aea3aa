import { type Json, toText } from '../../base/json.ts';
import {
  cartFieldsOf,
  PLACEHOLDERS,
  type SampleFile,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
} from './sample-request.ts';

const LANGUAGES = { curl: toCurl, TypeScript: toClientCall, fetch: toFetch, PHP: toPhp, Python: toPython };

/** Nothing of the request can end a string of the program. */
export function createCodeSamples(
  request: SampleRequest,
): readonly { readonly label: string; readonly code: string }[] {
  return Object.entries(LANGUAGES).map(([label, write]) => ({ label, code: write(request) }));
}

/** JSON has a field of its own in each language but Python, which adds it. */
function listHeaders({ body, credentials, file }: SampleRequest, statesJson = true): readonly Field[] {
  return [
    ...(credentials === 'bearer' ? [['Authorization', 'Bearer token'] as const] : []),
    ...cartFieldsOf(credentials),
    ...(file?.field === ''
      ? [['Content-Type', file.type] as const, ['Content-Disposition', toDisposition(file)] as const]
      : []),
    ...(statesJson && file === undefined && body !== undefined
      ? [['Content-Type', 'application/json'] as const]
      : []),
  ];
}

type Field = readonly [name: string, value: string];

function listFormFields({ body }: SampleRequest): readonly Field[] {
  return Object.entries(body ?? {}).map(([name, value]) => [name, toText(value)]);
}

const CREDENTIALS = `${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`;

function toCurl(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const options = [
    ...(method === 'GET' ? [] : [`--request ${isWord(method) ? method : shellQuote(method)}`]),
    ...(credentials === 'user' ? [`--user ${shellQuote(CREDENTIALS)}`] : []),
    ...listHeaders(request).map((field) => `--header ${shellQuote(field.join(': '))}`),
  ];
  if (file?.field === '') options.push(`--data-binary ${shellQuote(`@${file.name}`)}`);
  else if (file !== undefined) {
    // A comma separates files and a semicolon begins a parameter, unless the name is quoted.
    const name = /[",;]|^\s|\s$/.test(file.name) ? `"${file.name.replace(/["\\]/g, '\\$&')}"` : file.name;
    options.push(`--form ${shellQuote(`${file.field}=@${name}`)}`);
    options.push(...listFormFields(request).map((field) => `--form-string ${shellQuote(field.join('='))}`));
  } else if (body !== undefined)
    options.push(`--data ${shellQuote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`);
  return [`curl ${shellQuote(toSampleUrl(request))}`, ...options].join(' \\\n  ');
}

function isWord(method: string): boolean {
  return /^[A-Z]+$/.test(method);
}

function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

function toClientCall(request: SampleRequest): string {
  const { baseUrl, body, credentials, file, method, path, pathParameters, query } = request;
  const values = pathParameters.map(({ name, value }) => [name, value] as const);
  const members = [
    ...(values.length === 0 ? [] : [`path: ${toLiteral(Object.fromEntries(values))}`]),
    ...(query.length === 0 ? [] : [`query: ${toLiteral(Object.fromEntries(query))}`]),
    ...(file === undefined ? [] : ['file']),
    ...(body === undefined || (file !== undefined && Object.keys(body).length === 0)
      ? []
      : [`body: ${toLiteral(body)}`]),
  ];
  const options = members.length === 0 ? '' : `, {\n${indent(members.map((member) => `${member},`))}\n}`;
  const isCart = cartFieldsOf(credentials).length > 0;
  return [
    ...(file === undefined ? [] : [FILE_IMPORT]),
    `// npx waygate generate ${toLiteral(baseUrl)} --name site --client`,
    `import { createClient${isCart ? ', wooStore' : ''} } from './site.client.ts';`,
    '',
    'const client = createClient({',
    `  baseUrl: ${toLiteral(baseUrl)},`,
    ...(credentials === 'user' ? [`  auth: ${toLiteral(PLACEHOLDERS)},`] : []),
    ...(credentials === 'bearer'
      ? [`  auth: (request) => request.headers.set('Authorization', 'Bearer token'),`]
      : []),
    ...(isCart ? ['  middleware: [wooStore()],'] : []),
    '});',
    ...(file === undefined ? [] : [toFileConstant(file)]),
    `const { data, error } = await client.${isWord(method) ? method : 'request'}(${toLiteral(path)}${options});`,
    'console.log(data ?? error);',
  ].join('\n');
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n');
}

function toFetch(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const headers = listHeaders(request).map(([name, value]) => `${toKey(name)}: ${toLiteral(value)},`);
  if (credentials === 'user')
    headers.unshift(`Authorization: \`Basic \${btoa(${toLiteral(CREDENTIALS)})}\`,`);
  const isForm = file !== undefined && file.field !== '';
  const parts = listFormFields(request).map(([name, value]) => `${toLiteral(name)}, ${toLiteral(value)}`);
  const appended = isForm ? [`${toLiteral(file.field)}, file`, ...parts] : [];
  const json = body && `JSON.stringify(${toLiteral(body)})`;
  const content = isForm ? 'form' : file === undefined ? json : 'file';
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${toLiteral(method)},`]),
    ...(headers.length === 0 ? [] : [`headers: {\n${indent(headers)}\n},`]),
    ...(content === undefined ? [] : [`body: ${content},`]),
  ];
  return [
    ...(file === undefined ? [] : [FILE_IMPORT, '', toFileConstant(file)]),
    ...(isForm ? ['const form = new FormData();'] : []),
    ...appended.map((part) => `form.append(${part});`),
    `const response = await fetch(${toLiteral(toSampleUrl(request))}${lines.length === 0 ? '' : `, {\n${indent(lines)}\n}`});`,
    'console.log(response.status, await response.json());',
  ].join('\n');
}

const FILE_IMPORT = "import { openAsBlob } from 'node:fs';";

function toFileConstant({ name, type }: SampleFile): string {
  return `const file = new File([await openAsBlob(${toLiteral(name)})], ${toLiteral(name)}, { type: ${toLiteral(type)} });`;
}

function toPhp(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const write = (value: Json): string => toLiteral(value, PHP);
  const headers = listHeaders(request).map((field) => field.join(': '));
  const options = [
    'CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => ${write(method)},`]),
    ...(credentials === 'user' ? [`CURLOPT_USERPWD => ${write(CREDENTIALS)},`] : []),
    ...(headers.length === 0 ? [] : [`CURLOPT_HTTPHEADER => ${write(headers)},`]),
  ];
  if (file?.field === '') options.push(`CURLOPT_POSTFIELDS => file_get_contents(${write(file.name)}),`);
  else if (file !== undefined) {
    const fields = listFormFields(request).map(([name, value]) => `, ${write(name)} => ${write(value)}`);
    const content = `new CURLFile(${write(file.name)}, ${write(file.type)})`;
    options.push(`CURLOPT_POSTFIELDS => [${write(file.field)} => ${content}${fields.join('')}],`);
  } else if (body !== undefined) options.push(`CURLOPT_POSTFIELDS => json_encode(${write(body)}),`);
  return `<?php
$request = curl_init(${write(toSampleUrl(request))});
curl_setopt_array($request, [
${indent(options)}
]);
$content = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $content;`;
}

function toPython(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const write = (value: Json): string => toLiteral(value, PYTHON);
  const headers = listHeaders(request, false);
  const content = file && `open(${write(file.name)}, 'rb')`;
  const { password, username } = PLACEHOLDERS;
  const options = [
    ...[`${write(method)},`, `${write(toSampleUrl(request))},`],
    ...(credentials === 'user' ? [`auth=(${write(username)}, ${write(password)}),`] : []),
    ...(headers.length === 0 ? [] : [`headers=${write(Object.fromEntries(headers))},`]),
  ];
  if (file?.field === '') options.push(`data=${content},`);
  else if (file !== undefined) {
    options.push(`files={${write(file.field)}: (${write(file.name)}, ${content}, ${write(file.type)})},`);
    if (body !== undefined) options.push(`data=${write(Object.fromEntries(listFormFields(request)))},`);
  } else if (body !== undefined) options.push(`json=${write(body)},`);
  return `import requests

response = requests.request(
${indent(options)}
)
print(response.status_code, response.json())`;
}

interface Notation {
  readonly text: (text: string) => string;
  readonly key: (name: string) => string;
  readonly arrow: string;
  readonly object: readonly [open: string, close: string, empty: string];
  readonly words?: Readonly<Record<string, string>>;
}

const JAVASCRIPT: Notation = { text: quote, key: toKey, arrow: ': ', object: ['{', '}', '{}'] };
const PYTHON: Notation = { ...JAVASCRIPT, key: quote, words: { true: 'True', false: 'False', null: 'None' } };
/** Control characters in single quotes would be indented with the program. */
function quotePhp(text: string): string {
  if (!/[\0-\x1f]/.test(text)) return `'${text.replace(/['\\]/g, '\\$&')}'`;
  const escaped = text.replace(/["$\\]/g, '\\$&');
  return `"${escaped.replace(/[\0-\x1f]/g, (control) => `\\u{${control.charCodeAt(0).toString(16)}}`)}"`;
}

const PHP: Notation = { text: quotePhp, key: quotePhp, arrow: ' => ', object: ['[', ']', 'new stdClass()'] };

export function toLiteral(value: Json, notation: Notation = JAVASCRIPT): string {
  const { arrow, key, object, text, words = {} } = notation;
  const write = (each: Json): string => toLiteral(each, notation);
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (typeof value !== 'object' || value === null) {
    const word = JSON.stringify(value);
    return words[word] ?? word;
  }
  const [start, close, empty] = object;
  // PHP sends an array with the keys 0, 1, … as a list.
  const isList = Object.keys(value).every((name, at) => name === String(at));
  const open = notation === PHP && isList ? `(object) ${start}` : start;
  const members = Object.entries(value).map(([name, item]) => key(name) + arrow + write(item));
  const line = `${open} ${members.join(', ')} ${close}`;
  if (members.length === 0) return empty;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')},`).join('\n')}\n${close}`;
}

function toKey(name: string): string {
  // `__proto__: …` would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function quote(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${escaped}'`;
}
