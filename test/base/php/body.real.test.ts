import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, memberAt } from '../../../src/base/json.ts';
import { createFormScan } from '../../../src/base/php/form-scan.ts';
import { toByteString } from '../../../src/base/php/request.ts';
import {
  type BodyParameters,
  NO_BODY_PARAMETERS,
  planBody,
} from '../../../src/generator/validation/request/validator.ts';
import { useWordPress } from '../../support/wordpress.ts';
import { JSON_CASES } from './json-cases.ts';
import { bytes, disposition, MULTIPART_CASES, MULTIPART_PIECES } from './multipart-cases.ts';

const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

interface Sent {
  /** Method of the request line. */
  readonly sent: string;
  /** Effective method. */
  readonly method: string;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

type Entries =
  | { readonly text: string }
  | { readonly value: Json }
  | { readonly array: readonly (readonly [string, Entries])[] };

/** Sends a request to a real site and returns what it parsed, with strings as text. */
async function parseAtSite({ sent, method, contentType, body }: Sent): Promise<unknown> {
  const response = await fetch(`${site().url}index.php?rest_route=/reading&_method=${method}`, {
    method: sent,
    headers: { 'X-Read': '1', ...(contentType === null ? {} : { 'Content-Type': contentType }) },
    body: new Blob([body.slice()]),
  });
  const { error, form, json }: { json: Entries | null; form: Entries; error: Json } = await response.json();
  if (error !== null) return { error: memberAt(error, 'status') };
  return { json: json && decodeEntries(json), form: decodeEntries(form) };
}

function decodeEntries(entries: Entries): unknown {
  if ('text' in entries) return Buffer.from(entries.text, 'hex').toString('utf8');
  if ('value' in entries) return entries.value;
  return Object.fromEntries(
    entries.array.map(([key, value]) => [Buffer.from(key, 'hex').toString('utf8'), decodeEntries(value)]),
  );
}

function parseHere({ sent: requestMethod, method, contentType, body }: Sent): unknown {
  const plan = planBody({ requestMethod, method, contentType });
  if (plan.kind === 'ignored') return toComparable(NO_BODY_PARAMETERS);
  if (plan.kind === 'buffered') return toComparable(plan.parse(body));
  // PHP registers no other variables than those whose names are found.
  const isFound = (name: string): boolean => {
    const scan = createFormScan(contentType ?? '', name);
    return scan === null || [scan.write(body), scan.end()].some((result) => result !== 'absent');
  };
  return {
    json: {},
    form: expect.toSatisfy((form) => Object.keys(form).every((name) => !/^\w+$/.test(name) || isFound(name))),
  };
}

function toComparable(parameters: BodyParameters): unknown {
  if (parameters.kind === 'invalid') return { error: parameters.status };
  if (parameters.kind === 'uncertain') return 'uncertain';
  return {
    json: toKeyed(Object.fromEntries(parameters.json)),
    form: toKeyed(Object.fromEntries(parameters.form)),
  };
}

/** Converts lists to objects: a PHP list has keys too. */
function toKeyed(value: Json): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries<Json>(value).map(([name, member]) => [name, toKeyed(member)]));
}

async function expectSame(requests: readonly Sent[]): Promise<void> {
  for (let index = 0; index < requests.length; index += 4) {
    // Four at a time: the site has four processes.
    await Promise.all(
      requests.slice(index, index + 4).map(async (request) => {
        const about = JSON.stringify({ ...request, body: toByteString(request.body) });
        expect(parseHere(request), about.slice(0, 2000)).toEqual(await parseAtSite(request));
      }),
    );
  }
}

const POST = { sent: 'POST', method: 'POST' } as const;

describe('a real site parses the same', () => {
  const contentType = 'multipart/form-data; boundary=b';
  test('from every multipart case', async () => {
    await expectSame(MULTIPART_CASES.map(([, body]) => ({ ...POST, contentType, body: bytes(body) })));
  });

  test('from every JSON case', async () => {
    const toBytes = (text: string | Uint8Array) => (typeof text === 'string' ? Buffer.from(text) : text);
    const json = { ...POST, contentType: 'application/json' };
    await expectSame(JSON_CASES.map(([, text]) => ({ ...json, body: toBytes(text) })));
  });

  const TYPES = [
    null,
    ...[
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/vnd.api+json',
    ],
    ...['application/json+oembed', 'application/jsonp', 'text/json', 'text/plain, application/json', 'json'],
    ...['text/plain application/json', 'text/plain; application/json', 'application/%+json', 'form', '0'],
    ...['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; x=y', 'text/plain'],
    ...[
      'application/x-www-form-urlencoded, application/json',
      'application/x-www-form-urlencoded,text/plain',
    ],
    ...['multipart/form-data', 'multipart/mixed; boundary=b', 'multipart/form-data; boundary="b"'],
    'multipart/form-data, application/json; boundary=b',
  ];
  const CONTENT = [
    'a=1&b[]=2&b[]=3&__proto__=4',
    '{"a":1,"__proto__":[2],"constructor":{}}',
    '0',
    '[1,2]',
    'true',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
  ];
  const METHODS = ['POST as POST', 'POST as PUT', 'PUT as PUT', 'PUT as POST'];
  test.each(METHODS)('from a %s, of any type and content', async (methods) => {
    const [sent = '', method = ''] = methods.split(' as ');
    const requests = TYPES.flatMap((contentType) =>
      CONTENT.map((content) => ({ sent, method, contentType, body: bytes(content) })),
    );
    await expectSame(requests);
  });

  test('from random multipart bodies', async () => {
    const texts = '--b\r\n|Content-Disposition: form-data|\r\n\r\n|\r\n--b|"c[d]"|name="e"\r\n\r\n';
    const whole = texts.split('|');
    // PHP ends some texts at NUL, which a value of a test cannot show.
    const pieces = MULTIPART_PIECES.filter((each) => each !== '\0');
    const piece = fc.constantFrom(...pieces, ...whole);
    const bodies = fc.sample(fc.array(piece, { maxLength: 40 }), { numRuns: 200, seed: 4 });
    const toBytes = (pieces: readonly string[]) => bytes(`--b\r\n${disposition(pieces.join(''))}`);
    await expectSame(bodies.map((pieces) => ({ ...POST, contentType, body: toBytes(pieces) })));
  });
});
