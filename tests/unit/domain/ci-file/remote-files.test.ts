import { describe, expect, it } from '@jest/globals';
import { configOf, problemsOf } from '../../../support/ci-files.js';

const AT = 'https://example.org/ci.yml';
const JOB = 'a: {script: x}';
const jobsOf = (text: string, files: Readonly<Record<string, string>>, beside = {}) =>
  configOf(text, files, beside)
    .jobs.map(({ name }) => name)
    .sort();

describe('a remote file', () => {
  it.each([AT, `{remote: ${AT}}`, `[{remote: ${AT}, rules: [{if: $A}, {when: never}]}]`])(
    'is included by its address: %s',
    (include) => {
      const known = () => new Map([['A', '1']]);
      expect(jobsOf(`include: ${include}`, { [AT]: JOB }, { known })).toEqual(['a']);
    },
  );

  it('is not asked for where its rules do not hold', () => {
    const text = `include: [{remote: ${AT}, rules: [{if: $A}]}]\n${JOB}`;
    expect(jobsOf(text, {}, { known: () => new Map() })).toEqual(['a']);
  });

  it('is given inputs, and may be named by variables that are known', () => {
    const files = { [AT]: 'spec: {inputs: {job: {}}}\n---\n"$[[ inputs.job ]]": {script: x}' };
    const naming = () => new Map([['HOST', 'example.org']]);
    expect(jobsOf('include: {remote: "https://$HOST/ci.yml", inputs: {job: made}}', files, { naming })).toEqual([
      'made',
    ]);
  });

  it('is told by its address where it is not there', () => {
    expect(problemsOf(`include: ${AT}`)).toEqual([`Remote file \`${AT}\` does not exist!`]);
  });

  it('includes remote files and templates, and nothing that whoever includes it may read', () => {
    const more = 'https://example.org/more.yml';
    const files = {
      [AT]: `include: [${more}, {template: Go.yml}]\n${JOB}`,
      [more]: 'b: {script: x}',
      'template:Go.yml': 'go: {script: x}',
      'own.yml': 'own: {script: x}',
      'a/b@HEAD:c.yml': 'other: {script: x}',
    };
    expect(jobsOf(`include: ${AT}`, files)).toEqual(['a', 'b', 'go']);
    const refused = 'include: a remote file can include remote files and templates, and nothing else.';
    for (const include of ['own.yml', '{project: a/b, file: c.yml}', '{component: here.example/a/b/c@1}']) {
      expect(problemsOf(`include: ${AT}`, { ...files, [AT]: `include: ${include}` })).toEqual([refused]);
      expect(problemsOf(`include: ${AT}`, { ...files, [more]: `include: ${include}` })).toEqual([refused]);
    }
  });

  it('is told no variables, neither by what it includes nor by what is put into it', () => {
    const values = () => new Map([['NAME', 'told']]);
    const beside = { naming: values, shown: values };
    const asking = { [AT]: 'include: "https://example.org/$NAME"', 'https://example.org/told': JOB };
    expect(problemsOf(`include: ${AT}`, asking, beside)).toEqual([
      "include: `https://example.org/$NAME` has a variable that isn't known here.",
    ]);
    const header = `spec: {inputs: {name: {default: $NAME}}}\n---\n`;
    const put = `${header}include: "https://example.org/$[[ inputs.name | expand_vars ]]"`;
    expect(problemsOf(`include: ${AT}`, { ...asking, [AT]: put }, beside)).toEqual([
      "include: `https://example.org/$NAME` has a variable that isn't known here.",
    ]);
  });

  it('is not told with the user name and password that its address carries', () => {
    const told = 'include: the address `https://*****@example.org/ci.yml` must not carry a user name or password';
    const naming = () => new Map([['WORD', 's3cret']]);
    for (const who of ['me:s3cret', 'me:$WORD', 'me:s@s3cret'])
      expect(problemsOf(`include: "https://${who}@example.org/ci.yml"`, {}, { naming })).toEqual([told]);
  });

  it('includes no circle', () => {
    expect(problemsOf(`include: ${AT}`, { [AT]: `include: ${AT}` })).toEqual([
      `Remote file \`${AT}\` includes itself.`,
    ]);
  });

  it('is one of ten at most, counted where one is included again, too', () => {
    const many = (count: number) => `include: [${Array.from({ length: count }, () => AT).join(', ')}]`;
    expect(problemsOf(many(10), { [AT]: JOB })).toEqual([]);
    expect(problemsOf(many(11), { [AT]: JOB })).toEqual(['At most 10 remote files can be included.']);
  });
});
