import { type Json, toText } from '../json.ts';
import type { CodeLanguage } from './code-tokens.ts';
import {
  CART_FIELDS,
  PLACEHOLDERS,
  type SampleFile,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
} from './sample-request.ts';

/** Writes a request in each language. Nothing of the request can end a string of the program. */
export function createCodeSamples(
  request: SampleRequest,
): readonly { readonly label: string; readonly language: CodeLanguage; readonly code: string }[] {
  return [
    { label: 'curl', language: 'shell', code: toCurl(request) },
    { label: 'TypeScript', language: 'javascript', code: toClientCall(request) },
    { label: 'fetch', language: 'javascript', code: toFetch(request) },
  ];
}

function toCurl(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`--request ${isWord(method) ? method : shellQuote(method)}`);
  if (credentials === 'user') options.push(`--user ${shellQuote(CREDENTIALS)}`);
  if (credentials === 'bearer') options.push(`--header ${shellQuote(BEARER)}`);
  if (credentials === 'cart') {
    for (const [name, value] of CART_FIELDS) options.push(`--header ${shellQuote(`${name}: ${value}`)}`);
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
  return [
    ...(file === undefined ? [] : [FILE_IMPORT]),
    `// npx waygate generate ${toLiteral(baseUrl)} --name site --client`,
    `import { createClient${credentials === 'cart' ? ', wooStore' : ''} } from './site.client.ts';`,
    '',
    'const client = createClient({',
    `  baseUrl: ${toLiteral(baseUrl)},`,
    ...(credentials === 'user' ? [`  auth: ${toLiteral(PLACEHOLDERS)},`] : []),
    ...(credentials === 'bearer'
      ? [`  auth: (request) => request.headers.set('Authorization', 'Bearer token'),`]
      : []),
    ...(credentials === 'cart' ? ['  middleware: [wooStore()],'] : []),
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

/** Reads files in Node. In a browser a file comes from an `<input type="file">`. */
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
  if (credentials === 'cart') {
    for (const [name, value] of CART_FIELDS) headers.push([name, toLiteral(value)]);
  }
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

const BEARER = 'Authorization: Bearer token';
const CREDENTIALS = `${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`;

export function toLiteral(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => toLiteral(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${toKey(name)}: ${toLiteral(item)}`);
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  if (line.length <= 60 && !line.includes('\n')) return line;
  return `{\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')},`).join('\n')}\n}`;
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
