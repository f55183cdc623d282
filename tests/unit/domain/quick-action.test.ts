import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayIn, issueIn, nameIn, namesIn, peopleIn } from '../../../src/domain/collaboration/action-arguments.js';
import { MAX_READ, readQuickActions } from '../../../src/domain/collaboration/quick-action.js';

describe('quick actions of a text', () => {
  it.each<[string, string, readonly (readonly [string, string])[]]>([
    ['/close', '', [['close', '']]],
    [
      'Thanks.\n/close\n/label ~bug',
      'Thanks.',
      [
        ['close', ''],
        ['label', '~bug'],
      ],
    ],
    ['/title  A  b \r\nText', 'Text', [['title', 'A  b']]],
    ['/CLOSE', '', [['close', '']]],
    ['/spent 1h', '', [['spend', '1h']]],
    ['one\n/todo\ntwo', 'one\ntwo', [['todo', '']]],
    ['/unknown x', '/unknown x', []],
    ['/closeit', '/closeit', []],
    ['/close/it', '/close/it', []],
    [' /close', ' /close', []],
    ['text /close', 'text /close', []],
    ['> /close', '> /close', []],
    ['>>>\n/close\n>>>\n/reopen', '>>>\n/close\n>>>', [['reopen', '']]],
    ['```\n/close\n```', '```\n/close\n```', []],
    ['```\n/close without an end', '```\n/close without an end', []],
    ['`/close`', '`/close`', []],
    ['<!--\n/close\n-->\n/reopen', '<!--\n/close\n-->', [['reopen', '']]],
    ['<!-- a --> b\n/close', '<!-- a --> b', [['close', '']]],
    ['/shrug', '¯\\＿(ツ)＿/¯', []],
    ['/tableflip Enough', 'Enough (╯°□°)╯︵ ┻━┻', []],
    ['/shrug /close', '\\/close ¯\\＿(ツ)＿/¯', []],
    ['nothing\n\n', 'nothing\n\n', []],
    [`/title ${'x'.repeat(1_001)}`, `/title ${'x'.repeat(1_001)}`, []],
  ])('%j leaves %j', (written, text, actions) => {
    expect(readQuickActions(written)).toEqual({
      text,
      actions: actions.map(([name, argument]) => ({ name, argument })),
    });
  });

  const lines = fc.constantFrom(
    ...[
      '/close',
      '/label ~a',
      '/shrug',
      '/shrug /close',
      '/nothing',
      '```',
      '~~~',
      '>>>',
      '<!--',
      '-->',
      '',
      '    /close',
    ],
    ...['text', '> quote', '- item', '/title x'],
  );
  const texts = fc.oneof(
    fc.array(lines, { maxLength: 20 }).map((all) => all.join('\n')),
    fc.string(),
  );

  it('are asked for by no text that is longer than is read', () => {
    const longest = `/close\n${'a'.repeat(MAX_READ - 7)}`;
    expect(readQuickActions(longest).actions).toHaveLength(1);
    expect(readQuickActions(`${longest}a`)).toEqual({ text: `${longest}a`, actions: [] });
  });

  it('finds nothing in what it leaves, and leaves every line that asks for nothing', () => {
    fc.assert(
      fc.property(texts, (written) => {
        const { text, actions } = readQuickActions(written);
        expect(readQuickActions(text).actions).toEqual([]);
        if (actions.length === 0 && !/^\/(shrug|tableflip)/im.test(written)) expect(text).toBe(written);
        expect(actions.length).toBeLessThanOrEqual(
          written.split(/\r\n|\r|\n/).filter((line) => line.startsWith('/')).length,
        );
      }),
    );
  });
});

describe('what follows a quick action', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['@ada', ['ada']],
    ['@ada, @grace and me', ['ada', 'grace', 'hedy']],
    ['ada', undefined],
    ['@', undefined],
    ['', []],
  ])('names people: %j', (argument, people) => {
    expect(peopleIn(argument, 'hedy')).toEqual(people);
  });

  it.each<[string, readonly string[] | undefined]>([
    ['~bug', ['bug']],
    ['~bug ~"to do", idea', ['bug', 'to do', 'idea']],
    ['~"scoped::label" ~bug', ['scoped::label', 'bug']],
    ['~', undefined],
    ['~"open', undefined],
  ])('names labels: %j', (argument, labels) => {
    expect(namesIn(argument)).toEqual(labels);
  });

  it.each<[string, string | undefined]>([
    ['%1.0', '1.0'],
    ['%"Next year"', 'Next year'],
    ['Next year', 'Next year'],
    ['%', undefined],
  ])('names a milestone: %j', (argument, title) => {
    expect(nameIn(argument)).toBe(title);
  });

  it.each<[string, string | undefined]>([
    ['2026-12-24', '2026-12-24'],
    ['2026-02-30', undefined],
    ['today', '2026-01-31'],
    ['Tomorrow', '2026-02-01'],
    ['in 2 days', '2026-02-02'],
    ['in a week', '2026-02-07'],
    ['in 1 month', '2026-02-28'],
    ['soon', undefined],
    ['', undefined],
  ])('names a day: %j', (argument, day) => {
    expect(dayIn(argument, '2026-01-31')).toBe(day);
  });

  it.each([
    ['#3', { project: null, iid: 3 }],
    ['3', { project: null, iid: 3 }],
    ['group/sub/project#3', { project: 'group/sub/project', iid: 3 }],
    ['https://gatehouse.example/group/project/-/issues/3', { project: 'group/project', iid: 3 }],
    ['#0', undefined],
    ['#3 #4', undefined],
  ])('names an issue: %j', (argument, issue) => {
    expect(issueIn(argument)).toEqual(issue);
  });
});
