import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { archiveFormat, archiveName } from '../../../src/domain/repositories/archive-name.js';
import { addToChangelog, tagBefore, writeChangelog } from '../../../src/domain/repositories/changelog.js';
import { trailersOf } from '../../../src/domain/repositories/commit-message.js';
import { firstDefaultBranch } from '../../../src/domain/repositories/default-branch.js';
import { LanguageSizes, type SizedFile } from '../../../src/domain/repositories/languages.js';
import { matchesPattern, type ProtectedBranch } from '../../../src/domain/repositories/protected-ref.js';
import {
  decidePush,
  unfitRef,
  type ExaminedChange,
  type RefRules,
} from '../../../src/domain/repositories/push-decision.js';
import { foldersAbove, isRefName } from '../../../src/domain/repositories/ref-name.js';
import { treePathProblem } from '../../../src/domain/repositories/tree-path.js';
import { git, tryGit, withGit } from '../../support/git.js';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const GUARDED: ProtectedBranch = { name: 'main', pushLevel: 40, mergeLevel: 40, allowForcePush: false };
const RULES: RefRules = {
  defaultBranch: 'main',
  empty: false,
  archived: false,
  branches: [GUARDED],
  tags: [{ name: 'v*', createLevel: 40 }],
};
const [REPORTER, DEVELOPER, MAINTAINER] = [20, 30, 40].map((level) => ({ level, admin: false })) as [
  never,
  never,
  never,
];
const ADMIN = { level: 50, admin: true };

const change = (ref: string, from: string | null, to: string | null, fastForward = true): ExaminedChange => ({
  ref,
  from,
  to,
  fastForward,
  ...(to === null ? {} : { type: 'commit' as const }),
});
const reasons = (
  given: ExaminedChange,
  changer = DEVELOPER as { level: number; admin: boolean },
  rules: Partial<RefRules> = {},
  by: 'git' | 'api' | 'mirror' = 'git',
) => decidePush([given], changer, { ...RULES, ...rules }, by).map(({ reason }) => reason);

describe('what a repository elsewhere has that a project follows', () => {
  const closed: Partial<RefRules> = { branches: [{ name: '*', pushLevel: 0, mergeLevel: 0, allowForcePush: false }] };
  const maintainer = { level: 40, admin: false };

  it('comes whatever is protected, by force, too, in the name of Maintainers alone', () => {
    const forced = change('refs/heads/main', A, B, false);
    expect(reasons(forced, maintainer, closed, 'mirror')).toEqual([]);
    expect(reasons(forced, maintainer, closed, 'git')).not.toEqual([]);
    expect(reasons(change('refs/tags/v1', A, B), maintainer, closed, 'mirror')).toEqual([]);
    expect(reasons(forced, DEVELOPER, { branches: [] }, 'mirror')).toEqual(['may_not_push']);
  });

  it('has the form that all branches and tags have, and comes into no archived project', () => {
    const like = change(`refs/heads/${'ab'.repeat(20)}`, null, B);
    expect(reasons(like, maintainer, closed, 'mirror')).toEqual(['branch_like_object_id']);
    expect(reasons(change('refs/heads/main', A, B), maintainer, { archived: true }, 'mirror')).toEqual(['archived']);
  });
});

describe('notes of git', () => {
  const notes = change('refs/notes/commits', null, B);

  it('are changed by whoever may push, whatever is protected', () => {
    const forced = change('refs/notes/commits', A, B, false);
    for (const given of [notes, forced, change('refs/notes/commits', A, null)]) expect(reasons(given)).toEqual([]);
    expect(reasons(notes, { level: 20, admin: false })).toEqual(['may_not_push']);
  });

  it('are commits, and stay as they are in an archived project', () => {
    expect(reasons({ ...notes, type: 'blob' })).toEqual(['notes_need_commit']);
    expect(reasons(notes, ADMIN, { archived: true })).toEqual(['archived']);
  });
});

