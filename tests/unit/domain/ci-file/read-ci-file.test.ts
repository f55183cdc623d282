import { describe, expect, it } from '@jest/globals';
import { documentedBlocks, PAGES_OF_CI_FILES } from '../../../support/documented-blocks.js';
import { configOf, problemsOf, readingOf } from '../../../support/ci-files.js';

const JOB = 'test:\n  script: make test\n';

describe('a CI file is refused, each problem in the known words', () => {
  it.each([
    ['', 'Invalid configuration format'],
    ['[]', 'Invalid configuration format'],
    ['.hidden: {script: x}', 'jobs config should contain at least one visible job'],
    ['x: {stage: test}', 'jobs x config should implement the script:, run:, or trigger: keyword'],
    ['x: 1', 'jobs x config should implement the script:, run:, or trigger: keyword'],
    ['x: {script: x, foo: 1, bar: 2}', 'jobs:x config contains unknown keys: foo, bar'],
    [
      'x: {script: {a: 1}}',
      'jobs:x:script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    [
      'x: {script: [[[[[[[[[[[a]]]]]]]]]]]}',
      'jobs:x:script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    ['x: {script: []}', "jobs:x script can't be blank"],
    [
      'x: {script: x, stage: y}',
      'x job: chosen stage does not exist; available stages are .pre, build, test, deploy, .post',
    ],
    ['stages: 1\n' + JOB, 'stages config should be an array of strings'],
    ['x: {script: x, when: delayed}', 'jobs:x start in should be a duration'],
    ['x: {script: x, when: delayed, start_in: soon}', 'jobs:x start in should be a duration'],
    ['x: {script: x, when: delayed, start_in: 8 days}', 'jobs:x start in should not exceed a week'],
    ['x: {script: x, start_in: 1 hour}', 'jobs:x start in must be blank'],
    ['x: {script: x, rules: [{when: delayed}]}', 'jobs:x:rules:rule start in should be a duration'],
    ['x: {script: x, rules: [{start_in: 1h}]}', 'jobs:x:rules:rule start in must be blank'],
    [
      'x: {script: x, resource_group: "a:b"}',
      'jobs:x:resource_group config may have letters, digits, spaces, and any of `-_/${}.`',
    ],
    [
      'x: {script: x, when: never}',
      'jobs:x:when config should be one of: on_success, on_failure, always, manual, delayed',
    ],
    [
      'x: {script: x, artifacts: {access: guest}}',
      'jobs:x:artifacts:access config should be one of: all, developer, maintainer, none',
    ],
    [
      'x: {script: x, artifacts: {access: none, public: true}}',
      "jobs:x:artifacts config: `public` and `access` can't be used together",
    ],
    ['x: {script: x, id_tokens: 1}', 'jobs:x:id_tokens config should be a hash'],
    ['x: {script: x, id_tokens: {T: {}}}', 'jobs:x:id_tokens T should have an `aud`'],
    ['x: {script: x, id_tokens: {T: {aud: [a, ""]}}}', 'jobs:x:id_tokens T should have an `aud`'],
    ['x: {script: x, id_tokens: {"a-b": {aud: a}}}', "jobs:x:id_tokens config: `a-b` can't be the name of a variable"],
    ['x: {script: x, hooks: {other: [y]}}', 'jobs:x:hooks config contains unknown keys: other'],
    ['x: {script: x, release: 1}', 'jobs:x:release config should be a hash'],
    ['x: {script: x, release: {description: y}}', "jobs:x:release tag_name can't be blank"],
    ['x: {script: x, release: {tag_name: y, description: ""}}', "jobs:x:release description can't be blank"],
    [
      'x: {script: x, release: {tag_name: y, description: z, assets: {links: [{name: n}]}}}',
      "jobs:x:release:assets:links url can't be blank",
    ],
    [
      'x: {script: x, release: {tag_name: y, description: z, milestones: {a: b}}}',
      'jobs:x:release:milestones config should be an array of strings or a string',
    ],
    [
      'x: {script: x, release: {tag_name: y, description: z, tag: 1}}',
      'jobs:x:release config contains unknown keys: tag',
    ],
    ['x: {script: x, needs: [y]}', 'x job: undefined need: y'],
    ['x: {script: x, needs: [x]}', 'The pipeline has circular dependencies: x'],
    ['x: {script: x, needs: [y]}\ny: {script: x, needs: [x]}', 'The pipeline has circular dependencies: x, y'],
    [
      'x: {script: x, needs: [y]}\ny: {script: x, stage: deploy}',
      'x job: need y is not defined in current or prior stages',
    ],
    ['x: {script: x, dependencies: [y]}', 'x job: undefined dependency: y'],
    ['x: {script: x, needs: [{project: a/b, job: c}]}', 'jobs:x:needs config should have a `ref` beside `project`'],
    [
      'x: {script: x, needs: [{project: a/b, job: c, ref: d, optional: true}]}',
      'jobs:x:needs config contains unknown keys: optional',
    ],
    [
      `x: {script: x, needs: [${'{project: a/b, job: c, ref: d}, '.repeat(6)}]}`,
      'jobs:x:needs config has too many needs of other projects (maximum is 5)',
    ],
    [
      'x: {trigger: a/b, needs: [{project: a/b, job: c, ref: d}]}',
      "jobs:x:needs config: those of other projects and pipelines can't be used with `trigger`; the job is given no files.",
    ],
    [
      'x: {script: x, rules: [{needs: [{project: a/b, job: c, ref: d}]}]}',
      'jobs:x:rules:rule:needs config: `project` is not supported here; only jobs of its own pipeline can be needed.',
    ],
    [
      'x: {script: x, rules: [{needs: [{pipeline: "1", job: c}]}]}',
      'jobs:x:rules:rule:needs config: `pipeline` is not supported here; only jobs of its own pipeline can be needed.',
    ],
    [
      'x: {script: x, needs: [{job: y, ref: z}]}',
      'jobs:x:needs config: `ref` is not supported here; only jobs of its own pipeline can be needed.',
    ],
    ['x: {script: x, needs: [{pipeline: a/b}]}', 'jobs:x:needs config should have a `job` beside `pipeline`'],
    [
      'x: {script: x, needs: [{pipeline: $A, job: c, optional: true}]}',
      'jobs:x:needs config contains unknown keys: optional',
    ],
    [
      `x: {script: x, needs: [${'{pipeline: $A, job: c}, '.repeat(6)}]}`,
      'jobs:x:needs config has too many needs of other pipelines (maximum is 5)',
    ],
    [
      'x: {trigger: a/b, needs: [{pipeline: $A, job: c}]}',
      "jobs:x:needs config: those of other projects and pipelines can't be used with `trigger`; the job is given no files.",
    ],
    ['x: {script: x, rules: [], only: [main]}', 'jobs:x config key may not be used with `rules`: only'],
    ['x: {script: x, rules: [{if: "$A =="}]}', 'jobs:x:rules:rule if invalid expression syntax'],
    ['x: {script: x, rules: [{if: "$A =~ /(/"}]}', 'jobs:x:rules:rule if invalid expression syntax'],
    ['x: {script: x, rules: 1}', 'jobs:x:rules config should be an array of hashes'],
    ['x: {script: x, parallel: 201}', 'jobs:x:parallel config must be less than or equal to 200'],
    [
      'x: {script: x, retry: {max: 1, exit_codes: 256}}',
      'jobs:x:retry:exit_codes config must be less than or equal to 255',
    ],
    ['x: {script: "a\\0b"}', 'A text has a NUL character.'],
    ['"a\\ud800": {script: x}', 'A text has half a character.'],
    ['x: {script: x, parallel: {matrix: [{A: ["\\ud800", "\\ud801"]}]}}', 'A text has half a character.'],
    [
      'x: {script: x, retry: {max: 1, when: bad_luck}}',
      'jobs:x:retry:when config contains an unknown reason: bad_luck',
    ],
    [
      'x: {script: x, cache: {policy: push_pull}}',
      'jobs:x:cache:policy config should be one of: pull-push, push, pull',
    ],
    [
      'x: {script: x, rules: [{changes: {compare_to: main}}]}',
      'jobs:x:rules:rule:changes config should have a list of `paths`',
    ],
    [
      'x: {script: x, rules: [{exists: {paths: [a], compare_to: main}}]}',
      'jobs:x:rules:rule:exists config contains unknown keys: compare_to',
    ],
    ['x: {script: x, retry: 3}', 'jobs:x:retry config must be less than or equal to 2'],
    ['x: {script: x, timeout: soon}', 'jobs:x:timeout config should be a duration'],
    ['x: {script: x, coverage: soon}', 'jobs:x:coverage config must be a regular expression'],
    ['x: {script: x, extends: y}', 'x: unknown keys in `extends` (y)'],
    ['x: {extends: y}\ny: {extends: x}', 'x: circular dependency detected in `extends`'],
    ['x: {script: [!reference [y, z]]}', '!reference ["y","z"] could not be found'],
    ['x: {script: [!reference [x, script]]}', '!reference ["x","script"] is part of a circular chain'],
    [
      'include: {template: c.yml}\n' + JOB,
      'Template `c.yml` does not exist! `GET /templates/gitlab_ci_ymls` tells which there are.',
    ],
    ['include: {template: c.yml, local: a.yml}\n' + JOB, "include: `local` and `template` can't be used together"],
    ['include: {template: c.yml, ref: main}\n' + JOB, 'include config contains unknown keys: ref'],
    [
      'include: {component: a/b/c}\n' + JOB,
      'include: the component `a/b/c` should be named as `$CI_SERVER_FQDN/group/project/name@version`',
    ],
    [
      'include: {component: other.example/a/b/c@1}\n' + JOB,
      'include: the component `other.example/a/b/c@1` is not of this installation (`here.example`).',
    ],
    ['include: {component: here.example/a/b/c@1}\n' + JOB, 'Component `here.example/a/b/c@1` does not exist!'],
    ['include: {component: $NONE/a/b/c@1}\n' + JOB, "include: `$NONE/a/b/c@1` has a variable that isn't known here."],
    ['include: $NONE\n' + JOB, "include: `$NONE` has a variable that isn't known here."],
    [
      'include: https://user:word@example.org/a.yml\n' + JOB,
      'include: the address `https://*****@example.org/a.yml` must not carry a user name or password',
    ],
    [
      'include: {artifact: a.yml, job: y}\n' + JOB,
      'include: `artifact` can only be included by a `trigger`: jobs leave files once there is a pipeline.',
    ],
    ['include: {project: a/b, file: c.yml}\n' + JOB, 'Project `a/b` file `c.yml` does not exist!'],
    ['include: {project: [a/b], file: c.yml}\n' + JOB, 'include: `project` should be a string'],
    ['include: {project: a/b, ref: 1, file: c.yml}\n' + JOB, 'include: `ref` should be a string'],
    [
      'include: {local: a.yml, rules: [{variables: {A: b}}]}\n' + JOB,
      'include:rules: `variables` is not supported; `if`, `changes`, `exists`, `when` are.',
    ],
    [
      'include: {local: a.yml, rules: [{exists: b}]}\n' + JOB,
      'include:rules:rule:exists config should be an array of strings',
    ],
    [
      'include: {local: a.yml, rules: [{changes: {paths: [b], compare: main}}]}\n' + JOB,
      'include:rules:rule:changes config contains unknown keys: compare',
    ],
    ['include: {local: a.yml, rules: [{if: "$A =="}]}\n' + JOB, 'include:rules:rule if invalid expression syntax'],
    [
      'include: {local: a.yml, rules: [{when: manual}]}\n' + JOB,
      'include:rules:rule when should be `always` or `never`',
    ],
    ['include: {local: a.yml, rules: [x]}\n' + JOB, 'include:rules:rule config should be a hash'],
    ['include: {local: a.yml, rules: x}\n' + JOB, 'include:rules config should be an array of 100 hashes at most'],
    ['include: {project: $A/b, file: c.yml}\n' + JOB, "include: `$A/b` has a variable that isn't known here."],
    ['include: $A.yml\n' + JOB, "include: `$A.yml` has a variable that isn't known here."],
    [
      'include: {project: a/b, file: []}\n' + JOB,
      'include config should be a path, or a hash with `local`, with `project` and `file`, or with `template`, `component` or `remote`',
    ],
    ['include: {project: a/b, local: c.yml}\n' + JOB, "include: `local` and `project` can't be used together"],
    [
      'include: {project: a/b}\n' + JOB,
      'include config should be a path, or a hash with `local`, with `project` and `file`, or with `template`, `component` or `remote`',
    ],
    ['include: /a.yml\n' + JOB, 'Local file `a.yml` does not exist!'],
    ['include: /a.txt\n' + JOB, 'Included file `/a.txt` does not have YAML extension!'],
    ['variables: {A: [1]}\n' + JOB, 'variables config: `A` should be a string, a number, or a hash with a `value`'],
    ['x: {script: x, cache: [{}, {}, {}, {}, {}]}', 'jobs:x:cache config has too many entries (maximum is 4)'],
  ])('%j: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('names all of them at once', () => {
    expect(problemsOf('x: {script: 1, stage: y}\nz: {script: x, tags: 1}')).toHaveLength(3);
  });
});

