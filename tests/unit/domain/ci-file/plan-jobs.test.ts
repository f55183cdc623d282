import { describe, expect, it } from '@jest/globals';
import { jobNames, planningOf, planOf, problemsOf } from '../../../support/ci-files.js';

const variables = (entries: Readonly<Record<string, string>>) => new Map(Object.entries(entries));

describe('a condition', () => {
  it.each([
    ['$A', true],
    ['$EMPTY', false],
    ['$NONE', false],
    ['$NONE == null', true],
    ['$EMPTY == null', false],
    ['$EMPTY == ""', true],
    ['$A == "a"', true],
    ["'a' == $A", true],
    ['$A != "a"', false],
    ['${A} == $A', true],
    ['$REF =~ /^feature\\/.+$/', true],
    ['$REF =~ /^FEATURE/', false],
    ['$REF =~ /^FEATURE/i', true],
    ['$REF !~ /^feature/', false],
    ['$REF =~ $PATTERN', true],
    ['$NONE =~ /x/', false],
    ['$A || $NONE && $NONE', true],
    ['($A || $NONE) && $NONE', false],
    ['$NONE && $A || $A', true],
    ['$A == "a" && ($REF == "b" || $B == "b")', true],
  ])('%s is %s', (condition, holds) => {
    const known = variables({ A: 'a', B: 'b', EMPTY: '', REF: 'feature/one', PATTERN: '/^feat/' });
    const text = `x: {script: x, rules: [{if: ${JSON.stringify(condition)}}]}`;
    expect(jobNames(text, { variables: known })).toEqual(holds ? ['x'] : []);
  });
});

describe('a job is made', () => {
  it.each([
    ['rules: [{if: $NONE}, {when: manual}]', {}, true],
    ['rules: [{if: $NONE}]', {}, false],
    ['rules: [{when: never}, {when: always}]', {}, false],
    ['rules: []', {}, false],
    ['rules: [{changes: [docs/**/*.md]}]', { changedPaths: ['docs/a/b.md'] }, true],
    ['rules: [{changes: [docs/**/*.md]}]', { changedPaths: ['docs/b.md'] }, true],
    ['rules: [{changes: [docs/*]}]', { changedPaths: ['docs/a/b.md'] }, false],
    ['rules: [{changes: ["*.{js,ts}"]}]', { changedPaths: ['a.ts'] }, true],
    ['rules: [{changes: {paths: [a]}}]', { changedPaths: ['b'] }, false],
    ['rules: [{changes: [a]}]', { changedPaths: undefined }, true],
    [
      'rules: [{changes: {paths: [a], compare_to: m}}]',
      { changedPaths: [], changedSince: new Map([['m', ['a']]]) },
      true,
    ],
    [
      'rules: [{changes: {paths: [a], compare_to: m}}]',
      { changedPaths: ['a'], changedSince: new Map([['m', []]]) },
      false,
    ],
    ['rules: [{changes: {paths: [a], compare_to: m}}]', { changedPaths: [] }, true],
    ['rules: [{exists: [Dockerfile]}]', { paths: ['Dockerfile'] }, true],
    ['rules: [{exists: ["**/Dockerfile"]}]', { paths: ['a/b/Dockerfile'] }, true],
    ['rules: [{exists: [Dockerfile]}]', { paths: ['a/Dockerfile'] }, false],
    ['rules: [{if: $NONE, exists: [a]}]', { paths: ['a'] }, false],
    ['only: [branches]', {}, true],
    ['only: [tags]', {}, false],
    ['only: [tags]', { tag: true, ref: 'v1' }, true],
    ['only: [main]', {}, true],
    ['only: [/^ma/]', {}, true],
    ['only: [/^MA/i]', {}, true],
    ['only: [other]', {}, false],
    ['only: [merge_requests]', { source: 'merge_request_event' }, true],
    ['only: [schedules]', { source: 'schedule' }, true],
    ['only: [pushes]', { source: 'web' }, false],
    ['only: {changes: [a]}', { changedPaths: ['b'] }, false],
    ['only: {variables: [$NONE], refs: [main]}', {}, false],
    ['except: [main]', {}, false],
    ['except: {refs: [other], changes: [a]}', { changedPaths: ['a'] }, false],
    ['except: [other]', {}, true],
    ['when: always', { source: 'merge_request_event' }, false],
    ['only: [main@some/project]', { variables: variables({ CI_PROJECT_PATH: 'some/project' }) }, true],
    ['only: [main@some/project]', { variables: variables({ CI_PROJECT_PATH: 'an/other' }) }, false],
  ] as const)('%s in %j: %s', (said, told, made) => {
    expect(jobNames(`x: {script: x, ${said}}`, told)).toEqual(made ? ['x'] : []);
  });

  it('by the workflow alone where it has rules and the job says nothing', () => {
    const text = 'workflow: {rules: [{if: $CI}]}\nx: {script: x}';
    expect(jobNames(text, { source: 'merge_request_event', variables: variables({ CI: 'yes' }) })).toEqual(['x']);
    expect(planningOf(text)).toEqual({
      kind: 'nothing',
      because: 'filtered',
      message: 'Pipeline filtered out by workflow rules.',
    });
  });

  it('no pipeline is made of nothing, nor of what is always there', () => {
    const empty = { kind: 'nothing', because: 'empty' };
    expect(planningOf('x: {script: x, rules: [{if: $NONE}]}')).toMatchObject(empty);
    expect(planningOf('x: {script: x, stage: .pre}')).toMatchObject(empty);
  });
});

