import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './modules.ts';

/** Recorded answers of real sites say what they say; the lock file names who asks for funding. */
const NOT_OURS = /(^|\/)fixtures\/|^package-lock\.json$|^(generated|openapi)\//;
const BINARY = /\.(png|jpg|gif|ico|woff2?|gz|br|tgz)$/;

/** Every line that somebody here wrote, with where it stands. */
const lines = execFileSync('git', ['ls-files', '-z', '--cached'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && !NOT_OURS.test(file) && !BINARY.test(file))
  .flatMap((file) => {
    const text = readFile(file);
    return text.split('\n').map((line, at) => ({ line, place: `${file}:${at + 1}` }));
  });

/** A file may be listed and gone, in the midst of somebody's work. */
function readFile(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}

/** Identifiers that look like addresses and are asked by nobody, and names that RFC 2606 and 6761 set aside. */
const HOSTS: readonly (readonly [reason: string, host: RegExp])[] = [
  ['the loopback', /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/],
  ['reserved for examples', /^(?:.+\.)?example(?:\.(?:com|org|net))?$/],
  ['reserved for tests', /^(?:.+\.)?(?:invalid|test|localhost)$/],
  ['a name without a domain is nobody', /^[^.]*$/],
  ["the relation type by which WordPress's pages name their interface", /^api\.w\.org$/],
  ['identifiers of JSON Schema dialects', /^json-schema\.org$/],
  ['near misses of example.com, which an address must not be taken for', /^(notexample\.com|example\.co)$/],
  ['identifiers of licences and specifications', /^(opensource|spec\.openapis)\.org$/],
];

test('there is something to look at', () => {
  expect(lines.length).toBeGreaterThan(1000);
});

test('no file names a host that is neither the loopback nor set aside', () => {
  const strangers = lines.flatMap(({ line, place }) =>
    [...line.matchAll(/\bhttps?:\/\/(?:[^\s/@'"`<>]*@)?(\[[0-9a-f:.]*\]|[a-z0-9._-]+)/gi)]
      .map(([, host = '']) => host.toLowerCase().replace(/\.$/, ''))
      .filter((host) => !HOSTS.some(([, known]) => known.test(host)))
      .map((host) => `${place} ${host}`),
  );
  expect(strangers).toEqual([]);
});

test('no file names a package registry', () => {
  const names = lines.filter(
    ({ line }) =>
      /\bregistry\.[a-z]+\.(?:org|com|net|io|dev)\b|\/\/(npm|registry)[.-]/i.test(line) &&
      !line.includes('\\b'),
  );
  expect(names.map(({ place }) => place)).toEqual([]);
});

test('no file names an address of the Internet', () => {
  // Loopback, unspecified, private networks (as examples of what to trust) and RFC 5737's documentation ranges.
  const fine =
    /^(?:127|0|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^192\.0\.2\.|^198\.51\.100\.|^203\.0\.113\.|^255\./;
  // Addresses as values to validate, at the borders of networks and of the syntax. No request is sent to them.
  const validated = /^test\/(?:upstream\/trust\.test|validation\/wordpress\/rows)\.ts:/;
  const strangers = lines.flatMap(({ line, place }) =>
    [...(validated.test(place) ? [] : line.matchAll(/(?<![\d.§])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g))]
      .map(([address]) => address)
      .filter((address) => !fine.test(address))
      .map((address) => `${place} ${address}`),
  );
  expect(strangers).toEqual([]);
});

test('no file names a folder of the machine that it was written on', () => {
  const homes = lines.filter(({ line }) =>
    /(?<![\w.*)}>?\]/-])\/(?:work|tmp|root|home|Users)\/\w/.test(line),
  );
  expect(homes.map(({ place, line }) => `${place} ${line.trim()}`)).toEqual([]);
});

test('the lock file holds a package for every platform, also where a registry here lacks it', () => {
  // Without the entry `npm ci` refuses to begin, on every platform: "Missing … from lock file".
  const { packages }: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } =
    JSON.parse(readFile('package-lock.json'));
  const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});
