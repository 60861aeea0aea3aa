import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIRST } from '../../vitest.config.ts';
import { ROOT } from './source-files.ts';

/** Recorded responses of real sites, generated files, and the lock file, which contains funding URLs. */
const EXCLUDED = /(^|\/)fixtures\/|^package-lock\.json$|^(generated|openapi)\//;
const BINARY = /\.(png|jpg|gif|ico|woff2?|gz|br|tgz)$/;

/** Every line of the tracked text files, with its location. */
const lines = execFileSync('git', ['ls-files', '-z', '--cached'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && !EXCLUDED.test(file) && !BINARY.test(file))
  .flatMap((file) => {
    const text = readFile(file);
    return text.split('\n').map((line, at) => ({ line, place: `${file}:${at + 1}` }));
  });

/** Reads a file. Returns an empty string if it is tracked but deleted in the working tree. */
function readFile(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}

/** Hosts that files may contain: reserved by RFC 2606 or RFC 6761, or part of an identifier that is never requested. */
const HOSTS: readonly (readonly [reason: string, host: RegExp])[] = [
  ['the loopback', /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/],
  ['reserved for examples', /^(?:.+\.)?example(?:\.(?:com|org|net))?$/],
  ['reserved for tests', /^(?:.+\.)?(?:invalid|test|localhost)$/],
  ['names without a domain', /^[^.]*$/],
  ["the relation type of WordPress's link to the root index", /^api\.w\.org$/],
  ['identifiers of JSON Schema dialects', /^json-schema\.org$/],
  ['the specification of Standard Schema', /^standardschema\.dev$/],
  ['hosts that resemble example.com, for tests of host comparison', /^(notexample\.com|example\.co)$/],
  ['the namespace of SVG', /^www\.w3\.org$/],
  ['identifiers of licences and specifications', /^(opensource|spec\.openapis)\.org$/],
];

test('no file contains a host that is neither loopback nor reserved', () => {
  const violations = lines.flatMap(({ line, place }) =>
    [...line.matchAll(/\bhttps?:\/\/(?:[^\s/@'"`<>]*@)?(\[[0-9a-f:.]*\]|[a-z0-9._-]+)/gi)]
      .map(([, host = '']) => host.toLowerCase().replace(/\.$/, ''))
      .filter((host) => !HOSTS.some(([, known]) => known.test(host)))
      .map((host) => `${place} ${host}`),
  );
  expect(violations).toEqual([]);
});

test('no file contains the host of a package registry', () => {
  const matches = lines.filter(
    ({ line }) =>
      /\bregistry\.[a-z]+\.(?:org|com|net|io|dev)\b|\/\/(npm|registry)[.-]/i.test(line) &&
      !line.includes('\\b'),
  );
  expect(matches.map(({ place }) => place)).toEqual([]);
});

test('no file contains a public IP address', () => {
  // Loopback, unspecified, private networks (as examples of trusted proxies) and RFC 5737's documentation ranges.
  const allowed =
    /^(?:127|0|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^192\.0\.2\.|^198\.51\.100\.|^203\.0\.113\.|^255\./;
  // Addresses as test values, at the limits of networks and of the syntax, and a version, to which no request is sent.
  const validated = /\/(?:forwarded|visitor-address\.test|trusted-proxies\.test|wordpress\/rows)\.ts:/;
  const violations = lines.flatMap(({ line, place }) =>
    [...(validated.test(place) ? [] : line.matchAll(/(?<![\d.§]|Chrome\/)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g))]
      .map(([address]) => address)
      .filter((address) => !allowed.test(address))
      .map((address) => `${place} ${address}`),
  );
  expect(violations).toEqual([]);
});

test('no file contains a path of a developer machine', () => {
  const matches = lines.filter(({ line }) =>
    /(?<![\w.*)}>?\]/-])\/(?:work|tmp|root|home|Users)\/\w/.test(line),
  );
  expect(matches.map(({ place, line }) => `${place} ${line.trim()}`)).toEqual([]);
});

test('vitest.config.ts names only files that exist', () => {
  expect(FIRST.filter((file) => !existsSync(file))).toEqual([]);
});
