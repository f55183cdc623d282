import { expect, it } from '@jest/globals';
import { toldPushOptions } from '../../../src/domain/webhooks/told-push-options.js';

it('tells what is known among the options of a push, by what it is about', () => {
  const sent = ['ci.skip', 'mr.create', 'merge_request.title=a=b', 'merge_request.draft=', 'unknown', 'ci.other=1'];
  expect(toldPushOptions([...sent, 'merge_request.title=c', '__proto__.skip', 'ci.__proto__=1', '.skip'])).toEqual({
    ci: { skip: true },
    merge_request: { create: true, title: 'c', draft: true },
  });
});

it('counts what may be given several times', () => {
  const sent = ['ci.variable=A=1', 'ci.variable=A=1', 'ci.variable=__proto__', 'mr.label=bug', 'merge_request.label=x'];
  const told = toldPushOptions(sent);
  expect(JSON.stringify(told)).toBe(
    '{"ci":{"variable":{"A=1":2,"__proto__":1}},"merge_request":{"label":{"bug":1,"x":1}}}',
  );
});

it('tells as much as there is room for', () => {
  const long = `merge_request.description=${'x'.repeat(9_000)}`;
  expect(toldPushOptions(['ci.skip', long, long, 'mr.create'])).toEqual({
    ci: { skip: true },
    merge_request: { description: 'x'.repeat(9_000) },
  });
  const many = Array.from({ length: 1_000 }, (_, index) => `ci.variable=${index}`);
  expect(Object.keys(toldPushOptions(many)['ci']!['variable']!)).toHaveLength(100);
});