describe('names of refs', () => {
  it.each([
    'refs/heads/main',
    'refs/heads/a/b',
    'refs/tags/v1.0',
    'refs/notes/commits',
    'refs/notes/release/v1.0',
    'refs/heads/ümlaut',
    'refs/heads/a@b',
    'refs/heads/x'.padEnd(255, 'x'),
  ])('takes %s', (name) => {
    expect(isRefName(name)).toBe(true);
  });

  it.each([
    'refs/heads/',
    'refs/heads/-x',
    'refs/heads/a/-x',
    'refs/heads/a..b',
    'refs/heads/a b',
    'refs/heads/a~',
    'refs/heads/a^',
    'refs/heads/a:b',
    'refs/heads/a?',
    'refs/heads/a*',
    'refs/heads/a[',
    'refs/heads/a\\',
    'refs/heads/.a',
    'refs/heads/a.',
    'refs/heads/a.lock',
    'refs/heads/a.lock/b',
    'refs/heads/a//b',
    'refs/heads/a/',
    'refs/heads/a@{1}',
    'refs/heads/@',
    'refs/heads/HEAD',
    'refs/heads/a\n',
    'refs/heads/a\u0000',
    'refs/heads/\ud800',
    'refs/heads/x'.padEnd(256, 'x'),
    'refs/keep/1',
    'refs/notes/',
    'refs/notes/-x',
    'refs/notes/HEAD',
    'HEAD',
    '',
  ])('refuses %j', (name) => {
    expect(isRefName(name)).toBe(false);
  });

  it('knows which refs would be folders above another', () => {
    expect(foldersAbove('refs/heads/a/b/c')).toEqual(['refs/heads/a', 'refs/heads/a/b']);
    expect(foldersAbove('refs/notes/a/b')).toEqual(['refs/notes/a']);
    expect(foldersAbove('refs/tags/a')).toEqual([]);
  });

  it('tells why nobody can push a ref, in the words of git', () => {
    expect([unfitRef('refs/keep/1'), unfitRef('refs/heads/-x'), unfitRef('refs/heads/x')]).toEqual([
      'deny updating a hidden ref',
      'funny refname',
      undefined,
    ]);
  });
});

withGit('names of refs that git takes', () => {
  it('takes none that git would refuse', async () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '/', '.', '-', '@', '{', ' ', '~', 'é', 'lock', '.lock', '\\', '*', '\u007f'),
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        if (!isRefName(`refs/heads/${text}`)) return;
        expect((await tryGit(['check-ref-format', `refs/heads/${text}`])).code).toBe(0);
      }),
      { numRuns: 60 },
    );
    await git(['check-ref-format', 'refs/heads/a']);
  });
});

describe('patterns of protected refs', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'mai', false],
    ['release/1', 'release/*', true],
    ['release', 'release/*', false],
    ['a-stable', '*-stable', true],
    ['a-b-c', 'a*b*c', true],
    ['ac', 'a*c*c', false],
    ['anything', '*', true],
    ['aa', 'a*a', true],
    ['a', 'a*a', false],
  ])('match %s with %s: %s', (name, pattern, expected) => {
    expect(matchesPattern(name, pattern)).toBe(expected);
  });

  it('agree with a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
    fc.assert(
      fc.property(
        text,
        pattern,
        (name, given) => matchesPattern(name, given) === new RegExp(`^${given.replaceAll('*', '.*')}$`).test(name),
      ),
    );
  });
});

