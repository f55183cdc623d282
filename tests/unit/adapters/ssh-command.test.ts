import { describe, expect, it } from '@jest/globals';
import { framed, readSshCommand, versionOf } from '../../../src/adapters/inbound/ssh/ssh-command.js';

describe('a command over SSH', () => {
  it.each([
    ["git-upload-pack 'g/p.git'", 'git-upload-pack', 'g/p'],
    ["git-upload-pack '/g/p.git'", 'git-upload-pack', 'g/p'],
    ["git-receive-pack '/g/s/p'", 'git-receive-pack', 'g/s/p'],
    ["git-receive-pack '/g/p.git/'", 'git-receive-pack', 'g/p'],
    ['git upload-pack g/p.git', 'git-upload-pack', 'g/p'],
    ["git-upload-archive 'g/p.git'", 'git-upload-archive', 'g/p'],
    ["git-upload-pack 'it'\\''s'", 'git-upload-pack', "it's"],
  ])('%s is one of git', (text, service, projectPath) => {
    expect(readSshCommand(text)).toEqual({ kind: 'git', service, projectPath });
  });

  it.each(['', 'ls', 'sh -c id', 'git', 'git-shell', 'git-upload-packs a', 'git-lfs-authenticate g/p download'])(
    '%p is unknown',
    (text) => {
      expect(readSshCommand(text)).toEqual({ kind: 'unknown' });
    },
  );

  it.each([
    'git-upload-pack',
    'git-upload-pack ',
    "git-upload-pack 'a' 'b'",
    "git-upload-pack 'a",
    'git-upload-pack a b',
    'git-upload-pack $(id)',
    'git-upload-pack `id`',
    "git-upload-pack 'a'; id",
    "git-upload-pack 'a'\nid",
    "git-upload-pack 'a\0b'",
    'git-upload-pack a\0b',
  ])('%p can’t be read', (text) => {
    expect(readSshCommand(text)).toEqual({ kind: 'unreadable' });
  });

  it('is spoken in the version that GIT_PROTOCOL asks for', () => {
    expect([undefined, '', 'version=1', 'version=2', 'x:version=2', 'version=22'].map(versionOf)).toEqual([
      0, 0, 1, 2, 2, 0,
    ]);
  });

  it('is refused in a frame that stands out', () => {
    const lines = framed('No.').split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[3]).toBe('remote: ERROR: No.');
    expect(lines[1]).toBe(`remote: ${'='.repeat(72)}`);
  });
});
