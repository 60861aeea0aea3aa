// Prints the sizes of a call and of validators with three bundlers, and what other imports add, in bytes with gzip. The exit code is 1 if an operation's are too large.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { rolldown } from 'rolldown';
import webpack from 'webpack';

const sizeOf = (/** @type {string | Uint8Array} */ code) => gzipSync(code).length;

async function withEsbuild(input) {
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false };
  const { outputFiles } = await build({ entryPoints: [input], ...options });
  return sizeOf(outputFiles[0].contents);
}

async function withRolldown(input) {
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ minify: true });
  return sizeOf(output[0].code);
}

async function withWebpack(input) {
  const stats = await new Promise((resolve, reject) =>
    webpack(
      {
        mode: 'production',
        entry: `./${input}`,
        experiments: { outputModule: true },
        output: { library: { type: 'module' }, filename: 'webpack.js' },
        module: { rules: [{ test: /\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    ),
  );
  if (stats.hasErrors()) throw new Error(stats.toString());
  return sizeOf(readFileSync('dist/webpack.js'));
}

function writeProgram(file, names) {
  const module = file.endsWith('.js') ? './site.validators.js' : './api/site.validators.ts';
  writeFileSync(file, `export { ${names.join(', ')} } from '${module}';\n`);
  return file;
}

const resources = ['Category', 'Comment', 'Page', 'Post', 'Tag'];
const ten = resources.flatMap((name) => [`Create${name}Validators`, `Update${name}Validators`]);
const programs = {
  call: 'call.ts',
  'validators of createPost': writeProgram('one.ts', ['CreatePostValidators']),
  'validators of ten': writeProgram('ten.ts', ten),
};
const sizes = {};
for (const [name, input] of Object.entries(programs))
  sizes[name] = [await withRolldown(input), await withEsbuild(input), await withWebpack(input)];

const imports = 'retry cookieAuth cacheTags withProgress paginate batch wooStore url isCall';
for (const name of imports.split(' ')) {
  const text = `export * from './call.ts';\nexport { ${name} } from './api/site.client.ts';\n`;
  writeFileSync('more.ts', text);
  sizes[`import of ${name} (rolldown)`] = [(await withRolldown('more.ts')) - sizes.call[0]];
}

/** Most that the validators of one operation may take. */
const LIMIT = 4_000;
const module = readFileSync('api/site.validators.ts', 'utf8');
// Without types, which each bundle would remove again.
writeFileSync('site.validators.js', (await transform(module, { loader: 'ts' })).code);
const sized = [];
for (const [, name] of module.matchAll(/^export const (\w+Validators)\b/gm))
  sized.push({ name, size: await withEsbuild(writeProgram('each.js', [name])) });
sized.sort((a, b) => b.size - a.size);
// The others take up to a second for each.
const bundlers = { rolldown: withRolldown, webpack: withWebpack };
const excess = [];
const found = [['esbuild', sized]];
for (const [bundler, measure] of Object.entries(bundlers)) {
  const each = [];
  for (const { name } of sized.slice(0, 100))
    each.push({ name, size: await measure(writeProgram('each.js', [name])) });
  found.push([bundler, each]);
}
for (const [bundler, each] of found) {
  each.sort((a, b) => b.size - a.size);
  excess.push(
    ...each.filter(({ size }) => size > LIMIT).map(({ name, size }) => `${bundler}: ${name} has ${size}`),
  );
  const what = `the ${each.length} largest operations`;
  sizes[`validators of ${what} (median, largest; ${bundler})`] = [each[each.length >> 1].size, each[0].size];
}
if (excess.length > 0) throw new Error(`more than ${LIMIT} bytes: ${excess.join('\n')}`);
console.log(JSON.stringify(sizes));
