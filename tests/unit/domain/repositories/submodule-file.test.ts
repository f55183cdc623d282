import { describe, expect, it } from '@jest/globals';
import { isHostileSubmoduleFile, isSubmoduleFile } from '../../../../src/domain/repositories/submodule-file.js';

const file = (line: string, name = 'lib'): string => `[submodule "${name}"]\n\tpath = lib\n\t${line}\n`;

describe('files that name submodules', () => {
  it.each(['.gitmodules', 'a/.GITMODULES', '.gitmodules. ', '.git\u200cmodules', 'GITMOD~1', 'gi7eba~1'])(
    'are called %j',
    (path) => expect(isSubmoduleFile(path)).toBe(true),
  );

  it.each(['gitmodules', '.gitmodules.md', '.gitmodules/a', 'gitmod'])('are not called %j', (path) =>
    expect(isSubmoduleFile(path)).toBe(false),
  );

  it.each(['url = https://example.com/a-b.git', 'url = ../a.git', 'update = rebase', 'branch = -x'])(
    'may say %j',
    (line) => expect(isHostileSubmoduleFile(file(line))).toBe(false),
  );

  it.each([
    file('url = -upload'),
    file('url = "--upload"'),
    file('url = ./-x'),
    file('url = \\\n-x'),
    file('path=-x'),
    file('update = !sh'),
    file('url = https://example.com/%0ahost=evil'),
    file('url = ok', '../../hooks'),
    file('url = ok', 'a/../..'),
    '[submodule "a"] url = -x',
  ])('may not say %j', (content) => expect(isHostileSubmoduleFile(content)).toBe(true));

  it('are read in time that grows with their size, whatever they hold', () => {
    for (const piece of ['url=', 'url = ', '../', 'submodule "', 'submodule "../../', 'path\t', '\\\n'])
      expect(typeof isHostileSubmoduleFile(piece.repeat(200_000))).toBe('boolean');
  });
});
