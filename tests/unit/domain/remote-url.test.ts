import { describe, expect, it } from '@jest/globals';
import { readRemoteUrl } from '../../../src/domain/shared/remote-url.js';

const read = (url: string) => readRemoteUrl(url, () => true);

describe('the URL of a repository elsewhere', () => {
  it.each([
    ['https://git.example/a.git', 'https://git.example/a.git'],
    ['HTTPS://GIT.Example.:8443/a.git', 'https://git.example:8443/a.git'],
    ['http://bücher.example/a.git', 'http://xn--bcher-kva.example/a.git'],
    ['http://git_1.my-example/a', 'http://git_1.my-example/a'],
    ['http://[2606:4700::1111]:80/a', 'http://[2606:4700::1111]/a'],
    ['http://8.8.8.8/a', 'http://8.8.8.8/a'],
  ])('may be %s', (url, kept) => {
    expect(read(url)).toEqual({ url: kept, credentials: null });
  });

  it.each(['-x.example', '+x.example', '%2Bx.example', '*', 'a,b.example', 'a;b', '%2D.example'])(
    'has no host that libcurl reads otherwise: %s',
    (host) => {
      expect(read(`http://${host}/a.git`)).toBe('must be an http or https address');
    },
  );

  it('is kept apart from the user name and the password before its host', () => {
    expect(read('https://ada:hush%2Fword@git.example/a')).toEqual({
      url: 'https://git.example/a',
      credentials: { username: 'ada', password: 'hush/word' },
    });
  });
});
