import { isJsonObject, type Json, type JsonStructure, toText } from '../json.ts';
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
    { label: 'PHP', language: 'php', code: toPhp(request) },
  ];
}

/** Writes a request as a command of a POSIX shell. */
function toCurl(request: SampleRequest): string {
  const { body, credentials, file, method } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`--request ${isWord(method) ? method : shellQuote(method)}`);
  if (credentials === 'user') options.push(`--user ${shellQuote(CREDENTIALS)}`);
  if (credentials === 'cart') {
    for (const [name, value] of CART_FIELDS) options.push(`--header ${shellQuote(`${name}: ${value}`)}`);
  }
  if (file !== undefined && file.field === '') {
    options.push(`--header ${shellQuote(`Content-Type: ${file.type}`)}`);
    options.push(`--header ${shellQuote(`Content-Disposition: ${toDisposition(file)}`)}`);
    options.push(`--data-binary ${shellQuote(`@${file.name}`)}`);
  } else if (file !== undefined) {
    options.push(`--form ${shellQuote(`${file.field}=@${quoteFormFile(file.name)}`)}`);
    for (const [name, value] of Object.entries(body ?? {})) {
      options.push(`--form-string ${shellQuote(`${name}=${toText(value)}`)}`);
    }
  } else if (body !== undefined) {
    options.push(`--header ${shellQuote('Content-Type: application/json')}`);
    options.push(`--data ${shellQuote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`);
  }
  return [`curl ${shellQuote(toSampleUrl(request))}`, ...options].join(' \\\n  ');
}

/** In `--form`, a comma separates files and a semicolon begins a parameter, unless the name is quoted. */
function quoteFormFile(name: string): string {
  return /[",;]|^\s|\s$/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
}

/** Whether a method needs no quotes in the shell, and is a member of the client. */
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
  const { before, code, headers } = createContent(request, FETCH);
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

interface Content {
  /** Lines that create the content. */
  readonly before: readonly string[];
  /** With the credentials. */
  readonly headers: readonly (readonly [name: string, code: string])[];
  readonly code: string | undefined;
}

/** How a language writes the parts of a request. */
interface ContentWriter {
  quote(text: string): string;
  readonly authorization: string;
  readFile(file: SampleFile): string;
  writeForm(file: SampleFile, fields: readonly (readonly [string, Json])[]): Content;
  writeJson(body: JsonStructure): string;
}

function createContent({ body, credentials, file }: SampleRequest, writer: ContentWriter): Content {
  const write = (): Content => {
    if (file !== undefined && file.field === '') {
      const headers = [
        ['Content-Type', writer.quote(file.type)],
        ['Content-Disposition', writer.quote(toDisposition(file))],
      ] as const;
      return { before: [], headers, code: writer.readFile(file) };
    }
    if (file !== undefined) return writer.writeForm(file, Object.entries(body ?? {}));
    if (body === undefined) return { before: [], headers: [], code: undefined };
    const headers = [['Content-Type', "'application/json'"]] as const;
    return { before: [], headers, code: writer.writeJson(body) };
  };
  const content = write();
  const fields: Readonly<Record<typeof credentials, Content['headers']>> = {
    none: [],
    user: [['Authorization', writer.authorization]],
    cart: CART_FIELDS.map(([name, value]) => [name, writer.quote(value)]),
  };
  return { ...content, headers: [...fields[credentials], ...content.headers] };
}

const CREDENTIALS = `${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`;

const FETCH: ContentWriter = {
  quote: toLiteral,
  authorization: `\`Basic \${btoa(${toLiteral(CREDENTIALS)})}\``,
  readFile: () => 'file',
  writeForm: (file, fields) => ({
    before: [
      'const form = new FormData();',
      `form.append(${toLiteral(file.field)}, file);`,
      ...fields.map(([name, value]) => `form.append(${toLiteral(name)}, ${toLiteral(toText(value))});`),
    ],
    headers: [],
    code: 'form',
  }),
  writeJson: (body) => `JSON.stringify(${toLiteral(body).replaceAll('\n', '\n  ')})`,
};

/** Writes a value as a JavaScript literal, with single quotes as in the rest of a sample. */
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

/** Writes a request as a program for the HTTP functions of WordPress. */
function toPhp(request: SampleRequest): string {
  const { method } = request;
  const { before, code, headers } = createContent(request, PHP);
  const members = [`'method' => ${quotePhp(method)},`];
  if (headers.length > 0) {
    members.push(
      "'headers' => array(",
      ...headers.map(([name, value]) => `\t${quotePhp(name)} => ${value},`),
      '),',
    );
  }
  if (code !== undefined) members.push(`'body' => ${code},`);
  return [
    ...before,
    '$response = wp_remote_request(',
    `\t${quotePhp(toSampleUrl(request))},`,
    '\tarray(',
    ...members.map((member) => `\t\t${member}`),
    '\t)',
    ');',
    '$data = json_decode( wp_remote_retrieve_body( $response ), true );',
  ].join('\n');
}

const PHP: ContentWriter = {
  quote: quotePhp,
  authorization: `'Basic ' . base64_encode( ${quotePhp(CREDENTIALS)} )`,
  readFile: ({ name }) => `file_get_contents( ${quotePhp(name)} )`,
  writeForm: (file, fields) => ({
    before: toFormLines(file, fields),
    headers: [['Content-Type', `'multipart/form-data; boundary=' . $boundary`]],
    code: '$form',
  }),
  writeJson: (body) => `wp_json_encode( ${toPhpValue(body, 2)} )`,
};

/** WordPress has no function that writes a form with files. */
function toFormLines(file: SampleFile, fields: readonly (readonly [string, Json])[]): readonly string[] {
  const parts = [
    ...fields.map(([name, value]) => ({ head: toPartHead(name), content: quotePhp(toText(value)) })),
    {
      head: `${toPartHead(file.field)}; filename="${escapeName(file.name)}"`,
      type: file.type,
      content: `file_get_contents( ${quotePhp(file.name)} )`,
    },
  ];
  return [
    '$boundary = wp_generate_password( 24, false );',
    "$form = '';",
    ...parts.flatMap(({ content, head, ...rest }) => [
      `$form .= "--$boundary\\r\\n" . ${quotePhp(head)} . "\\r\\n";`,
      ...('type' in rest ? [`$form .= ${quotePhp(`Content-Type: ${rest.type}`)} . "\\r\\n";`] : []),
      `$form .= "\\r\\n" . ${content} . "\\r\\n";`,
    ]),
    '$form .= "--$boundary--\\r\\n";',
  ];
}

function toPartHead(name: string): string {
  return `Content-Disposition: form-data; name="${escapeName(name)}"`;
}

/** Escapes a name as browsers do (WHATWG HTML, multipart form data). */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Writes a text as a literal of PHP in single quotes, in which nothing but these two characters is special. */
export function quotePhp(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** @param depth of the line that the value begins on, in tabs */
function toPhpValue(value: Json, depth: number): string {
  if (typeof value === 'string') return quotePhp(value);
  if (!isJsonObject(value) && !Array.isArray(value)) return JSON.stringify(value);
  if (!isJsonObject(value)) return `array( ${value.map((item) => toPhpValue(item, depth)).join(', ')} )`;
  const members = Object.entries(value);
  if (members.length === 0) return 'array()';
  const indent = '\t'.repeat(depth);
  const lines = members.map(
    ([name, item]) => `${indent}\t${quotePhp(name)} => ${toPhpValue(item, depth + 1)},`,
  );
  return `array(\n${lines.join('\n')}\n${indent})`;
}
