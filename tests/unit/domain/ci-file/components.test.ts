import { describe, expect, it } from '@jest/globals';
import { configOf, problemsOf } from '../../../support/ci-files.js';

const COMPONENT = 'spec: {inputs: {name: {default: build}}}\n---\n"$[[ inputs.name ]]": {script: make}';
const naming = () =>
  new Map([
    ['CI_SERVER_FQDN', 'here.example'],
    ['CI_PROJECT_PATH', 'own/project'],
    ['FILE', 'jobs/*.yml'],
    ['DOTS', 'a.txt'],
  ]);
const jobsOf = (text: string, files: Readonly<Record<string, string>>) =>
  configOf(text, files, { naming }).jobs.map(({ name }) => name);

describe('a component', () => {
  it.each([
    ['here.example/a/b/c@1.0', { 'a/b@1.0:templates/c.yml': COMPONENT }],
    ['HERE.example/a/b/c@1.0', { 'a/b@1.0:templates/c.yml': COMPONENT }],
    ['here.example/a/b/c/d@main', { 'a/b/c@main:templates/d/template.yml': COMPONENT }],
    ['$CI_SERVER_FQDN/$CI_PROJECT_PATH/c@~latest', { 'own/project@~latest:templates/c.yml': COMPONENT }],
  ])('%s is a file of its project', (name, files) => {
    expect(jobsOf(`include: {component: ${name}, inputs: {name: test}}`, files)).toEqual(['test']);
    expect(jobsOf(`include: [{component: ${name}}]`, files)).toEqual(['build']);
  });

  it('includes what is local to its own version', () => {
    const files = {
      'a/b@v1:templates/c.yml': 'include: templates/more.yml\nc: {script: x}',
      'a/b@v1:templates/more.yml': 'more: {script: x}',
    };
    expect(jobsOf('include: {component: here.example/a/b/c@v1}', files).sort()).toEqual(['c', 'more']);
  });

  it('is told by its name where it is not there', () => {
    expect(problemsOf('include: {component: here.example/a/b/c@v1}')).toEqual([
      'Component `here.example/a/b/c@v1` does not exist!',
    ]);
  });

  it('may stand in the include of a trigger, where its variables are put in later', () => {
    const text = 'x: {trigger: {include: [{component: $CI_SERVER_FQDN/a/b/c@v1}, {template: Go.yml}, $FILE]}}';
    expect(problemsOf(text)).toEqual([]);
  });
});

describe('a template', () => {
  it('is a file that comes with the service, whatever signs are in its name', () => {
    expect(jobsOf('include: [{template: C++*.yml}]', { 'template:C++*.yml': 'c: {script: x}' })).toEqual(['c']);
  });
});

describe('what an include names', () => {
  it('may name variables, whose values are as good as what is written', () => {
    const files = { 'jobs/a.yml': 'a: {script: x}', 'jobs/b.yml': 'b: {script: x}' };
    expect(jobsOf('include: [$FILE]', files)).toEqual(['a', 'b']);
    expect(problemsOf('include: $DOTS', {}, { naming })).toEqual([
      'Included file `a.txt` does not have YAML extension!',
    ]);
    expect(problemsOf('include: {project: $CI_PROJECT_PATH, ref: $NONE, file: a.yml}', {}, { naming })).toEqual([
      "include: `$NONE` has a variable that isn't known here.",
    ]);
  });
});