describe('a push', () => {
  it.each([
    ['a new branch', change('refs/heads/topic', null, A), DEVELOPER, []],
    ['a forced branch', change('refs/heads/topic', B, A, false), DEVELOPER, []],
    ['by a reporter', change('refs/heads/topic', null, A), REPORTER, ['may_not_push']],
    ['a protected branch', change('refs/heads/main', A, B), DEVELOPER, ['protected_branch_pushed']],
    ['a protected branch, by a maintainer', change('refs/heads/main', A, B), MAINTAINER, []],
    ['a protected branch, forced', change('refs/heads/main', A, B, false), MAINTAINER, ['protected_branch_forced']],
    ['a deletion of the default branch', change('refs/heads/main', A, null), MAINTAINER, ['default_branch_deleted']],
    ['a branch like a commit', change(`refs/heads/${A}`, null, A), MAINTAINER, ['branch_like_object_id']],
    ['a branch like a ref', change('refs/heads/refs/heads/x', null, A), MAINTAINER, ['branch_like_full_ref']],
    ['a branch like a ref that is there', change('refs/heads/refs/heads/x', A, null), MAINTAINER, []],
    ['a branch that only begins like one', change('refs/heads/refs-x', null, A), MAINTAINER, []],
    ['a tag', change('refs/tags/one', null, A), DEVELOPER, []],
    ['a tag like a commit', change(`refs/tags/${A}`, null, A), MAINTAINER, ['tag_like_object_id']],
    ['another tag of that name', change('refs/tags/one', A, B), DEVELOPER, ['tag_changed']],
    ['a deleted tag', change('refs/tags/one', A, null), DEVELOPER, ['tag_changed']],
    ['another tag of that name, by a maintainer', change('refs/tags/one', A, B), MAINTAINER, []],
    ['a tag like the default branch', change('refs/tags/main', null, A), MAINTAINER, ['tag_named_as_default_branch']],
    ['a protected tag', change('refs/tags/v1', null, A), DEVELOPER, ['protected_tag_created']],
    ['a protected tag, by a maintainer', change('refs/tags/v1', null, A), MAINTAINER, []],
    ['a protected tag that moves', change('refs/tags/v1', A, B), MAINTAINER, ['protected_tag_updated']],
    ['a protected tag that goes', change('refs/tags/v1', A, null), MAINTAINER, ['protected_tag_deleted_by_git']],
  ])('of %s', (_, given, changer, expected) => {
    expect(reasons(given, changer)).toEqual(expected);
  });

  it('deletes a protected branch from a page alone', () => {
    const rules = { branches: [{ ...GUARDED, name: 'stable' }] };
    const gone = change('refs/heads/stable', A, null);
    expect(reasons(gone, DEVELOPER, rules)).toEqual(['protected_branch_deleted']);
    expect(reasons(gone, MAINTAINER, rules)).toEqual(['protected_branch_deleted_by_git']);
    expect(reasons(gone, MAINTAINER, rules, 'api')).toEqual([]);
  });

  it('never reaches what nobody may push to, whoever pushes', () => {
    const rules = { branches: [{ ...GUARDED, pushLevel: 0 as const }] };
    expect(reasons(change('refs/heads/main', A, B), ADMIN, rules)).toEqual(['protected_branch_pushed']);
  });

  it('is judged by the rule that permits most', () => {
    const open = { ...GUARDED, name: 'ma*', pushLevel: 30 as const, allowForcePush: true };
    expect(reasons(change('refs/heads/main', A, B, false), DEVELOPER, { branches: [GUARDED, open] })).toEqual([]);
  });

  it('begins an empty project for maintainers alone', () => {
    const rules = { empty: true, branches: [], defaultBranch: null };
    expect(reasons(change('refs/heads/main', null, A), DEVELOPER, rules)).toEqual(['protected_branch_pushed']);
    expect(reasons(change('refs/heads/main', null, A), MAINTAINER, rules)).toEqual([]);
  });

  it('is refused whole in an archived project, and where a branch would be no commit', () => {
    expect(reasons(change('refs/heads/x', null, A), ADMIN, { archived: true })).toEqual(['archived']);
    expect(reasons({ ...change('refs/heads/x', null, A), type: 'blob' }, MAINTAINER)).toEqual(['branch_needs_commit']);
  });
});

describe('the default branch of a first push', () => {
  it.each([
    [null, ['topic', 'master', 'main'], 'main'],
    [null, ['topic', 'master'], 'master'],
    [null, ['topic', 'other'], 'topic'],
    ['other', ['main', 'other'], 'other'],
    ['other', ['topic'], 'topic'],
    [null, [], undefined],
  ])('with %s wanted and %j pushed is %s', (wanted, pushed, expected) => {
    expect(firstDefaultBranch(wanted, pushed)).toBe(expected);
  });
});

describe('paths in trees', () => {
  it.each(['a', 'a/b', '.gitignore', '.gitmodules', '...', 'ü/ä', ' a ', 'git', '.github/x'])('takes %j', (path) => {
    expect(treePathProblem(path)).toBeUndefined();
  });

  it.each([
    ['', 'You must provide a file path'],
    ['../a', 'Path cannot include directory traversal'],
    ['a/./b', 'Path cannot include directory traversal'],
    ['a//b', 'Path cannot include an empty name'],
    ['/a', 'Path cannot include an empty name'],
    ['a\u0000', 'Path cannot include a control character'],
    ['a\nb', 'Path cannot include a control character'],
    ['x/.GiT/config', 'Path cannot include a name that git keeps for itself'],
    ['GIT~1/x', 'Path cannot include a name that git keeps for itself'],
    ['.g\u200dit', 'Path cannot include a name that git keeps for itself'],
    ['.git\\x', 'Path cannot include a name that git keeps for itself'],
    ['a/'.repeat(101), 'Path is too long'],
    ['a'.repeat(256), 'Path is too long'],
  ])('refuses %j: %s', (path, problem) => {
    expect(treePathProblem(path)).toBe(problem);
  });
});

