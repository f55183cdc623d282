import { describe, expect, it } from '@jest/globals';
import { textOfChild } from '../../../../src/domain/pipelines/ci-file/read-trigger.js';
import { configOf, planOf, problemsOf } from '../../../support/ci-files.js';

const triggerOf = (text: string) => configOf(text).jobs[0]!.trigger;
const FORWARDS = { yamlVariables: true, pipelineVariables: false };
const BESIDE = "can't be used with `trigger`; the job starts a pipeline, and runs nothing itself.";

describe('a job that starts a pipeline', () => {
  it('names it alone, or with a branch, a strategy and what it is given', () => {
    const plain = { project: 'a/b', branch: null, depends: false, forwards: FORWARDS };
    expect(triggerOf('x: {trigger: a/b}')).toEqual(plain);
    expect(triggerOf('x: {trigger: /a/b}')).toEqual(plain);
    expect(triggerOf('x: {trigger: {project: a/b}}')).toEqual(plain);
    expect(
      triggerOf('x: {trigger: {project: $P/b, branch: $B, strategy: depend, forward: {pipeline_variables: true}}}'),
    ).toEqual({
      ...{ project: '$P/b', branch: '$B', depends: true },
      forwards: { yamlVariables: true, pipelineVariables: true },
    });
    expect(triggerOf('x: {trigger: {project: a/b, forward: {yaml_variables: false}}}')?.forwards).toEqual({
      ...{ yamlVariables: false, pipelineVariables: false },
    });
  });

  it('says what else jobs say of when, and with which variables', () => {
    const text = `
variables: {A: a}
build: {script: make}
x:
  stage: deploy
  trigger: a/b
  rules: [{if: $CI, when: never}, {when: delayed, start_in: 1 minute}]
  allow_failure: true
  variables: {B: b}
  needs: [build]
  inherit: {variables: true}
  interruptible: true
  resource_group: one
`;
    expect(planOf(text).jobs[1]).toMatchObject({
      ...{ name: 'x', when: 'delayed', startInSeconds: 60, allowFailure: true, interruptible: true },
      ...{ resourceGroup: 'one', needs: [{ name: 'build', artifacts: true }], retry: { max: 0 } },
      variables: [
        { key: 'A', value: 'a' },
        { key: 'B', value: 'b' },
      ],
      trigger: { project: 'a/b' },
    });
    for (const when of ['on_success', 'on_failure', 'always', 'manual'])
      expect(configOf(`x: {trigger: a/b, when: ${when}}`).jobs[0]!.when).toBe(when);
    expect(problemsOf('x: {trigger: a/b, only: [main], except: [tags]}')).toEqual([]);
  });

  it('takes no default but whether it may be interrupted, and is made of others by `extends`', () => {
    const [job] = configOf(`
default: {image: node, retry: 2, tags: [linux], interruptible: true, before_script: [a]}
.base: {stage: deploy, trigger: {project: a/b}}
x: {extends: .base, trigger: {branch: main}}
`).jobs;
    expect(job).toMatchObject({
      ...{ stage: 'deploy', interruptible: true, tags: [], retry: { max: 0 } },
      ...{ options: { image: null, script: [] }, trigger: { project: 'a/b', branch: 'main' } },
    });
  });

  it.each([
    ['script: make', 'script'],
    ['image: node', 'image'],
    ['services: [x]', 'services'],
    ['artifacts: {paths: [a]}', 'artifacts'],
    ['cache: {paths: [a]}', 'cache'],
    ['tags: [a]', 'tags'],
    ['environment: live', 'environment'],
    ['retry: 1', 'retry'],
    ['timeout: 1h', 'timeout'],
    ['parallel: 2', 'parallel'],
    ['dependencies: []', 'dependencies'],
    ['release: {tag_name: a, description: b}', 'release'],
    ['id_tokens: {A: {aud: b}}', 'id_tokens'],
    ['secrets: {A: {}}', 'secrets'],
  ])('runs nothing itself: %s', (said, key) => {
    expect(problemsOf(`x: {trigger: a/b, ${said}}`)).toEqual([`jobs:x config: \`${key}\` ${BESIDE}`]);
  });

  it('is a part of its own where it includes files, as the file itself may', () => {
    const start = { depends: false, forwards: FORWARDS };
    expect(triggerOf('x: {trigger: {include: a.yml}}')).toEqual({ include: 'a.yml', ...start });
    const files = [
      { local: 'a.yml', rules: [{ if: '$A' }] },
      { project: 'a/b', ref: 'v1', file: ['c.yml', 'd.yml'] },
    ];
    expect(triggerOf(JSON.stringify({ x: { trigger: { include: files, strategy: 'depend' } } }))).toEqual({
      ...{ include: files, depends: true, forwards: FORWARDS },
    });
    expect(textOfChild({ include: files, ...start })).toBe(JSON.stringify({ include: files }));
  });

  it.each([
    ['{artifact: a.yml}', 'include: `job` should be a string'],
    ['{artifact: a.txt, job: y}', 'Included file `a.txt` does not have YAML extension!'],
    ['{remote: example.org/a.yml}', 'include: the address `example.org/a.yml` must be an http or https address'],
    ['a.txt', 'Included file `a.txt` does not have YAML extension!'],
    ['[]', 'include should name a file'],
    ['[a.yml, b.yml, c.yml, d.yml]', 'include has too many files (maximum is 3)'],
    ['{local: a.yml, inputs: []}', 'include:inputs config should be a hash'],
  ])('includes nothing else: %s', (include, problem) => {
    expect(problemsOf(`x: {trigger: {include: ${include}}}`)).toEqual([`jobs:x:trigger ${problem}`]);
  });

  it('gives the other project inputs, as they are written and as many as there may be', () => {
    const given = (inputs: string) => `x: {trigger: {project: a/b, inputs: ${inputs}}}`;
    expect(triggerOf(given('{a: 1, b: [$A, true], c: d}'))).toEqual({
      ...{ project: 'a/b', branch: null, depends: false, forwards: FORWARDS },
      inputs: { a: 1, b: ['$A', true], c: 'd' },
    });
    expect(problemsOf(given('[a]'))).toEqual(['jobs:x:trigger:inputs config should be a hash']);
    const TOO_MUCH = 'jobs:x:trigger:inputs config has too much in it (maximum is 100 inputs of 65536 characters)';
    const many = [...Array(101).keys()].map((at) => `i${at}: 1`);
    expect(problemsOf(given(`{${many.join(', ')}}`))).toEqual([TOO_MUCH]);
    expect(problemsOf(given(`{a: ${'x'.repeat(65_000)}, b: ${'x'.repeat(600)}}`))).toEqual([TOO_MUCH]);
    expect(problemsOf('x: {trigger: {include: a.yml, inputs: {a: b}}}')).toEqual([
      "jobs:x:trigger config: `inputs` and `include` can't be used together",
    ]);
  });

  it('is of another project, or a part of its own, and not both', () => {
    expect(problemsOf('x: {trigger: {include: a.yml, project: a/b, branch: main}}')).toEqual(
      ['project', 'branch'].map((key) => `jobs:x:trigger config: \`${key}\` and \`include\` can't be used together`),
    );
  });

  it.each([
    ['x: {trigger: []}', 'jobs:x:trigger config should be the path of a project, or a hash'],
    ['x: {trigger: 7}', 'jobs:x:trigger config should be the path of a project, or a hash'],
    ['x: {trigger: ""}', "jobs:x:trigger config can't be blank"],
    ['x: {trigger: {}}', 'jobs:x:trigger config should have a `project`, or files to `include`'],
    ['x: {trigger: {project: [a]}}', 'jobs:x:trigger:project config should be a path'],
    [`x: {trigger: ${'a'.repeat(1_025)}}`, 'jobs:x:trigger config is too long (maximum is 1024 characters)'],
    ['x: {trigger: {project: a/b, branch: ""}}', "jobs:x:trigger:branch config can't be blank"],
    [
      `x: {trigger: {project: a/b, branch: ${'a'.repeat(256)}}}`,
      'jobs:x:trigger:branch config is too long (maximum is 255 characters)',
    ],
    ['x: {trigger: {project: a/b, strategy: wait}}', 'jobs:x:trigger:strategy config should be one of: depend, mirror'],
    ['x: {trigger: {project: a/b, forward: all}}', 'jobs:x:trigger:forward config should be a hash'],
    [
      'x: {trigger: {project: a/b, forward: {yaml_variables: 1}}}',
      'jobs:x:trigger:forward:yaml_variables config should be a boolean value',
    ],
    ['x: {trigger: {project: a/b, forward: {a: true}}}', 'jobs:x:trigger:forward config contains unknown keys: a'],
    ['x: {trigger: {project: a/b, ref: c}}', 'jobs:x:trigger config contains unknown keys: ref'],
    ['x: {trigger: a/b, colour: red}', 'jobs:x config contains unknown keys: colour'],
    ['x: {trigger: }', "jobs:x script can't be blank"],
  ])('is refused where it can’t be told what it starts: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});
