import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPrivateKey, parseFingerprint, parsePublicKey } from '../../../src/domain/keys/ssh-public-key.js';
import { lineOf, makeKey, rsaLine } from '../../support/ssh-keys.js';

const ED25519 = Buffer.alloc(32, 7);
const point = (bytes: number) => Buffer.concat([Buffer.of(4), Buffer.alloc(2 * bytes, 1)]);

describe('a public key', () => {
  it.each([
    ['ED25519', makeKey('ed25519').line],
    ['RSA of 2048 bits', makeKey('rsa', 2048).line],
    ['RSA of 4096 bits', rsaLine(4096)],
    ['ECDSA of 256 bits', makeKey('ecdsa', 256).line],
    ['ECDSA of 384 bits', makeKey('ecdsa', 384).line],
    ['ECDSA of 521 bits', makeKey('ecdsa', 521).line],
  ])('may be %s', (_name, line) => {
    const [type, base64] = line.split(' ');
    const parsed = parsePublicKey(`  ${line}\n`);
    expect('key' in parsed && [parsed.key.type, parsed.key.base64]).toEqual([type, base64]);
  });

  it.each([
    ['a DSA key', lineOf('ssh-dss', 'p', 'q', 'g', 'y'), /too weak: use ED25519/],
    ['RSA of 1024 bits', rsaLine(1024), /at least 2048 bits/],
    ['RSA of 16384 bits', lineOf('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(2048, 0x7f)), /at most 8192 bits/],
    ['RSA whose exponent is 1', lineOf('ssh-rsa', Buffer.of(1), Buffer.alloc(256, 0x7f)), /exponent/],
    ['one of a security key', lineOf('sk-ssh-ed25519@openssh.com', ED25519, 'ssh:'), /not supported: use/],
  ])('is refused with a sentence when it is %s', (_name, line, problem) => {
    expect(parsePublicKey(line)).toEqual({ problem: expect.stringMatching(problem) });
  });

  const { base64 = '' } = { base64: lineOf('ssh-ed25519', ED25519).split(' ')[1] };
  it.each([
    ['nothing', ''],
    ['words', 'not a key'],
    ['a secret key', makeKey().secret],
    ['base64 alone', base64],
    ['a type that its content denies', `ssh-rsa ${base64}`],
    ['a type that nobody knows', lineOf('ssh-made-up', ED25519)],
    ['two lines', `${lineOf('ssh-ed25519', ED25519)}\n${lineOf('ssh-ed25519', ED25519)}`],
    ['options before the key', `command="ls" ${lineOf('ssh-ed25519', ED25519)}`],
    ['more than the type has', lineOf('ssh-ed25519', ED25519, 'more')],
    ['less than the type has', lineOf('ssh-ed25519')],
    ['a short ED25519 key', lineOf('ssh-ed25519', ED25519.subarray(1))],
    ['another curve than its type says', lineOf('ecdsa-sha2-nistp256', 'nistp384', point(48))],
    ['a compressed point', lineOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.concat([Buffer.of(2), Buffer.alloc(32)]))],
    ['a curve that is a word of the language', lineOf('ecdsa-sha2-nistp256', 'constructor', point(32))],
    ['a negative modulus', lineOf('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(256, 0xff))],
    ['an even modulus', lineOf('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(256, 0x7e))],
    ['a field that is longer than the rest', `ssh-ed25519 ${Buffer.from([255, 255, 255, 255]).toString('base64')}`],
    ['a second spelling of its base64', lineOf('ecdsa-sha2-nistp256', 'nistp256', point(32)).replace(/.=$/, 'F=')],
  ])('is none where the text is %s', (_name, text) => {
    expect(parsePublicKey(text)).toEqual({});
  });

  it('is none, and nothing is thrown, where the text is anything', () => {
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    const type = fc.constantFrom('ssh-rsa', 'ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-dss');
    fc.assert(
      fc.property(type, noise, fc.string(), (name, base64, text) => {
        expect(parsePublicKey(`${name} ${base64}`)).toEqual({});
        expect(parsePublicKey(text)).toEqual({});
      }),
    );
  });
});

describe('a private key', () => {
  const { secret, line } = makeKey();
  const base64 = secret.split('\n').slice(1, -2).join('\n');

  it.each([
    ['as OpenSSH writes it', secret],
    ['without its first line', `${base64}\n-----END OPENSSH PRIVATE KEY-----`],
    ['without its first and its last line', base64],
    ['behind its public half', `${line}\n${secret}`],
    ['of RSA in PEM', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n'],
    ['of PuTTY, behind an empty line', '\nPuTTY-User-Key-File-3: ssh-ed25519\n'],
    ['as RFC 4716 programs write it', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/5\n'],
  ])('is known %s', (_name, text) => {
    expect(isPrivateKey(text)).toBe(true);
  });

  it('is none where a text is a public one', () => {
    expect([line, `${line} the PRIVATE KEY of ada`, rsaLine(2048)].map(isPrivateKey)).toEqual([false, false, false]);
  });
});

describe('a fingerprint', () => {
  const base64 = 'A'.repeat(43);
  const hex = Array.from({ length: 16 }, () => 'aB').join(':');
  it.each([
    [`SHA256:${base64}`, { sha256: base64 }],
    [base64, { sha256: base64 }],
    [`${base64}=`, { sha256: base64 }],
    [hex, { md5: hex.toLowerCase() }],
    [`MD5:${hex}`, { md5: hex.toLowerCase() }],
    ['', undefined],
    ['SHA256:', undefined],
    ['aa:bb', undefined],
    [`SHA256:${'?'.repeat(43)}`, undefined],
  ])('is read from %s', (text, fingerprint) => {
    expect(parseFingerprint(text)).toEqual(fingerprint);
  });
});
