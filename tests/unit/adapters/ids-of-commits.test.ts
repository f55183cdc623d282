import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

/** Prints how many megabytes are still held of 128 texts of one each, of which only ids are kept. Long texts may lie outside of the heap. */
const PROGRAM = `
import { parseCommit, parseTag } from './src/adapters/outbound/git/commit-text.js';
const id = 'a'.repeat(40);
const person = 'Ada <ada@example.com> 1700000000 +0000';
const message = 'A long story. '.repeat(75_000);
const commit = Buffer.from(\`tree \${id}\\nparent \${id}\\nauthor \${person}\\ncommitter \${person}\\n\\n\${message}\`);
const tag = Buffer.from(\`object \${id}\\ntype commit\\ntag v1\\ntagger \${person}\\n\\n\${message}\`);
const held = () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
};
const before = held();
const kept = Array.from({ length: 64 }, () => {
  const { tree, parents } = parseCommit(id, commit);
  return [tree, ...parents, parseTag(id, tag).target];
});
console.log(held() - before, new Set(kept.flat()).size);
`;

it('ids that are kept do not keep the texts that they were read from', async () => {
  const resolveDir = fileURLToPath(new URL('../../..', import.meta.url));
  const bundle = { bundle: true, platform: 'node', format: 'esm', write: false } as const;
  const { outputFiles } = await build({ stdin: { contents: PROGRAM, resolveDir, loader: 'ts' }, ...bundle });
  // In a process of its own, whose engine is told so: here it would compile everything else anew.
  const argv = ['--expose-gc', '--input-type=module', '--eval', outputFiles[0]?.text ?? ''];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  const [megabytes, ids] = stdout.trim().split(' ').map(Number);
  expect(ids).toBe(1);
  expect(megabytes).toBeLessThan(16);
});