describe('a planned job', () => {
  it('may fail where it is started by hand, unless a rule says that it is', () => {
    const text =
      'a: {script: x, when: manual}\nb: {script: x, rules: [{when: manual}]}\nc: {script: x, rules: [{when: manual, allow_failure: true}]}\nd: {script: x, when: manual, allow_failure: false}';
    expect(planOf(text).jobs.map((job) => [job.when, job.allowFailure])).toEqual([
      ['manual', true],
      ['manual', false],
      ['manual', true],
      ['manual', false],
    ]);
  });

  it('is run again for the exit codes that it names, and where it names none, whatever became of it', () => {
    const retryOf = (retry: string) => planOf(`x: {script: x, retry: ${retry}}`).jobs[0]?.retry;
    expect(retryOf('{max: 1, exit_codes: [137, 3]}')).toEqual({ max: 1, when: [], exitCodes: [137, 3] });
    expect(retryOf('{max: 1, exit_codes: 3, when: script_failure}')).toEqual({
      ...{ max: 1, when: ['script_failure'], exitCodes: [3] },
    });
    expect(retryOf('{max: 2}')).toEqual({ max: 2, when: ['always'] });
  });

  it('may fail with the exit codes that are allowed', () => {
    expect(planOf('x: {script: x, allow_failure: {exit_codes: [3, 4]}}').jobs[0]).toMatchObject({
      allowFailure: false,
      allowedExitCodes: [3, 4],
    });
  });

  it('ends of older pipelines what the rule of the workflow says, else the workflow', () => {
    const text = `
workflow:
  auto_cancel: {on_new_commit: interruptible}
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      auto_cancel: {on_new_commit: none}
    - when: always
x: {script: x}`;
    const replaces = (branch: string) =>
      planOf(text, { variables: new Map([['CI_COMMIT_BRANCH', branch]]) }).autoCancel.onNewCommit;
    expect([replaces('main'), replaces('topic'), planOf('x: {script: x}').autoCancel.onNewCommit]).toEqual([
      'none',
      'interruptible',
      'conservative',
    ]);
    expect(problemsOf('workflow: {rules: [{auto_cancel: {on_new_commit: all}}]}\nx: {script: x}')).toEqual([
      'workflow:rules:rule:auto_cancel:on_new_commit config should be one of: conservative, interruptible, none',
    ]);
  });

  it('ends its pipeline where it fails as the rule of the workflow says, else the workflow', () => {
    const text = `
workflow:
  auto_cancel: {on_job_failure: all}
  rules: [{if: $A, auto_cancel: {on_job_failure: none}}, {when: always}]
x: {script: x}`;
    const ends = (said: string, known = {}) => planOf(said, { variables: variables(known) }).autoCancel.onJobFailure;
    expect([ends(text), ends(text, { A: 'a' }), ends('x: {script: x}')]).toEqual(['all', 'none', 'none']);
    expect(problemsOf('workflow: {auto_cancel: {on_job_failure: some}}\nx: {script: x}')).toEqual([
      'workflow:auto_cancel:on_job_failure config should be one of: all, none',
    ]);
  });

  it('waits for no job of another project or pipeline whose files it needs', () => {
    const needs =
      '[{pipeline: $B, job: i}, y, {project: /a/b, job: c, ref: d}, {project: e/f, job: g, ref: h, artifacts: false}]';
    const { jobs } = planOf(
      `y: {script: y}\nx: {script: x, needs: ${needs}}\nz: {script: z, needs: [{project: $A, job: c, ref: d}]}`,
    );
    expect(jobs.map(({ needs: own, neededElsewhere }) => [own, neededElsewhere])).toEqual([
      [null, undefined],
      [
        [{ name: 'y', artifacts: true }],
        [
          { project: 'a/b', job: 'c', ref: 'd' },
          { pipeline: '$B', job: 'i' },
        ],
      ],
      [[], [{ project: '$A', job: 'c', ref: 'd' }]],
    ]);
  });

  it('has variables of all jobs under those of the workflow, its own and those of its rule', () => {
    const text = `
variables: {A: all, B: all, C: all, D: all}
workflow: {rules: [{variables: {B: workflow, C: workflow, D: workflow}}]}
x: {script: x, variables: {C: job, D: job}, rules: [{variables: {D: rule}}]}
y: {script: y, inherit: {variables: [A]}}`;
    const [x, y] = planOf(text).jobs;
    expect(x!.variables.map(({ value }) => value)).toEqual(['all', 'workflow', 'job', 'rule']);
    expect(y!.variables).toEqual([{ key: 'A', value: 'all' }]);
  });

  it('is there as often as it says, each with its number, and whoever needs it needs each', () => {
    const { jobs } = planOf('a: {script: x, parallel: 2}\nb: {script: x, needs: [a]}');
    expect(jobs.map(({ name }) => name)).toEqual(['a 1/2', 'a 2/2', 'b']);
    expect(jobs[1]!.variables).toEqual([
      { key: 'CI_NODE_INDEX', value: '2' },
      { key: 'CI_NODE_TOTAL', value: '2' },
    ]);
    expect(jobs[2]!.needs).toEqual([
      { name: 'a 1/2', artifacts: true },
      { name: 'a 2/2', artifacts: true },
    ]);
  });

  it('is there for each choice of a matrix', () => {
    const { jobs } = planOf('a: {script: x, parallel: {matrix: [{OS: [x, y], V: [1, 2]}, {OS: z}]}}');
    expect(jobs.map(({ name }) => name)).toEqual(['a: [x, 1]', 'a: [x, 2]', 'a: [y, 1]', 'a: [y, 2]', 'a: [z]']);
    expect(jobs[1]!.variables.slice(0, 2)).toEqual([
      { key: 'OS', value: 'x' },
      { key: 'V', value: '2' },
    ]);
  });

  it('needs what is not there only where that is optional', () => {
    const never = 'y: {script: x, rules: [{when: never}]}\n';
    expect(planOf(never + 'x: {script: x, needs: [{job: y, optional: true}]}').jobs[0]!.needs).toEqual([]);
    const refused = planningOf(never + 'x: {script: x, needs: [y]}');
    expect(refused).toMatchObject({
      kind: 'refused',
      problems: [expect.stringContaining("'x' job needs 'y' job, but 'y' does not exist in the pipeline")],
    });
  });

  it('carries what a runner is told', () => {
    const [job] = planOf(`
x:
  before_script: [a]
  script: [b, [c]]
  after_script: d
  image: {name: node, entrypoint: [""]}
  services: [redis, {name: postgres, alias: db}]
  timeout: 1h 30m
  retry: {max: 2, when: script_failure}
  coverage: /(\\d+)%/
  interruptible: true
  tags: [big]
  cache: {key: k, paths: [p]}
  artifacts: {paths: [o], expire_in: 1 week, reports: {junit: r.xml}}
  environment: production`).jobs;
    expect(job).toMatchObject({
      timeoutSeconds: 5400,
      retry: { max: 2, when: ['script_failure'] },
      coverage: '/(\\d+)%/',
      interruptible: true,
      tags: ['big'],
      options: {
        script: ['a', 'b', 'c'],
        afterScript: ['d'],
        image: { name: 'node', entrypoint: [''] },
        services: [{ name: 'redis' }, { name: 'postgres', alias: 'db' }],
        cache: [{ key: 'k', paths: ['p'], policy: 'pull-push' }],
        artifacts: { paths: ['o'], expireIn: '1 week', reports: { junit: 'r.xml' } },
        environment: { name: 'production', action: 'start' },
      },
    });
  });

  it('stands in the stages that have jobs, in their order', () => {
    const text =
      'stages: [one, two, three]\na: {script: x, stage: three}\nb: {script: x, stage: .pre}\nc: {script: x, stage: one}';
    const { stages, jobs } = planOf(text);
    expect(stages).toEqual(['.pre', 'one', 'three']);
    expect(jobs.map(({ stageIndex }) => stageIndex)).toEqual([3, 0, 1]);
  });
});

