import { describe, expect, it } from '@jest/globals';
import { checkCiConfigPath, ciConfigPathIn, ciConfigPlace } from '../../../src/domain/shared/ci-config-path.js';
import type { Invalid } from '../../../src/domain/shared/domain-error.js';
import { ProblemCollector } from '../../../src/domain/shared/problem-collector.js';

const problemsOf = (path: string): readonly string[] => {
  const problems = new ProblemCollector();
  checkCiConfigPath(problems, ciConfigPathIn(path));
  try {
    problems.refuse();
    return [];
  } catch (error) {
    return (error as Invalid).problems['ci_config_path'] ?? [];
  }
};

describe('the path of a CI file', () => {
  it('is from the root of the repository, whatever it begins with, and unset where it is empty', () => {
    expect(['ci.yml', '/ci.yml', './ci.yml', '//./ci.yml', ' ci.yml '].map(ciConfigPathIn)).toEqual(
      Array.from({ length: 5 }, () => 'ci.yml'),
    );
    expect([null, '', ' ', '/', './'].map(ciConfigPathIn)).toEqual([null, null, null, null, null]);
  });

  it('may name another project, and a branch, tag or commit of it', () => {
    expect(ciConfigPlace('ci/all.yml')).toEqual({ path: 'ci/all.yml', code: null });
    expect(ciConfigPlace('ci.yml@tools/ci')).toEqual({ path: 'ci.yml', code: { project: 'tools/ci', ref: null } });
    expect(ciConfigPlace('ci.yml@tools/sub/ci:v1:2')).toEqual({
      path: 'ci.yml',
      code: { project: 'tools/sub/ci', ref: 'v1:2' },
    });
  });

  it.each(['ci.yml', 'deep/er/ci', 'ci file.yml', 'a..b/.ci', 'ci.yml@g/p', 'x/ci.yaml@g/s/p:v1', 'a'.repeat(255)])(
    'may be %s',
    (path) => expect(problemsOf(path)).toEqual([]),
  );

  it.each([
    ['https://ci.example/ci.yml', /address/],
    ['HTTP://ci.example/ci.yml', /address/],
    ['file:///etc/passwd', /address/],
    ['../ci.yml', /not a path/],
    ['a/../ci.yml', /not a path/],
    ['a/./ci.yml', /not a path/],
    ['a//ci.yml', /not a path/],
    ['ci/', /not a path/],
    ['a\0b.yml', /control/],
    ['a\nb.yml', /control/],
    ['a\u007fb.yml', /control/],
    ['a'.repeat(256), /too long/],
    ['@g/p', /not a path/],
    ['ci@g/p', /\.yml or \.yaml/],
    ['ci.yml@', /path@group/],
    ['ci.yml@p', /path@group/],
    ['ci.yml@12', /path@group/],
    ['ci.yml@g/../p', /path@group/],
    ['ci.yml@g/p:', /path@group/],
    ['*.yml@g/p', /patterns/],
    ['ci.yml@g/$P', /variables/],
    ['ci.yml@g/p:$R', /variables/],
  ])('is not %j', (path, problem) => expect(problemsOf(path)).toEqual([expect.stringMatching(problem)]));
});
