import { describe, expect, it } from '@jest/globals';
import { problemOfRemote, readPushed } from '../../../src/adapters/outbound/git/remote-answers.js';

const CREDENTIALS = { username: 'ada', password: 'hush/word' };

describe('what git says of a repository elsewhere', () => {
  it('tells refs that have diverged from those that the server refused', () => {
    const answer = [
      'To http://git.example/a.git',
      ' \trefs/heads/main:refs/heads/main\t1111..2222',
      '!\trefs/heads/topic:refs/heads/topic\t[rejected] (fetch first)',
      '!\trefs/tags/v1:refs/tags/v1\t[rejected] (already exists)',
      '!\t:refs/heads/old\t[remote rejected] (deletion prohibited)',
      'Done',
    ].join('\n');
    expect(readPushed(answer, null)).toEqual({
      divergent: ['refs/heads/topic', 'refs/tags/v1'],
      refused: [{ ref: 'refs/heads/old', reason: 'deletion prohibited' }],
    });
  });

  it.each(['hush/word', 'hush%2Fword', Buffer.from('ada:hush/word').toString('base64')])(
    'repeats no password that a server repeats, as %s',
    (secret) => {
      const answer = `!\trefs/heads/a:refs/heads/a\t[remote rejected] (no ${secret} here\u001b[31m${'x'.repeat(999)})`;
      const [refused] = readPushed(answer, CREDENTIALS).refused;
      expect(refused?.reason).toMatch(/^no \*{5} here\[31mx+$/);
      expect(refused?.reason).toHaveLength(200);
    },
  );

  it.each([
    ['[remote rejected] (no (really) not)', 'no (really) not'],
    ['[remote rejected] (no) more', '[remote rejected] (no) more'],
    ['[remote rejected] no)', '[remote rejected] no)'],
    [`[remote rejected] ${'('.repeat(200_000)}\u2028)`, '('.repeat(200)],
  ])('tells why a server refused, by what stands in brackets at the end', (summary, told) => {
    const [refused] = readPushed(`!\t:refs/heads/a\t${summary}`, null).refused;
    expect(refused?.reason).toBe(told.slice(0, 200));
  });

  it('repeats no token that stands alone in place of a user name', () => {
    const answer = '!\trefs/heads/a:refs/heads/a\t[remote rejected] (token hush/word is read-only)';
    const [refused] = readPushed(answer, { username: 'hush/word', password: '' }).refused;
    expect(refused?.reason).toBe('token ***** is read-only');
  });

  it.each([
    [128, "fatal: Authentication failed for 'http://x/'", /user name and password/, false],
    [128, "fatal: unable to access 'http://x/ssl/': The requested URL returned error: 502", /server failed/, true],
    [128, "fatal: unable to access 'http://x/tls/': Failed to connect to x port 80", /could not be reached/, true],
    [128, "fatal: unable to access 'https://x/': SSL certificate problem", /certificate/, true],
    [128, 'fatal: what nobody has heard of', /could not talk/, true],
    [null, '', /30 minutes/, true],
  ])('is a sentence for people: %s %s', (code, errors, words, passing) => {
    const problem = problemOfRemote({ code, signal: null, errors }, 30);
    expect([problem.message, problem.passing]).toEqual([expect.stringMatching(words), passing]);
  });
});