describe('archives', () => {
  it('are named after the project, the ref, the commit and the path', () => {
    expect(archiveName('mill', 'refs/heads/a/b', A, 'src/x')).toBe(`mill-a-b-${A}-src-x`);
    expect([archiveFormat('tbz2'), archiveFormat('gz'), archiveFormat('toString')]).toEqual([
      'tar.bz2',
      'tar.gz',
      undefined,
    ]);
  });
});

describe('messages of commits', () => {
  it.each([
    ['Title\n\nA: one\nB: two', { A: 'one', B: 'two' }],
    ['Title\n\nBody.\n\nSigned-off-by: Ada <ada@example.com>\n', { 'Signed-off-by': 'Ada <ada@example.com>' }],
    ['Title\n\nA: one\n  goes on\nA: two', { A: 'two' }],
    ['Title\n\nA: one\nand prose', {}],
    ['A: title alone', {}],
    ['', {}],
  ])('%j has these trailers', (message, trailers) => {
    expect(trailersOf(message)).toEqual(trailers);
  });
});

describe('changelogs', () => {
  const subject = { version: '1.1.0', date: '2026-03-31', trailer: 'Changelog', projectPath: 'ada/mill' };
  const commit = (id: string, title: string, category: string, body = '') => ({
    id: id.repeat(40),
    message: `${title}\n\n${body}\n\nChangelog: ${category}`,
  });

  it('group commits, and leave out what was undone', () => {
    const commits = [
      commit('d', 'Revert "Add a pump"', 'removed', `This reverts commit ${'b'.repeat(40)}`),
      commit('c', 'Add [a] valve', 'added'),
      commit('b', 'Add a pump', 'added'),
      commit('a', 'Fix a leak', 'fixed'),
      { id: 'e'.repeat(40), message: 'Say nothing' },
    ];
    expect(writeChangelog(commits, subject)).toBe(
      [
        '## 1.1.0 (2026-03-31)',
        '',
        '### added (1 change)',
        '',
        `- [Add \\[a\\] valve](ada/mill@${'c'.repeat(40)})`,
        '',
        '### fixed (1 change)',
        '',
        `- [Fix a leak](ada/mill@${'a'.repeat(40)})`,
        '',
      ].join('\n'),
    );
  });

  it('go before what was told of releases that the version follows', () => {
    const before = '# Changes\n\nBy hand.\n\n## 2.0.0 (2026-02-01)\n\nLater.\n\n## v1.0.0 (2026-01-01)\n\nFirst.\n';
    const notes = '## 1.1.0 (2026-03-31)\n\nMore.\n';
    expect(addToChangelog(before, notes, '1.1.0')).toBe(
      before.replace('## v1.0.0', '## 1.1.0 (2026-03-31)\n\nMore.\n\n## v1.0.0'),
    );
    expect(addToChangelog('', notes, '1.1.0')).toBe(notes);
    expect(addToChangelog('# Changes\n', notes, '1.1.0')).toBe(`# Changes\n\n${notes}`);
  });

  it('begin at the last release before', () => {
    const tags = ['v1.0.0', 'v1.9.0', 'v1.10.0', 'v1.10.1-rc1', 'v2.0.0', 'nightly'];
    expect(tagBefore('1.10.1', tags)).toBe('v1.10.0');
    expect(tagBefore('1.10.0', tags)).toBe('v1.9.0');
    expect(tagBefore('1.0.0', tags)).toBeUndefined();
  });
});

describe('languages', () => {
  it('are told by extension or name, without links and what others wrote', () => {
    const file = (path: string, size: number, mode = '100644') => ({ path, mode, size });
    const sharesOf = (...batches: readonly (readonly SizedFile[])[]) => {
      const sizes = new LanguageSizes();
      for (const files of batches) sizes.add(files);
      return sizes.shares();
    };
    expect(
      sharesOf(
        [file('a.ts', 20)],
        [
          file('a.ts', 30),
          file('src/b.TSX', 25),
          file('Makefile', 25, '100755'),
          file('node_modules/x.js', 900),
          file('jquery.min.js', 900),
          file('link.py', 900, '120000'),
          file('data.json', 900),
          file('empty.rb', 0),
        ],
      ),
    ).toEqual({ TypeScript: 75, Makefile: 25 });
    expect(sharesOf()).toEqual({});
  });
});
