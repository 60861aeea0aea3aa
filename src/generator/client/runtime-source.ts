import { readFile } from 'node:fs/promises';

/** Files of the runtime, in their order in a generated client, which has its own `operations.ts`. */
const RUNTIME_FILES = [
  ...['typed-calls', 'response-data', 'options-and-results', 'error', 'client', 'cookie-auth', 'retry'],
  ...['paginate', 'batch', 'woo-store', 'resources'],
] as const;

const PUBLIC_NAMES: ReadonlySet<string> = new Set(
  `ApiError Authenticator BatchFailure BatchOptions BatchSuccess Client ClientAuth ClientError
   ClientErrorCode ClientHandle ClientOptions EmbeddedError ErrorData Failure FetchInit KnownPath Middleware NetworkError
   NetworkErrorCode PagedPath
   RequestData RequestError RequestInput RequestMethod RequestOptions RequestPath
   RequestPlainQuery RequestQuery RequestResult ResponseError RestError RetryPolicy Returned
   RouteExtensions SiteError SitePage SiteQueryKey Success Totals UploadBody UploadFile WooStoreOptions batch cacheTags cookieAuth createClient paginate retry url wooStore`.split(
    /\s+/,
  ),
);

const IMPORT = /^(?:import [^;]*;|\/\/ biome-ignore .*)\n/gm;
const EXPORT = /^export (?=(?:async )?(?:class|const|function\*?|interface|type) ([\w$]+))/gm;
const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g;

export interface RuntimeSource {
  readonly text: string;
  readonly names: readonly string[];
}

export async function readRuntimeSource(): Promise<RuntimeSource> {
  const files = await Promise.all(RUNTIME_FILES.map(readRuntimeFile));
  const text = files.map((file) => file.replace(IMPORT, '').trim()).join('\n\n');
  return {
    text: `${hideInternals(text)}\n`,
    names: [...new Set(text.replace(COMMENT_OR_STRING, '').match(/\b[A-Z][\w$]*/g))],
  };
}

function readRuntimeFile(name: string): Promise<string> {
  return readFile(new URL(`runtime/${name}.ts`, import.meta.url), 'utf8');
}

function hideInternals(text: string): string {
  return text.replace(EXPORT, (match, name: string) => (PUBLIC_NAMES.has(name) ? match : ''));
}

const TYPES_OF_CLIENT = /^import type \{([^}]*)\} from '\.\/(?:typed-calls|options-and-results)\.ts';\n/gm;
const RELATIVE_IMPORT = /^(?:import [^;]*'\.\/[^;]*;|\/\/ biome-ignore .*)\n/gm;

export interface CompanionSource {
  readonly text: string;
  readonly types: readonly string[];
}

export async function readCompanionSource(): Promise<CompanionSource> {
  const [own = '', shared = ''] = await Promise.all(['tanstack', 'resources'].map(readRuntimeFile));
  const files = [own, hideInternals(shared)];
  const imports = files.flatMap((file) => [...file.matchAll(TYPES_OF_CLIENT)]);
  return {
    text: files.map((file) => file.replace(RELATIVE_IMPORT, '').trim()).join('\n\n'),
    types: [...new Set(imports.flatMap(([, names = '']) => names.match(/\w+/g) ?? []))].sort(),
  };
}