it('no pipeline is made of jobs of which there is more to say than is kept, whatever it is that is said', () => {
  const long = 'x'.repeat(60_000);
  const MORE = 'The jobs of a pipeline have at most 8000000 characters of commands, variables and all else.';
  for (const said of [
    `rules: [{when: always, variables: {A: ${long}}}]`,
    `variables: {A: ${long}}`,
    `artifacts: {paths: [${long}]}`,
    `release: {tag_name: v1, description: ${long}}`,
  ])
    expect([said.slice(0, 10), planningOf(`x: {script: x, parallel: 200, ${said}}`)]).toEqual([
      said.slice(0, 10),
      { kind: 'refused', problems: [MORE] },
    ]);
});

describe('of a matrix', () => {
  const jobsOf = (text: string, told: Parameters<typeof planOf>[1] = {}) =>
    planOf(text, told).jobs.map(({ name, when }) => `${name} ${when}`);

  it('each job is let be by rules that know its own variables', () => {
    const matrix = 'parallel: {matrix: [{OS: [linux, windows, mac]}]}';
    expect(
      jobsOf(`x: {script: x, ${matrix}, rules: [{if: $OS == "linux"}, {if: $OS == "mac", when: manual}]}`),
    ).toEqual(['x: [linux] on_success', 'x: [mac] manual']);
    expect(jobsOf(`x: {script: x, ${matrix}, only: {variables: [$OS == "windows"]}}`)).toEqual([
      'x: [windows] on_success',
    ]);
  });

  it('what is said twice is one job, which has the later number', () => {
    const { jobs } = planOf('x: {script: x, parallel: {matrix: [{A: [1, 2]}, {A: [2]}]}}');
    expect(jobs.map(({ name, variables: known }) => [name, known])).toEqual([
      ['x: [1]', expect.arrayContaining([{ key: 'CI_NODE_TOTAL', value: '2' }])],
      ['x: [2]', expect.arrayContaining([{ key: 'CI_NODE_INDEX', value: '2' }])],
    ]);
  });

  it('each is needed by its own name, by the values it has, or with all of them by the name of the job', () => {
    const x = 'x: {stage: build, script: x, parallel: {matrix: [{A: [1, 2], B: [a, b]}]}}\n';
    const needsOf = (said: string) => planOf(`${x}y: {script: y, ${said}}`).jobs.at(-1)!;
    expect(needsOf('needs: ["x: [1, a]"]').needs).toEqual([{ name: 'x: [1, a]', artifacts: true }]);
    expect(needsOf('needs: [{job: x, parallel: {matrix: [{A: [2], B: [a, b]}]}}]').needs).toMatchObject([
      { name: 'x: [2, a]' },
      { name: 'x: [2, b]' },
    ]);
    expect(needsOf('needs: [x]').needs).toHaveLength(4);
    expect(needsOf('dependencies: ["x: [2, b]"]').dependencies).toEqual(['x: [2, b]']);
    expect(() => planOf(`${x}y: {script: y, needs: ["x: [3, a]"]}`)).toThrow('y job: undefined need: x: [3, a]');
    const numbered = 'x: {stage: build, script: x, parallel: 2}\ny: {script: y, needs: [x 2/2]}';
    expect(planOf(numbered).jobs.at(-1)!.needs).toEqual([{ name: 'x 2/2', artifacts: true }]);
    expect(() => planOf('x: {script: x, parallel: 2, needs: [x 1/2]}')).toThrow('circular');
  });

  it('what reads alike and is not the same is refused', () => {
    const matrix = '[{A: ["a, b", a], B: [c, "b, c"]}]';
    expect(planningOf(`x: {script: x, parallel: {matrix: ${matrix}}}`)).toEqual({
      ...{ kind: 'refused', problems: ['Two jobs would be called `x: [a, b, c]`.'] },
    });
  });

  it('each is needed once, however often it is named', () => {
    const text =
      'x: {stage: build, script: x, parallel: {matrix: [{A: [1, 2]}]}}\ny: {script: y, needs: [{job: x, artifacts: false}, "x: [1]"]}';
    expect(planOf(text).jobs.at(-1)!.needs).toEqual([
      { name: 'x: [1]', artifacts: true },
      { name: 'x: [2]', artifacts: false },
    ]);
  });

  it('no more are tried than rules can be asked for in a while', () => {
    const matrix = `parallel: {matrix: [{A: [${Array.from({ length: 200 }, (_, index) => index).join(', ')}]}]}`;
    const text = Array.from(
      { length: 11 },
      (_, index) => `x${index}: {script: x, ${matrix}, rules: [{if: $A == "x"}]}`,
    );
    expect(planningOf(text.join('\n'))).toEqual({
      ...{
        kind: 'refused',
        problems: ['Rules that ask about each job of `parallel` can be asked of 2000 at most.'],
      },
    });
  });
});