describe('what stands in several places is one', () => {
  it('mappings of what is extended are joined, later ones and the job itself win, lists are replaced', () => {
    const { jobs } = configOf(`
.a: {variables: {A: a, B: a}, tags: [a], image: a}
.b: {extends: .a, variables: {B: b, C: b}, tags: [b]}
.c: {image: c}
x: {extends: [.b, .c], script: x, variables: {C: x}}`);
    expect([...jobs[0]!.variables]).toEqual([
      ['A', 'a'],
      ['B', 'b'],
      ['C', 'x'],
    ]);
    expect(jobs[0]).toMatchObject({ tags: ['b'], options: { image: { name: 'c' } } });
  });

  it('extends through eleven levels and not through twelve', () => {
    const chain = (levels: number) =>
      [...Array(levels).keys()].map((at) => `.b${at}: {extends: .b${at + 1}}`).join('\n') +
      `\n.b${levels}: {script: x}\nx: {extends: .b0}`;
    expect(problemsOf(chain(10))).toEqual([]);
    expect(problemsOf(chain(11))[0]).toMatch(/nesting too deep in `extends`$/);
  });

  it('anchors, merge keys and references bring in what they name', () => {
    const { jobs } = configOf(`
.base: &base {tags: [a], stage: build}
.setup: {script: [one, two], rules: [{if: $A}]}
x:
  <<: *base
  stage: test
  script: [!reference [.setup, script], three]
  rules: [!reference [.setup, rules]]`);
    expect(jobs[0]).toMatchObject({ stage: 'test', tags: ['a'], options: { script: ['one', 'two', 'three'] } });
    expect(jobs[0]!.rules).toHaveLength(1);
  });

  it('files that are included are under the file that includes them, and the later over the earlier', () => {
    const { variables } = configOf('include: [/a.yml, {local: b.yml}]\nvariables: {A: own}\n' + JOB, {
      'a.yml': 'variables: {A: a, B: a, C: a}',
      'b.yml': 'include: c.yml\nvariables: {B: b}',
      'c.yml': 'variables: {B: c, D: c}',
    });
    expect(Object.fromEntries(variables)).toEqual({ A: 'own', B: 'b', C: 'a', D: 'c' });
  });

  it('files by a pattern are included in the order of their paths, but for those that it stands in', () => {
    const files = {
      'ci/b.yml': 'variables: {A: b, B: b}',
      'ci/a.yml': 'include: ci/**/*.yml\nvariables: {A: a, C: a}',
      'ci/deep/er/c.yml': 'variables: {D: c}',
      'ci/d.txt': 'variables: {E: no}',
      'other.yml': 'variables: {E: no}',
    };
    const { variables } = configOf(`include: [{local: /ci/*.yml}]\n${JOB}`, files);
    expect(Object.fromEntries(variables)).toEqual({ A: 'b', B: 'b', C: 'a', D: 'c' });
    expect(problemsOf(`include: none/*.yml\n${JOB}`, files)).toEqual(['Local file `none/*.yml` does not exist!']);
    expect(problemsOf(`include: 'ci/*'\n${JOB}`, files)).toEqual([
      'Included file `ci/*` does not have YAML extension!',
    ]);
    const many = [...Array(6).keys()].map((at) => `ci/*${'*'.repeat(at)}.yml`);
    expect(problemsOf(`include: ${JSON.stringify(many)}\n${JOB}`, { 'ci/b.yml': 'variables: {A: b}' })).toEqual([
      'Files are included by at most 5 patterns.',
    ]);
  });

  it('a file is included where the first of its rules that holds wants it, and where nobody knows', () => {
    const file = `include: [{local: a.yml, rules: [{if: $NO, when: never}, {if: '$REF == "main"'}]}, {local: b.yml, rules: [{when: never}]}]\n${JOB}`;
    const files = { 'a.yml': 'variables: {A: a}', 'b.yml': 'variables: {B: b}' };
    const included = (known?: Readonly<Record<string, string>>) => {
      const reading = readingOf(file, files, known && { known: () => new Map(Object.entries(known)) });
      return reading.kind === 'read' ? [...reading.config.variables.keys()] : reading.problems;
    };
    expect(included({ REF: 'main' })).toEqual(['A']);
    expect(included({ REF: 'main', NO: 'yes' })).toEqual([]);
    expect(included({ REF: 'topic' })).toEqual([]);
    expect(included()).toEqual(['A', 'B']);
  });

  it('a file is included by what is there and what has changed, which nobody is asked for where a condition decides', () => {
    const rules = "[{if: $NO, exists: [none]}, {exists: ['src/*.c'], changes: {paths: [docs/**/*]}}]";
    const file = `include: {local: a.yml, rules: ${rules}}\n${JOB}`;
    const files = { 'a.yml': 'variables: {A: a}', 'src/x.c': '' };
    const included = (beside: { readonly changed?: readonly string[] }, there: Readonly<Record<string, string>>) =>
      configOf(file, there, { known: () => new Map(), ...beside }).variables.size === 1;
    expect(included({ changed: ['docs/a.md'] }, files)).toBe(true);
    expect(included({ changed: ['src/x.c'] }, files)).toBe(false);
    expect(included({}, files)).toBe(true);
    expect(included({}, { 'a.yml': 'variables: {A: a}' })).toBe(false);
    const paths = (rule: string) => `include: {local: a.yml, rules: [{${rule}, exists: [$FILE]}]}\n${JOB}`;
    const known = () => new Map([['FILE', 'src/x.c']]);
    expect(configOf(paths('if: $FILE'), files, { known }).variables.size).toBe(1);
    expect(configOf(paths('if: $NO'), files, { known }).variables.size).toBe(0);
  });

  it('files of another project include those of the same one, and of the same branch', () => {
    const include = 'include: {project: /a/b, ref: v1, file: [one.yml, two.yml]}\n';
    const files = {
      'a/b@v1:one.yml': 'include: /common.yml\nvariables: {A: one}',
      'a/b@v1:two.yml': 'include: {project: c/d, file: far.yml}\nvariables: {A: two}',
      'a/b@v1:common.yml': 'variables: {A: common, B: common}',
      'common.yml': 'variables: {B: own}',
      'c/d@HEAD:far.yml': 'include: {project: a/b, ref: v2, file: one.yml}\nvariables: {C: far}',
      'a/b@v2:one.yml': 'variables: {D: newer}',
    };
    const { variables } = configOf(include + JOB, files);
    expect(Object.fromEntries(variables)).toEqual({ A: 'two', B: 'common', C: 'far', D: 'newer' });
    const around = { ...files, 'a/b@v2:one.yml': 'include: {project: a/b, ref: v1, file: two.yml}' };
    expect(problemsOf(include + JOB, around)).toEqual(['Project `a/b` file `two.yml` includes itself.']);
    const broken = { ...files, 'a/b@v1:common.yml': 'a: [' };
    expect(problemsOf(include + JOB, broken)[0]).toMatch(/^`a\/b: common.yml`: /);
  });

  it('a default is taken whole by a job that says nothing of it and inherits it', () => {
    const { jobs } = configOf(`
default: {tags: [d], before_script: [first], image: d}
a: {script: a, tags: [a]}
b: {script: b, inherit: {default: [image]}}
c: {script: c, inherit: {default: false}, before_script: []}`);
    expect(jobs.map(({ tags, options: { script, image } }) => [tags, script, image?.name])).toEqual([
      [['a'], ['first', 'a'], 'd'],
      [[], ['b'], 'd'],
      [[], ['c'], undefined],
    ]);
  });

  it('tells what is accepted and has no effect', () => {
    const text = `
default: {id_tokens: {T: {aud: https://vault.example}}, hooks: {pre_get_sources_script: [y]}}
x:
  script: x
  release: {tag_name: y, description: z}
  image: {name: i, docker: {}}
  artifacts: {public: false, expose_as: y, reports: {annotations: a, unit: b}}
  cache: {unprotect: true}
  environment: {name: e, kubernetes: {}}
  only: {kubernetes: active}
pages: {script: x, cache: {policy: $POLICY}}
y: {trigger: {project: a/b, strategy: mirror}}`;
    const reading = readingOf(text);
    expect([
      reading.kind,
      reading.warnings.map((warning) => warning.replace(' has no effect here', '')).sort(),
    ]).toEqual([
      'read',
      [
        'jobs:x:only config: `kubernetes`',
        'jobs:x:image config: `docker`',
        'jobs:x:artifacts config: `expose_as`',
        'jobs:x:artifacts:reports config: `annotations`',
        'jobs:x:artifacts:reports config: `unit`',
        'jobs:pages: no pages are published here; the job is as any other',
        'jobs:y:trigger:strategy: `mirror` is as `depend` here: the job runs until that pipeline has ended',
        'jobs:x:cache config: `unprotect`',
        'jobs:x:environment config: `kubernetes`',
      ].sort(),
    ]);
  });
});

