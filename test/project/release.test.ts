import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './source-files.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { jobs, permissions } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'));

test('the changelog begins with the version of the package', () => {
  const [, latest] = /^## ([\d.]+)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect(latest).toBe(version);
});

test('a tag that is not the version is not released', () => {
  const { run } = jobs.test.steps.find(({ name = '' }) => name.startsWith('The tag is'));
  const check = (tag: string): unknown =>
    execFileSync('sh', ['-c', run], {
      cwd: ROOT,
      env: { ...process.env, GITHUB_REF_NAME: tag },
      stdio: 'pipe',
    });
  check(`v${version}`);
  expect(() => check(`v${version}0`)).toThrow();
});

test('only the job that publishes after the tests can identify itself to the registry', () => {
  expect(permissions).toEqual({ contents: 'read' });
  expect([jobs.test.permissions, jobs.publish.needs]).toEqual([undefined, 'test']);
  expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
});