it('variables that are not to be expanded are told so to their jobs, unless something else takes their place', () => {
  const text = `
    variables: { A: {value: "a$B", expand: false}, C: {value: "c$B", expand: false}, D: {value: d, expand: true} }
    x: { script: x, variables: { C: own, E: {value: "e$B", expand: false} } }`;
  expect(planOf(text).jobs[0]!.variables).toEqual([
    { key: 'A', value: 'a$B', raw: true },
    { key: 'C', value: 'own' },
    { key: 'D', value: 'd' },
    { key: 'E', value: 'e$B', raw: true },
  ]);
  const replaced = `workflow: {rules: [{when: always, variables: {A: "v$B"}}]}\n${text.trim().replaceAll('\n    ', '\n')}`;
  expect(planOf(replaced).jobs[0]!.variables[0]).toEqual({ key: 'A', value: 'v$B' });
});

it('rules know the job that they are of, each of several by its own name and number', () => {
  const named = 'x: {script: x, parallel: {matrix: [{A: [a, b]}]}, rules: [{if: "$CI_JOB_NAME == \'x: [b]\'"}]}';
  expect(jobNames(named)).toEqual(['x: [b]']);
  expect(jobNames('x: {script: x, parallel: 3, rules: [{if: $CI_NODE_INDEX == "2"}]}')).toEqual(['x 2/3']);
  expect(jobNames('x: {script: x, rules: [{if: $CI_JOB_NAME == "x" && $CI_JOB_STAGE == "test"}]}')).toEqual(['x']);
});