describe('a job that is to stop an environment', () => {
  it.each([
    ['', 'x job: on_stop job y is not defined'],
    ['\ny: {script: y, environment: e}', 'x job: on_stop job y needs to have action stop defined'],
    ['\ny: {script: y, environment: {name: e, action: stop}}', undefined],
  ])('is missed where it is not there, or stops none: %j', (more, warning) => {
    const reading = readingOf(`x: {script: x, environment: {name: e, on_stop: y}}${more}`);
    expect([reading.kind, reading.warnings]).toEqual(['read', warning === undefined ? [] : [warning]]);
  });
});

describe('what the documentation shows', () => {
  it('is right', () => {
    const shown = documentedBlocks().filter(
      ({ page, language }) => PAGES_OF_CI_FILES.includes(page) && language === 'yaml',
    );
    expect(new Set(shown.map(({ page }) => page))).toEqual(new Set(PAGES_OF_CI_FILES));
    for (const { text } of shown) expect([text, problemsOf(text)]).toEqual([text, []]);
  });
});

describe('what is written is read as it is elsewhere', () => {
  const jobsIn = (text: string) => new Map(configOf(text).jobs.map((job) => [job.name, job]));

  it('merge keys count where they stand: what comes later wins', () => {
    const jobs = jobsIn(`
.a: &a {script: [a], stage: build}
.b: &b {script: [b]}
two: {stage: test, <<: *a, <<: *b}
after: {script: [own], <<: *a}
before: {<<: *a, script: [own]}
list: {<<: [*b, *a]}`);
    expect([...jobs].map(([name, { stage, options }]) => [name, stage, options.script])).toEqual([
      ['two', 'build', ['b']],
      ['after', 'build', ['a']],
      ['before', 'build', ['own']],
      ['list', 'build', ['b']],
    ]);
  });

  it('values without quotes are those of YAML 1.1', () => {
    const said = {
      ...{ '1.0': '1.0', '3.10': '3.1', '0755': '493', '019': '019', '012345678901': '012345678901', '12e3': '12e3' },
      ...{ '1234567e89': '1234567e89', '123456789012345678901': '123456789012345678901', yes: 'true', Off: 'false' },
      ...{
        '1_000': '1000',
        '0o17': '0o17',
        '0x1F': '31',
        '-5': '-5',
        '+5': '5',
        '0b11': '3',
        '1:30': '5400',
        '.5': '0.5',
      },
      ...{
        '8080:80': '8080:80',
        '~': '',
        'v1.0': 'v1.0',
        '1.2.3': '1.2.3',
        '-': '-',
        '.': '.',
        '"yes"': 'yes',
        "'0755'": '0755',
      },
    };
    const text = Object.keys(said).map((value, index) => `  V${index}: ${value}`);
    const { variables } = configOf(`variables:\n${text.filter((line) => !line.endsWith(': -')).join('\n')}\n${JOB}`);
    const expected = Object.entries(said).flatMap(([value, meant], index) =>
      value === '-' ? [] : [[`V${index}`, meant] as const],
    );
    expect([...variables]).toEqual(expected);
    const { x, on } = Object.fromEntries(
      jobsIn('x: {script: x, allow_failure: yes, interruptible: on}\non: {script: y}'),
    );
    expect([x?.allowFailure, x?.interruptible, on?.name]).toEqual([true, true, 'on']);
    expect(jobsIn('x: {script: x, parallel: {matrix: [{A: [yes, 1.0]}]}}').get('x')?.parallel).toEqual([
      new Map([['A', ['true', '1.0']]]),
    ]);
  });

  it('a key without a value says nothing, so that the default holds', () => {
    const jobs = jobsIn(
      'default: {before_script: [def]}\nj: {script: x, before_script: }\nk: {script: x, before_script: []}',
    );
    expect([jobs.get('j')?.options.script, jobs.get('k')?.options.script]).toEqual([['def', 'x'], ['x']]);
  });

  it('what stages were called once is their name, and jobs may be called what means something else at the top', () => {
    expect(jobsIn('x: {script: x, type: deploy}').get('x')?.stage).toBe('deploy');
    const text = 'types: {script: mypy}\nspec: {script: rspec}\n"pages:deploy": {script: deploy}';
    expect([...jobsIn(text).keys()]).toEqual(['types', 'spec', 'pages:deploy']);
    expect(configOf('types: [one, two]\nx: {script: x, stage: one}').stages).toEqual(['.pre', 'one', 'two', '.post']);
  });

  it('the first fault is told alone, where it is', () => {
    expect(problemsOf('a:\n  script:\n    - @foo')).toEqual([
      expect.stringMatching(/^Invalid YAML at line 3 column 7: (?!Invalid)/),
    ]);
  });
});
