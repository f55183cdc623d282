import { describe, expect, it } from '@jest/globals';
import { problemsOfChosen } from '../../../../src/domain/pipelines/ci-file/offered-variables.js';
import { configOf, problemsOf } from '../../../support/ci-files.js';

const JOB = '\nx: {script: x}';
const withLevel = (said: string): string => `variables: {LEVEL: ${said}}${JOB}`;

describe('the variables of a file', () => {
  it('are offered where they are described or have options, with the value that they have otherwise', () => {
    const text = `variables: {A: a, B: {value: b, description: Why}, C: {value: 1, options: [1, two]}, D: {description: Empty}}${JOB}`;
    expect(configOf(text).offered).toEqual([
      { key: 'B', value: 'b', description: 'Why', options: null },
      { key: 'C', value: '1', description: null, options: ['1', 'two'] },
      { key: 'D', value: '', description: 'Empty', options: null },
    ]);
  });

  it.each([
    ['{value: slow, options: [quick, full]}', 'its `value` should be one of its `options`'],
    ['{options: [quick, full]}', 'its `value` should be one of its `options`'],
    ['{value: a, options: a}', 'its `options` should be strings, 100 of 1024 characters at most'],
    ['{value: a, options: []}', 'its `options` should be strings, 100 of 1024 characters at most'],
    ['{value: a, options: [a, [b]]}', 'its `options` should be strings, 100 of 1024 characters at most'],
    [
      `{value: a, options: [${Array.from({ length: 101 }, () => 'a').join()}]}`,
      'its `options` should be strings, 100 of 1024 characters at most',
    ],
  ])('have a value that is one of their options: %s', (said, problem) => {
    expect(problemsOf(withLevel(said))).toEqual([`variables config: \`LEVEL\`: ${problem}`]);
    expect(problemsOf(`x: {script: x, variables: {LEVEL: ${said}}}`)).toEqual([
      `jobs:x:variables config: \`LEVEL\`: ${problem}`,
    ]);
  });

  it('that have options are given none but those', () => {
    const { offered } = configOf(withLevel('{value: quick, options: [quick, full]}'));
    const chosen = (value: string) =>
      problemsOfChosen(offered, [
        { key: 'LEVEL', value },
        { key: 'OTHER', value },
      ]);
    expect(chosen('full')).toEqual([]);
    expect(chosen('slow')).toEqual(['The variable `LEVEL` should be one of its options: quick, full']);
  });
});
