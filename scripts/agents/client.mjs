// @ts-check
// node scripts/agents/client.mjs <address of the task> task | tools | call <tool> [<arguments as JSON>] | answer <text>
//
// The only means of an agent in the evaluation of main.mjs: an MCP client as a command.
const [address, command, ...words] = process.argv.slice(2);
const names = { task: [], tools: [], call: ['tool', 'arguments'], answer: ['text'] };
if (address === undefined || command === undefined || !(command in names)) {
  process.stderr.write(
    'client.mjs <address of the task> task | tools | call <tool> [<JSON>] | answer <text>\n',
  );
  process.exit(2);
}
const [tool = '', args = '{}'] = words;
const body = command === 'call' ? { tool, arguments: JSON.parse(args) } : { text: words.join(' ') };
const response = await fetch(`${address}/${command}`, { method: 'POST', body: JSON.stringify(body) });
process.stdout.write(`${await response.text()}\n`);
process.exitCode = response.ok ? 0 : 1;
