import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { runProgram } from '../support/run-program.js';
import { inTemporaryTree } from '../support/temporary-tree.js';

const CHECK = fileURLToPath(new URL('../../node_modules/ts-unused-exports/bin/ts-unused-exports', import.meta.url));

const FILES = {
  'src/used.ts': 'export const used = 1;\nexport const forgotten = 2;\nexport type Named = string;\n',
  'src/user.ts': "import { used } from './used.js';\nused.toFixed();\n",
};

it('what is exported, and imported by nobody, is found', async () => {
  await inTemporaryTree(FILES, ['tsconfig.json', 'package.json'], async (directory) => {
    const { stdout } = await runProgram(CHECK, ['tsconfig.json', '--allowUnusedTypes'], directory);
    expect(stdout).toContain('used.ts: forgotten');
    expect(stdout).toContain('1 module with unused exports');
  });
});
