import { type Json, mapMembers, toJsonObject, toText } from '../../base/json.ts';
import {
  cartFieldsOf,
  PLACEHOLDERS,
  type SampleFile,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
} from './sample-request.ts';

/** Nothing of the request can end a string of the program. */
export function createCodeSamples(
  request: SampleRequest,
): readonly { readonly label: string; readonly code: string }[] {
  return [
    { label: 'curl', code: toCurl(request) },
    { label: 'TypeScript', code: toClientCall(request) },
    { label: 'fetch', code: toFetch(request) },
    { label: 'PHP', code: toPhp(request) },
    { label: 'Python', code: toPython(request) },
  ];
}

function toCurl(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`--request ${isWord(method) ? method : shellQuote(method)}`);
  if (credentials === 'user') options.push(`--user ${shellQuote(CREDENTIALS)}`);
  if (credentials === 'bearer') options.push(`--header ${shellQuote(BEARER)}`);
  for (const [name, value] of cartFieldsOf(credentials)) {
    options.push(`--header ${shellQuote(`${name}: ${value}`)}`);
  }
  if (file !== undefined && file.field === '') {
    options.push(`--header ${shellQuote(`Content-Type: ${file.type}`)}`);
    options.push(`--header ${shellQuote(`Content-Disposition: ${toDisposition(file)}`)}`);
    options.push(`--data-binary ${shellQuote(`@${file.name}`)}`);
  } else if (file !== undefined) {
    // A comma separates files and a semicolon begins a parameter, unless the name is quoted.
    const name = /[",;]|^\s|\s$/.test(file.name) ? `"${file.name.replace(/["\\]/g, '\\$&')}"` : file.name;
    options.push(`--form ${shellQuote(`${file.field}=@${name}`)}`);
    for (const [field, value] of Object.entries(body ?? {})) {
      options.push(`--form-string ${shellQuote(`${field}=${toText(value)}`)}`);
    }
  } else if (body !== undefined) {
    options.push(`--header ${shellQuote('Content-Type: application/json')}`);
    options.push(`--data ${shellQuote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`);
  }
  return [`curl ${shellQuote(toSampleUrl(request))}`, ...options].join(' \\\n  ');
}

function isWord(method: string): boolean {
  return /^[A-Z]+$/.test(method);
}

function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

function toClientCall(request: SampleRequest): string {
  const { baseUrl, credentials, file, method, path } = request;
  const members = toCallOptions(request).map((option) => `  ${option.replaceAll('\n', '\n  ')},`);
  const options = members.length === 0 ? '' : `, {\n${members.join('\n')}\n}`;
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

function toCallOptions({ body, file, pathParameters, query }: SampleRequest): readonly string[] {
  const options: string[] = [];
  if (pathParameters.length > 0) {
    const members = pathParameters.map(({ name, value }) => [name, value] as const);
    options.push(`path: ${toLiteral(Object.fromEntries(members))}`);
  }
  if (query.length > 0) options.push(`query: ${toLiteral(Object.fromEntries(query))}`);
  if (file !== undefined) options.push('file');
  if (body !== undefined && (file === undefined || Object.keys(body).length > 0)) {
    options.push(`body: ${toLiteral(body)}`);
  }
  return options;
}

function toFetch(request: SampleRequest): string {
  const { file, method } = request;
  const { before, code, headers } = createFetchContent(request);
  const lines = method === 'GET' ? [] : [`method: ${toLiteral(method)},`];
  if (headers.length > 0) {
    lines.push('headers: {', ...headers.map(([name, value]) => `  ${toKey(name)}: ${value},`), '},');
  }
  if (code !== undefined) lines.push(`body: ${code},`);
  const options = lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
  return [
    ...(file === undefined ? [] : [FILE_IMPORT, '', toFileConstant(file)]),
    ...before,
    `const response = await fetch(${toLiteral(toSampleUrl(request))}${options});`,
    'console.log(response.status, await response.json());',
  ].join('\n');
}

const FILE_IMPORT = "import { openAsBlob } from 'node:fs';";

function toFileConstant({ name, type }: SampleFile): string {
  return `const file = new File([await openAsBlob(${toLiteral(name)})], ${toLiteral(name)}, { type: ${toLiteral(type)} });`;
}

function createFetchContent({ body, credentials, file }: SampleRequest): {
  readonly before: readonly string[];
  readonly headers: readonly (readonly [name: string, code: string])[];
  readonly code: string | undefined;
} {
  const headers: [name: string, code: string][] = [];
  if (credentials === 'user')
    headers.push(['Authorization', `\`Basic \${btoa(${toLiteral(CREDENTIALS)})}\``]);
  if (credentials === 'bearer') headers.push(['Authorization', "'Bearer token'"]);
  for (const [name, value] of cartFieldsOf(credentials)) headers.push([name, toLiteral(value)]);
  if (file !== undefined && file.field !== '') {
    const fields = Object.entries(body ?? {}).map(
      ([name, value]) => `form.append(${toLiteral(name)}, ${toLiteral(toText(value))});`,
    );
    const before = [
      'const form = new FormData();',
      `form.append(${toLiteral(file.field)}, file);`,
      ...fields,
    ];
    return { before, headers, code: 'form' };
  }
  if (file !== undefined) {
    headers.push(['Content-Type', toLiteral(file.type)]);
    headers.push(['Content-Disposition', toLiteral(toDisposition(file))]);
    return { before: [], headers, code: 'file' };
  }
  if (body === undefined) return { before: [], headers, code: undefined };
  headers.push(['Content-Type', "'application/json'"]);
  const code = `JSON.stringify(${toLiteral(body).replaceAll('\n', '\n  ')})`;
  return { before: [], headers, code };
}

function toPhp(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const write = (value: Json): string => toLiteral(value, PHP);
  const json = body === undefined || file !== undefined ? [] : ['Content-Type: application/json'];
  const headers = [...listPlainHeaders(request).map((field) => field.join(': ')), ...json];
  const options = [
    'CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => ${write(method)},`]),
    ...(credentials === 'user' ? [`CURLOPT_USERPWD => ${write(CREDENTIALS)},`] : []),
    ...(headers.length === 0 ? [] : [`CURLOPT_HTTPHEADER => ${write(headers)},`]),
  ];
  if (file !== undefined && file.field === '') {
    options.push(`CURLOPT_POSTFIELDS => file_get_contents(${write(file.name)}),`);
  } else if (file !== undefined) {
    const fields = Object.entries(body ?? {}).map(
      ([name, value]) => `, ${write(name)} => ${write(toText(value))}`,
    );
    const content = `new CURLFile(${write(file.name)}, ${write(file.type)})`;
    options.push(`CURLOPT_POSTFIELDS => [${write(file.field)} => ${content}${fields.join('')}],`);
  } else if (body !== undefined) options.push(`CURLOPT_POSTFIELDS => json_encode(${write(body)}),`);
  return [
    '<?php',
    `$request = curl_init(${write(toSampleUrl(request))});`,
    'curl_setopt_array($request, [',
    ...options.map((option) => `  ${option.replaceAll('\n', '\n  ')}`),
    ']);',
    '$content = curl_exec($request);',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $content;",
  ].join('\n');
}

function toPython(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const write = (value: Json): string => toLiteral(value, PYTHON);
  const headers = listPlainHeaders(request);
  const content = file && `open(${write(file.name)}, 'rb')`;
  const { password, username } = PLACEHOLDERS;
  const options = [
    ...(credentials === 'user' ? [`auth=(${write(username)}, ${write(password)}),`] : []),
    ...(headers.length === 0 ? [] : [`headers=${write(Object.fromEntries(headers))},`]),
    ...(file !== undefined && file.field !== ''
      ? [`files={${write(file.field)}: (${write(file.name)}, ${content}, ${write(file.type)})},`]
      : []),
    ...(file?.field === '' ? [`data=${content},`] : []),
    ...(body !== undefined && file === undefined ? [`json=${write(body)},`] : []),
    ...(file !== undefined && file.field !== '' && body !== undefined
      ? [`data=${write(mapMembers(toJsonObject(body), (_, value) => toText(value)))},`]
      : []),
  ];
  return [
    'import requests',
    '',
    'response = requests.request(',
    ...[`${write(method)},`, `${write(toSampleUrl(request))},`, ...options].map(
      (option) => `  ${option.replaceAll('\n', '\n  ')}`,
    ),
    ')',
    'print(response.status_code, response.json())',
  ].join('\n');
}

function listPlainHeaders({ credentials, file }: SampleRequest): readonly (readonly [string, string])[] {
  return [
    ...(credentials === 'bearer' ? [['Authorization', 'Bearer token'] as const] : []),
    ...cartFieldsOf(credentials),
    ...(file?.field === ''
      ? [['Content-Type', file.type] as const, ['Content-Disposition', toDisposition(file)] as const]
      : []),
  ];
}

const BEARER = 'Authorization: Bearer token';
const CREDENTIALS = `${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`;

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
  const [open, close, empty] = object;
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
