import { describe, expect, it } from '@jest/globals';
import { checkCustomHeaders, withKeptValues } from '../../../src/domain/webhooks/custom-headers.js';
import { Invalid } from '../../../src/domain/shared/domain-error.js';

const check = (name: string, value = 'a') => checkCustomHeaders([{ name, value }]);

describe('custom headers of a webhook', () => {
  it.each(['Authorization', 'x', 'X-Team', 'x_team.2', 'Cookie', 'X-Gitlabs'])('may be called %s', (name) => {
    expect(() => check(name)).not.toThrow();
  });

  it.each(['', ' ', 'X A', 'X:', '-X', 'X-', 'X--A', '1X', 'X-Ä', 'X\r\nY', 'X\n', 'X'.repeat(256)])(
    'may not be called %j',
    (name) => {
      expect(() => check(name)).toThrow(Invalid);
    },
  );

  it.each(['Content-Type', 'USER-AGENT', 'X-Gitlab-Anything', 'Idempotency-Key', 'Content-Length', 'Content-Encoding'])(
    'leave %s to the delivery',
    (name) => {
      expect(() => check(name)).toThrow(Invalid);
    },
  );

  it.each(['Host', 'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect'])(
    'leave %s to the connection',
    (name) => {
      expect(() => check(name)).toThrow(Invalid);
    },
  );

  it.each(['X_Gitlab_Token', 'x.gitlab.event', 'Content_Length', 'content_type'])(
    'leave %s to what some receivers take it for',
    (name) => {
      expect(() => check(name)).toThrow(Invalid);
    },
  );

  it.each(['', ' ', 'a\r\nb', 'a\nb', 'a\u0000', '中', 'a'.repeat(2_049)])('have no value %j', (value) => {
    expect(() => check('X-A', value)).toThrow(Invalid);
  });

  it('have each name once, in any case, and are twenty at most', () => {
    const named = (names: readonly string[]) => () => checkCustomHeaders(names.map((name) => ({ name, value: 'é' })));
    expect(named(['X-A', 'x-a'])).toThrow(Invalid);
    const twenty = Array.from({ length: 20 }, (_, at) => `X-A${at}`);
    expect(named(twenty)).not.toThrow();
    expect(named([...twenty, 'X-B'])).toThrow(Invalid);
  });

  it('keep their value where they are wanted without one, in any case of their name', () => {
    const before = [
      { name: 'X-A', value: '1' },
      { name: 'X-B', value: '2' },
    ];
    const wanted = [
      { name: 'x-b', value: null },
      { name: 'X-C', value: '3' },
    ];
    expect(withKeptValues(wanted, before)).toEqual([
      { name: 'x-b', value: '2' },
      { name: 'X-C', value: '3' },
    ]);
    expect(() => withKeptValues([{ name: 'X-D', value: null }], before)).toThrow(Invalid);
  });
});
