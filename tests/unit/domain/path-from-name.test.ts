import { describe, expect, it } from '@jest/globals';
import { ProblemCollector } from '../../../src/domain/shared/problem-collector.js';
import { checkWorkspacePath, pathFromName } from '../../../src/domain/workspace/naming.js';

describe('a path that is made of a name', () => {
  it.each([
    ['Ada’s Loom', 'ada-s-loom'],
    ['Zoë', 'zoe'],
    ['-.loom.-', 'loom'],
    ['loom.git', 'loom'],
    ['loom.git.json', 'loom'],
    ['loom.git-', 'loom'],
    ['loom-.Atom.git', 'loom'],
    ['loom.gitx', 'loom.gitx'],
    ['.git', 'git'],
    ['…', ''],
  ])('of %j is %j', (name, path) => expect(pathFromName(name)).toBe(path));

  it.each([
    `a${'.'.repeat(200_000)}a`,
    `a${'.git'.repeat(50_000)}a`,
    `a${'-'.repeat(253)}.git`,
    `a${'.git'.repeat(80)}`,
  ])('is one that a project can have, however long the name is', (name) => {
    const problems = new ProblemCollector();
    checkWorkspacePath(problems, pathFromName(name));
    expect(() => problems.refuse()).not.toThrow();
  });
});
