// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMegabytes, runForJson, start } from './processes.mjs';
import { shop } from './shop.mjs';

/** @typedef {import('./main.mjs').Build} Build */
/** @typedef {import('./main.mjs').Row} Row */

/** @param {string} file @param {...string} args */
const script = (file, ...args) => [`scripts/bench/${file}`, ...args];

/**
 * Measures what happens outside of requests: starts and generations. Each is measured with all builds in each round.
 *
 * @param {readonly Build[]} builds
 * @param {{ rounds: number, isWanted: (row: string) => boolean, report: (text: string) => void }} options
 * @returns {Promise<Row[]>}
 */
export async function benchWorking(builds, { isWanted, report, rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'waygate-bench-'));
  /** @type {Row[]} */
  const rows = [];
  /** @param {string} row @param {string} goal @param {Build} build @param {number} value @param {string} detail @param {number} [cost] */
  const add = (row, goal, { name }, value, detail, cost) => {
    const known = rows.find((each) => each.row === row && each.build === name);
    const entry = known ?? { row, goal, build: name, values: [], costs: [], detail };
    if (known === undefined) rows.push(entry);
    entry.values.push(value);
    if (cost !== undefined) entry.costs.push(cost);
  };
  try {
    for (let round = 1; round <= rounds; round++) {
      report(`starts and generations: round ${round} of ${rounds}`);
      for (const [operations, goals] of /** @type {const} */ ([
        [230, ['≤ 4.5', '≤ 7', '≤ 95 MB']],
        [2_000, ['≤ 6', '≤ 12', '≤ 115 MB']],
      ])) {
        const names = [
          `start with a stored document of ${operations} operations, of bare Hono`,
          `start that reads ${operations} operations, of bare Hono`,
          `resident when ready, ${operations} operations`,
        ];
        if (!names.some(isWanted)) continue;
        const site = await start(
          'load',
          script('servers/stub.mjs', '--port', '{port}', '--operations', `${operations}`),
        );
        const index = join(folder, 'index.json');
        writeFileSync(index, JSON.stringify(shop(operations)));
        for (const build of builds) {
          const bare = await start(
            'server',
            script('servers/bare-hono.mjs', '--port', '{port}'),
            '/',
            build.node,
          );
          await bare.stop();
          const document = join(folder, build.name, `site${operations}.openapi.json`);
          const generation = [
            '--document',
            index,
            '--out',
            join(folder, build.name),
            '--name',
            `site${operations}`,
          ];
          if (round === 1) await generate(build, generation);
          const serve = [
            build.command,
            'serve',
            '--site',
            `${site.url}/`,
            '--port',
            '{port}',
            '--mode',
            'enforce',
            '--cache',
            'memory',
          ];
          for (const [at, args] of [
            [...serve, '--document', document, '--discovery', 'off'],
            serve,
          ].entries()) {
            const server = await start('server', args, '/-/ready', build.node);
            const detail = `${Math.round(server.startTime)} ms`;
            add(
              names[at] ?? '',
              goals[at] ?? '',
              build,
              server.startTime / bare.startTime,
              detail,
              server.startCost / bare.startCost,
            );
            const resident = residentMegabytes(server.pid);
            if (at === 1) add(names[2] ?? '', goals[2], build, resident, `${Math.round(resident)} MB`);
            await server.stop();
          }
        }
        await site.stop();
      }
      for (const [operations, goals] of /** @type {const} */ ([
        [1_189, ['≤ 1.8 s', '']],
        [10_000, ['≤ 8 s', '≤ 350 MB']],
      ])) {
        const names = [
          `generate of ${operations} operations, CPU`,
          `generate of ${operations} operations, peak memory`,
        ];
        if (!names.some(isWanted)) continue;
        const index = join(folder, 'index.json');
        writeFileSync(index, JSON.stringify(shop(operations)));
        for (const build of builds) {
          const { cpu, memory } = await generate(build, [
            '--document',
            index,
            '--out',
            join(folder, 'generated'),
            '--name',
            'site',
          ]);
          add(names[0] ?? '', goals[0], build, cpu, `${cpu.toFixed(2)} s`);
          add(names[1] ?? '', goals[1], build, memory, `${Math.round(memory)} MB`);
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows.filter(({ row }) => isWanted(row));
}

/**
 * Runs `waygate generate`.
 *
 * @param {Build} build @param {readonly string[]} args
 * @returns {Promise<{ cpu: number, memory: number }>} seconds of CPU time, and megabytes
 */
function generate(build, args) {
  return runForJson(build.node, [
    '--import',
    new URL('servers/usage.mjs', import.meta.url).href,
    build.command,
    'generate',
    'https://example.com/',
    ...args,
  ]);
}
