import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { type SampleFile, type SampleRequest, toSampleUrl } from './sample-request.ts';

/** A request as a program. */
export interface CodeSample {
  readonly label: string;
  readonly code: string;
}

/** Writes a request in each language. Nothing of the request can end a string of the program. */
export function createCodeSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { label: 'curl', code: toCurl(request) },
    { label: 'TypeScript', code: toClientCall(request) },
    { label: 'fetch', code: toFetch(request) },
    { label: 'PHP', code: toPhp(request) },
  ];
}

/** Placeholders of an application password. */
const CREDENTIALS = 'username:application password';

function needsCredentials({ method }: SampleRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

function toCurl(request: SampleRequest): string {
  const { body, file, method } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`--request ${shellWord(method)}`);
  if (needsCredentials(request)) options.push(`--user ${shellQuote(CREDENTIALS)}`);
  if (file !== undefined && file.field === '') {
    options.push(`--header ${shellQuote(`Content-Type: ${file.type}`)}`);
    options.push(`--header ${shellQuote(toDisposition(file))}`);
    options.push(`--data-binary ${shellQuote(`@${file.name}`)}`);
  } else if (file !== undefined) {
    options.push(`--form ${shellQuote(`${file.field}=@${file.name}`)}`);
    for (const [name, value] of Object.entries(body ?? {})) {
      options.push(`--form-string ${shellQuote(`${name}=${toFieldText(value)}`)}`);
    }
  } else if (body !== undefined) {
    options.push(`--header ${shellQuote('Content-Type: application/json')}`);
    options.push(`--data ${shellQuote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`);
  }
  return [`curl ${shellQuote(toSampleUrl(request))}`, ...options].join(' \\\n  ');
}

function toClientCall({ body, file, method, path, pathParameters, query }: SampleRequest): string {
  const options: string[] = [];
  if (pathParameters.length > 0) {
    const members = pathParameters.map(([name, value]) => [name, toNumber(value)] as const);
    options.push(`path: ${toLiteral(Object.fromEntries(members))}`);
  }
  if (query.length > 0) options.push(`query: ${toLiteral(Object.fromEntries(query))}`);
  if (file !== undefined) options.push('file');
  if (body !== undefined && Object.keys(body).length > 0) options.push(`body: ${toLiteral(body)}`);
  const list = options.map((option) => `  ${option.replaceAll('\n', '\n  ')},`).join('\n');
  const argument = options.length === 0 ? '' : `, {\n${list}\n}`;
  return [
    "import { createClient } from './site.client.ts';",
    '',
    'const client = createClient();',
    ...(file === undefined
      ? []
      : [`const file = new File([bytes], ${toLiteral(file.name)}, { type: ${toLiteral(file.type)} });`]),
    `const { data, error } = await client.${toMember(method)}(${toLiteral(path)}${argument});`,
  ].join('\n');
}

function toFetch(request: SampleRequest): string {
  const { body, file, method } = request;
  const headers: [string, string][] = [];
  if (needsCredentials(request))
    headers.push(['Authorization', `\`Basic \${btoa(${toLiteral(CREDENTIALS)})}\``]);
  const lines: string[] = [];
  if (method !== 'GET') lines.push(`method: ${toLiteral(method)},`);
  let content: string | undefined;
  const before: string[] = [];
  if (file !== undefined && file.field === '') {
    headers.push(['Content-Type', toLiteral(file.type)]);
    headers.push(['Content-Disposition', toLiteral(toDisposition(file).replace(/^[^:]*: /, ''))]);
    content = 'file';
  } else if (file !== undefined) {
    before.push('const form = new FormData();', `form.append(${toLiteral(file.field)}, file);`);
    for (const [name, value] of Object.entries(body ?? {})) {
      before.push(`form.append(${toLiteral(name)}, ${toLiteral(toFieldText(value))});`);
    }
    content = 'form';
  } else if (body !== undefined) {
    headers.push(['Content-Type', "'application/json'"]);
    content = `JSON.stringify(${toLiteral(body).replaceAll('\n', '\n  ')})`;
  }
  if (headers.length > 0) {
    lines.push('headers: {', ...headers.map(([name, value]) => `  ${toKey(name)}: ${value},`), '},');
  }
  if (content !== undefined) lines.push(`body: ${content},`);
  const options = lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
  return [
    ...before,
    `const response = await fetch(${toLiteral(toSampleUrl(request))}${options});`,
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function toPhp(request: SampleRequest): string {
  const { body, file, method } = request;
  const headers: [string, string][] = [];
  if (needsCredentials(request)) {
    headers.push(['Authorization', `'Basic ' . base64_encode( ${phpQuote(CREDENTIALS)} )`]);
  }
  const members = [`'method' => ${phpQuote(method)},`];
  let content: string | undefined;
  if (file !== undefined) {
    headers.push(['Content-Type', phpQuote(file.type)]);
    headers.push(['Content-Disposition', phpQuote(toDisposition(file).replace(/^[^:]*: /, ''))]);
    content = `file_get_contents( ${phpQuote(file.name)} )`;
  } else if (body !== undefined) {
    headers.push(['Content-Type', "'application/json'"]);
    content = `wp_json_encode( ${toPhpValue(body, 1)} )`;
  }
  if (headers.length > 0) {
    members.push(
      "'headers' => array(",
      ...headers.map(([name, value]) => `\t${phpQuote(name)} => ${value},`),
      '),',
    );
  }
  if (content !== undefined) members.push(`'body' => ${content},`);
  return [
    '$response = wp_remote_request(',
    `\t${phpQuote(toSampleUrl(request))},`,
    '\tarray(',
    ...members.map((line) => `\t\t${line}`),
    '\t)',
    ');',
    '$data = json_decode( wp_remote_retrieve_body( $response ), true );',
  ].join('\n');
}

function toDisposition({ name }: SampleFile): string {
  return `Content-Disposition: attachment; filename="${name.replace(/[\\"\r\n]/g, '_')}"`;
}

function toFieldText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toNumber(value: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}

/** A method that is a word of the shell needs no quotes. */
function shellWord(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : shellQuote(text);
}

function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

function toMember(method: string): string {
  return /^[A-Z]+$/.test(method) ? method : `request`;
}

/** A value as a JavaScript literal, with single quotes as in the rest of the sample. */
function toLiteral(value: Json): string {
  if (typeof value === 'string') return quoteJavaScript(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => toLiteral(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${toKey(name)}: ${toLiteral(item)}`);
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  return line.length <= 60 && !line.includes('\n')
    ? line
    : `{\n${members.map((member) => `  ${member.replaceAll('\n', '\n  ')},`).join('\n')}\n}`;
}

function toKey(name: string): string {
  // `__proto__: …` would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteJavaScript(name);
}

function quoteJavaScript(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${escaped}'`;
}

function phpQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function toPhpValue(value: Json, depth: number): string {
  if (typeof value === 'string') return phpQuote(value);
  if (!isJsonObject(value) && !Array.isArray(value)) return JSON.stringify(value);
  if (!isJsonObject(value)) {
    return `array( ${value.map((item) => toPhpValue(item, depth)).join(', ')} )`;
  }
  return toPhpArray(value, depth);
}

function toPhpArray(value: JsonObject, depth: number): string {
  const members = Object.entries(value);
  if (members.length === 0) return 'array()';
  const indent = '\t'.repeat(depth);
  const lines = members.map(
    ([name, item]) => `${indent}${phpQuote(name)} => ${toPhpValue(item, depth + 1)},`,
  );
  return `array(\n${lines.join('\n')}\n${'\t'.repeat(depth - 1)})`;
}
