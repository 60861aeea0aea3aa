import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

/** Folders of tests that are not about one folder of `src`. */
const FEATURES: Readonly<Record<string, string>> = {
  'cache/conformance': 'cases of RFC 9111 for the policy, the engine and a gateway',
  'cache/matrix': 'every write of a site × every read',
  corpus: 'programs of users, with the client and the gateway',
  deploy: 'what is in the folder of that name',
  'example/gateway': 'programs for the example sites behind a gateway',
  journeys: 'what a user does, from the first command on',
  project: 'the repository itself',
  'validation/hostile': 'hostile requests to a gateway that validates',
};
/** Folders of `src` whose tests are in another folder. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'rest-server': 'example/site',
};

/** Lists the folders below `root` that contain a file whose name matches, as paths from `root`. */
function listFolders(root: string, name: RegExp): readonly string[] {
  const files = readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' });
  const folders = files
    .filter((file) => name.test(file))
    .map((file) => file.split('/').slice(0, -1).join('/'));
  return [...new Set(folders)].filter((folder) => folder !== '').sort();
}

const tested = new Set(listFolders('test', /\.test\.tsx?$/));

/** A folder and those above it, the innermost first. */
function listAncestors(folder: string): readonly string[] {
  const parts = folder.split('/');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
}

describe('a test has the path of the source', () => {
  test('a folder of tests is a folder of `src`, or listed with what it is about', () => {
    const unknown = [...tested].filter((folder) => !existsSync(join(ROOT, 'src', folder)));
    expect(unknown).toEqual(Object.keys(FEATURES).sort());
  });

  test('a folder of `src` has tests in the folder of its path, or in one above', () => {
    const untested = listFolders('src', /\.tsx?$/).filter(
      (folder) => !listAncestors(folder).some((each) => tested.has(each)),
    );
    expect(untested).toEqual(Object.keys(TESTED_ELSEWHERE).sort());
    expect(Object.values(TESTED_ELSEWHERE).filter((folder) => !tested.has(folder))).toEqual([]);
  });
});
